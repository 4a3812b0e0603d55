"""References to rows that a request names by id."""


class UnknownReference(Exception):
    """A request names something that is not there for it. field: the request's field."""

    def __init__(self, field: str, message: str = "leads to nothing; look the id up again") -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message
