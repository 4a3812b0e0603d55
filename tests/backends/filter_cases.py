"""Facts of varied documents, and expressions over them that hypothesis puts together."""

import random
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from backends.search.facets import Facts
from backends.search.filters import (
    FIELDS,
    METADATA,
    And,
    AnyOf,
    Compared,
    Contains,
    Exists,
    Field,
    Filter,
    Not,
    Or,
    Order,
    Truth,
    Type,
    fields_of,
)

MOMENT = datetime(2026, 3, 1, 9, 0, 0, 123_456, tzinfo=UTC)
MOMENTS = [
    datetime(1, 1, 1, tzinfo=UTC), datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), MOMENT,
    MOMENT + timedelta(microseconds=1), MOMENT + timedelta(milliseconds=1), MOMENT + timedelta(days=1),
    datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
]  # fmt: skip
OPEN = [None] * 12
WORDS = [
    "tea", "Tea", "tea time", "绿茶", "绿", "it's", '"', "%", "_", "\\", "a%b_c\\d", "*", "?", "a,b", "a|b", "a;b",
    "🦦", "e\u0301", "é", "=", "a=s:b", "100", "true", "null", "{}", "x'; DROP TABLE engine.document; --", " ", "\n",
    "~", "%(filter_0)s", "\uffff", "\U0010ffff",
]  # fmt: skip
NUMBERS: list[int | float] = [
    0, -0.0, 1, 1.0, -1, 2, 10, 9.99, -9.99, 0.1, 0.30000000000000004, 0.3, -0.001, 1e-300, -1e-300, 1e300, -1e300,
    100, 2**53, 2**53 + 1, -(2**63), 10**30, 10**30 + 1,
]  # fmt: skip
KEYS = ["colour", "a.b", "price", "_id", "*", "5", "=", "a=s:b", "%", "键", "it's", '"', "\\", " "]
IDS = [str(UUID(int=number)) for number in (1, 2, 3)]
FRACTIONS = [0.0, 0.25, 0.5, 0.75, 1.0]
VALUES: dict[str, list[Any]] = {
    "memory_type": ["episodic", "semantic", "procedural"],
    "session_id": ["s1", "S1", "s 1", "会话"],
    "agent_id": ["a1", "a2", "a*"],
    "entity_id": IDS,
    "trust": ["web", "tool", "user", "operator"],
    "category": WORDS[:12],
    "predicate": WORDS[6:18],
    "slot": WORDS[12:24],
    "author": ["user", "Mei", "梅", "M%"],
    "tags": [word for word in WORDS if word.strip()],
    "importance": FRACTIONS,
    "confidence": FRACTIONS,
    "provenance.source_type": ["user", "assistant", "tool", "api", "import"],
    "provenance.relation": ["extracted", "derived", "summarises", "supersedes"],
    "provenance.method": ["direct", "correct", "rule:%"],
}
SCALARS: list[str | bool | int | float] = [*WORDS, *NUMBERS, True, False]
ASKED: list[str | Truth | int | float] = [*WORDS, *NUMBERS, *Truth]


def some_facts(number: int) -> list[Facts]:
    """Return facts of documents, the same each time: many values often, some seldom, many not there."""
    chance = random.Random(11)  # noqa: S311 - reproducible, not secret
    return [_facts(chance) for _ in range(number)]


def _facts(chance: random.Random) -> Facts:
    plain: dict[str, Any] = {}
    for name, values in VALUES.items():
        if FIELDS[name] is Type.LIST:
            plain[name] = chance.sample(values, chance.choice([0, 1, 2, 3]))
        elif name in ("memory_type", "importance", "confidence", "trust") or chance.random() < 0.6:
            plain[name] = chance.choice(values)
    for name in ("valid_from", "recorded_at"):
        plain[name] = chance.choice(MOMENTS)
    plain["valid_to"] = chance.choice([*OPEN, *(moment for moment in MOMENTS if moment >= plain["valid_from"])])
    plain["expires_at"] = chance.choice([*OPEN, *MOMENTS])
    return {**plain, METADATA: {key: _any(chance) for key in chance.sample(KEYS, chance.choice([0, 1, 3, 6]))}}


def _any(chance: random.Random) -> Any:
    return chance.choice(
        [
            chance.choice(WORDS), chance.choice(NUMBERS), chance.choice(NUMBERS), chance.choice([True, False]), None,
            [], [None], {"a": 1}, [chance.choice(SCALARS), chance.choice(SCALARS)], [[1], {"b": 2}, "tea"], "",
        ]
    )  # fmt: skip


FIELDS_ASKED = [
    *(Field(name=name) for name in FIELDS if name != METADATA),
    *(Field(name=METADATA, key=key) for key in [*KEYS, "nowhere"]),
]


def _value(field: Field) -> st.SearchStrategy[Any]:
    sort = FIELDS[field.name]
    if sort is Type.MOMENT:
        return st.sampled_from(MOMENTS)
    if sort is Type.ANY:
        return st.sampled_from(ASKED)
    return st.sampled_from(VALUES[field.name])


def _conditions(field: Field) -> st.SearchStrategy[Filter]:
    sort, value = FIELDS[field.name], _value(field)
    choices: list[st.SearchStrategy[Filter]] = [
        st.lists(value, min_size=1, max_size=4).map(lambda found: AnyOf(field=field, values=tuple(found))),
        st.just(Exists(field=field)),
    ]
    if sort in (Type.TEXT, Type.ANY, Type.NUMBER, Type.MOMENT):
        of_order = value.filter(lambda found: not isinstance(found, Truth))
        choices.append(
            st.tuples(st.sampled_from(Order), of_order).map(
                lambda pair: Compared(field=field, order=pair[0], value=pair[1])
            )
        )
    if sort in (Type.TEXT, Type.ANY):
        part = st.sampled_from(ASKED) if sort is Type.ANY else st.sampled_from(WORDS)
        choices.append(part.map(lambda found: Contains(field=field, value=found)))
    return st.one_of(choices)


CONDITION = st.one_of([_conditions(field) for field in FIELDS_ASKED])


def _deeper(inner: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    several = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        inner.map(lambda part: Not(part=part)),
        several.map(lambda parts: And(parts=parts)),
        several.map(lambda parts: Or(parts=parts)),
    )


FILTER: st.SearchStrategy[Filter] = CONDITION
for _ in range(3):
    FILTER = st.one_of(CONDITION, _deeper(FILTER))


@cache
def some_filters(number: int) -> list[Filter]:
    """Return different filters, up to four deep and up to so many, the same each time."""
    made: dict[Filter, None] = {}

    @settings(
        max_examples=number, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(asked=FILTER)
    def collect(asked: Filter) -> None:
        made.setdefault(asked)

    collect()
    return list(made)


def fewer_filters(number: int, *, every: int) -> list[Filter]:
    """Return each so manieth of as many filters, and the first that asks for a field that those leave out.

    What hypothesis makes of a seed depends on the modules that are loaded, so chance alone may pass a field by.
    """
    made = some_filters(number)
    chosen = made[::every]
    asked = {field.name for one in chosen for field in fields_of(one)}
    for one in made:
        named = {field.name for field in fields_of(one)}
        if not named <= asked:
            chosen.append(one)
            asked |= named
    return chosen
