"""What the local stack says when it cannot go on: one sentence with what to do."""


class StackFailed(Exception):
    """The local stack cannot go on. The message is one sentence for a person, without a traceback."""


class CommandFailed(StackFailed):
    """A one-off command of the stack ended with an error; output and exit code are kept."""

    def __init__(self, message: str, *, exit_code: int, stderr: str) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.stderr = stderr
