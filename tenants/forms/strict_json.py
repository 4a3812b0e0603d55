"""JSON text without what two readers would read differently."""

import json
import math
from typing import Any


def strict_json(text: str) -> Any:
    """Return the value that a text stands for.

    Raises ValueError, when it is not JSON, holds NaN or a number too large, or names something twice in one object;
    RecursionError, when it is nested too deeply.
    """
    return json.loads(
        text, parse_float=_finite, parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicates
    )


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number is too large")
    return number


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a name occurs twice in one object")
    return result
