"""One key of a policy: what it holds, and what it means."""

from dataclasses import dataclass

Value = float | int | bool | str | None
"""What a key can hold; None only where the key says so."""


class PolicyInvalid(ValueError):
    """A policy says what none may. field: the key at fault."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key. minimum, maximum: of a number, both included. choices: of a text. nullable: null may be said."""

    name: str
    default: Value
    unit: str
    sentence: str
    minimum: float = 0.0
    maximum: float = 1.0
    choices: tuple[str, ...] = ()
    nullable: bool = False

    def checked(self, value: object) -> Value:
        """Return the value as the key holds it. Raises PolicyInvalid."""
        if value is None:
            if self.nullable:
                return None
            raise PolicyInvalid(self.name, "must not be null")
        if self.choices:
            if isinstance(value, str) and value in self.choices:
                return value
            raise PolicyInvalid(self.name, f"must be one of {', '.join(self.choices)}")
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            raise PolicyInvalid(self.name, "must be true or false")
        return self._number(value)

    def _number(self, value: object) -> float | int:
        whole = isinstance(self.default, int)
        if isinstance(value, bool) or not isinstance(value, int | float) or (whole and value != int(value)):
            raise PolicyInvalid(self.name, f"must be a {'whole ' if whole else ''}number")
        if not self.minimum <= value <= self.maximum:  # NaN is in no range
            raise PolicyInvalid(self.name, f"must be from {self.minimum:g} to {self.maximum:g}")
        return int(value) if whole else float(value)
