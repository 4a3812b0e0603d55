"""One of many: a condition whose statement is the same however many there are."""

from collections.abc import Iterable
from typing import Any

from django.db.models import BooleanField, F, Func


class AnyOf(Func):
    """Whether a column holds one of the values, which travel as one array.

    `__in` has a placeholder for each: another text for each number of them, which is parsed here and planned there
    anew every time.
    """

    output_field = BooleanField()

    def __init__(self, column: str, values: Iterable[Any]) -> None:
        super().__init__(F(column))
        self._values = list(values)

    def as_sql(self, compiler: Any, *_: Any, **__: Any) -> tuple[str, Any]:
        """Return the condition and its parameters."""
        column, parameters = compiler.compile(self.source_expressions[0])
        return f"{column} = ANY (%s)", [*parameters, self._values]
