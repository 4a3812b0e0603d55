"""What a field of a filter may be compared with: the field's name as sent, its operators, its values."""

from collections.abc import Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import Any
from uuid import UUID

from rest_framework.exceptions import ValidationError

from backends.search import names
from backends.search.filters import FIELDS, METADATA, Field, Truth, Type, Value
from memories.models.source import SourceRelation, SourceType
from memories.trust import VALUES
from tenants.forms.strict import MomentField
from tenants.forms.unkeepable import unkeepable_fault
from tenants.ids import external_id_fault

SPELLINGS = {"run_id": "session_id", "thread_id": "session_id", "occurred_at": "valid_from"}
TEXT_MAX_LENGTH = 1_024
PART_MAX_LENGTH = 128
"""Of what a string contains: Elasticsearch gives up on wildcards somewhere between 256 and 400 characters."""
KEY_MAX_LENGTH = 255
NUMBER_MAX = 1e308
_EQUAL, _ORDER = ("eq", "ne", "in", "nin"), ("gt", "gte", "lt", "lte")
OPERATORS: Mapping[Type, tuple[str, ...]] = {
    Type.ID: (*_EQUAL, "exists"),
    Type.TEXT: (*_EQUAL, *_ORDER, "contains", "exists"),
    Type.LIST: (*_EQUAL, "contains", "exists"),
    Type.NUMBER: (*_EQUAL, *_ORDER, "exists"),
    Type.MOMENT: (*_EQUAL, *_ORDER, "exists"),
    Type.ANY: (*_EQUAL, *_ORDER, "contains", "exists"),
}
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "memory_type": names.KINDS,
    "trust": tuple(VALUES),
    "provenance.source_type": tuple(SourceType.values),
    "provenance.relation": tuple(SourceRelation.values),
}
_MOMENT = MomentField()


def field_of(name: str) -> Field:
    """Return the field of a name. Raises ValidationError, which says what there is."""
    name = SPELLINGS.get(name, name)
    of, dot, key = name.partition(".")
    if of == METADATA:
        return Field(name=METADATA, key=_key(key if dot else ""))
    if name not in FIELDS:
        raise ValidationError(f"is not a field that can be filtered by{_guess(name)}; there are {', '.join(_NAMES)}")
    return Field(name=name)


_NAMES = [*(name for name in FIELDS if name != METADATA), f"{METADATA}.<key>", *SPELLINGS]


def _key(key: str) -> str:
    if not key:
        raise ValidationError(f"must name a key: {METADATA}.<key>")
    if len(key) > KEY_MAX_LENGTH:
        raise ValidationError(f"a key must have at most {KEY_MAX_LENGTH} characters, has {len(key)}")
    if (fault := unkeepable_fault(key)) is not None:
        raise ValidationError(fault)
    return key


def _guess(name: str) -> str:
    if name.upper() in ("AND", "OR", "NOT"):
        return f"; did you mean {name.upper()}?"
    near = get_close_matches(name, _NAMES, n=1) if len(name) <= KEY_MAX_LENGTH else []
    return f"; did you mean {near[0]}?" if near else ""


def value_of(field: Field, sent: Any) -> Value:
    """Return a value that the field is compared with. Raises ValidationError for one of the wrong type."""
    match FIELDS[field.name]:
        case Type.NUMBER:
            return float(_number(sent))
        case Type.MOMENT:
            return moment(sent)
        case Type.ANY:
            return _scalar(sent)
    return _word(field, text(sent))


def text(sent: Any, *, max_length: int = TEXT_MAX_LENGTH) -> str:
    """Return a string. Raises ValidationError for anything else, and for one that is over-long."""
    if not isinstance(sent, str):
        raise ValidationError(f"must be a string, is {_called(sent)}")
    if len(sent) > max_length:
        raise ValidationError(f"must have at most {max_length} characters, has {len(sent)}")
    if (fault := unkeepable_fault(sent)) is not None:
        raise ValidationError(fault)
    return sent


def moment(sent: Any) -> datetime:
    """Return a moment in UTC. Raises ValidationError for one without an offset, and for anything else."""
    if isinstance(sent, dict | list):
        raise ValidationError(f"must be a string like 2026-03-01T09:30:00+01:00, is {_called(sent)}")
    return _MOMENT.to_internal_value(sent)


def _word(field: Field, sent: str) -> str:
    """Return a string that a field of ours can hold."""
    if field.name in ("session_id", "agent_id") and (fault := external_id_fault(sent)) is not None:
        raise ValidationError(fault)
    if not sent.strip():
        raise ValidationError('must not be blank; {"exists": false} asks for rows without a value')
    if field.name in _CHOICES and sent not in _CHOICES[field.name]:
        raise ValidationError(f"must be one of {', '.join(_CHOICES[field.name])}")
    if field.name != "entity_id":
        return sent
    try:
        return str(UUID(sent))
    except ValueError as error:
        raise ValidationError("must be a UUID") from error


def _scalar(sent: Any) -> str | Truth | float:
    if isinstance(sent, str):
        return text(sent)
    if isinstance(sent, bool):
        return Truth.of(sent)
    if isinstance(sent, int | float):
        return _number(sent)
    raise ValidationError(f"must be a string, a number, true or false, is {_called(sent)}")


def _number(sent: Any) -> float:
    if isinstance(sent, bool) or not isinstance(sent, int | float):
        raise ValidationError(f"must be a number, is {_called(sent)}")
    if not -NUMBER_MAX <= sent <= NUMBER_MAX:
        raise ValidationError(f"must lie between -{NUMBER_MAX:g} and {NUMBER_MAX:g}")
    return sent


def _called(sent: Any) -> str:
    """Return what kind of JSON value it is, and what to do where another operator was meant."""
    if sent is None:
        return 'null; {"exists": false} asks for rows without a value'
    if isinstance(sent, bool):
        return "true or false"
    if isinstance(sent, list):
        return 'a list; {"in": […]} takes several values'
    if isinstance(sent, dict):
        return "an object"
    return "a string" if isinstance(sent, str) else "a number"
