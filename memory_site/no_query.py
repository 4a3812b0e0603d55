"""A log record without query strings: a client may have put there by mistake what belongs in a header."""

import logging


class NoQuery(logging.Filter):
    """Lets every record of the web server through, with the paths it names cut before their `?`.

    uvicorn gives what is to be logged as arguments, a path's own `?` percent-encoded; it logs every websocket,
    whatever is said of its access log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Cut the query strings."""
        if isinstance(record.args, tuple):
            record.args = tuple(value.partition("?")[0] if isinstance(value, str) else value for value in record.args)
        return True
