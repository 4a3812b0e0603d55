"""A log record without its traceback."""

import logging


class OneLine(logging.Filter):
    """Lets every record through, with its message and without the traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Drop the traceback."""
        record.exc_info = record.exc_text = None
        return True
