"""JSON as it comes in: strict, bounded in depth, and free of what a database cannot keep."""

import json
import math
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import JSONParser
from rest_framework.settings import api_settings

MAX_DEPTH = 20


class StrictJSONParser(JSONParser):
    """Parse one JSON object in UTF-8; refuse NaN, duplicate names, NUL, lone surrogates and deep nesting."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the body as a dict.

        Raises ParseError, when the body is not UTF-8 or not JSON; ValidationError, when JSON holds what is refused.
        """
        raw = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(raw) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise ParseError(f"The body is longer than {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes; send less.")
        try:
            body = json.loads(
                raw.decode("utf-8"),
                parse_float=_finite,
                parse_constant=_refuse_constant,
                object_pairs_hook=_refuse_duplicates,
            )
        except UnicodeDecodeError as error:
            raise ParseError(f"The body is not UTF-8: byte {error.start} cannot be read.") from error
        except RecursionError as error:
            raise ParseError("The body is nested too deeply.") from error
        except ValueError as error:
            raise ParseError(f"The body is not JSON: {error}") from error
        if not isinstance(body, dict):
            raise ParseError("The body must be a JSON object.")
        _refuse_unkeepable(body, field="", depth=1)
        return body


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


def _refuse_unkeepable(value: object, *, field: str, depth: int) -> None:
    """Raise ValidationError for text or nesting that cannot be stored exactly as sent, naming the field."""
    if depth > MAX_DEPTH:
        raise ValidationError({field: f"must not be nested more than {MAX_DEPTH} deep"})
    if isinstance(value, str):
        _refuse_unkeepable_text(value, field=field)
    elif isinstance(value, dict):
        for name, inner in value.items():
            _refuse_unkeepable_text(name, field=field)
            _refuse_unkeepable(inner, field=f"{field}.{name}" if field else name, depth=depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _refuse_unkeepable(inner, field=f"{field}.{index}", depth=depth + 1)


def _refuse_unkeepable_text(text: str, *, field: str) -> None:
    where = field or api_settings.NON_FIELD_ERRORS_KEY
    if "\x00" in text:
        raise ValidationError({where: "must not contain the NUL character"})
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValidationError({where: "must not contain lone surrogates"})
