"""Filters that are refused: one sentence that names the place, in a body as in a query, and never half a filter."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backends.search.elasticsearch.filtering import filter_clause
from backends.search.facets import LISTS, MICROS
from backends.search.filter_json import written
from backends.search.filters import FIELDS, METADATA
from memories.forms.filter_reader import CONDITIONS_MAX, DEPTH_MAX, VALUES_MAX
from memories.forms.filter_values import KEY_MAX_LENGTH, PART_MAX_LENGTH, TEXT_MAX_LENGTH
from memories.forms.filters import QUERY_MAX_LENGTH, FiltersField
from tenants.hidden_fields import HIDEABLE
from tenants.scope import Ability
from tenants.services.issue_key import KEY_ABILITIES
from tests.backends.filter_cases import KEYS, VALUES, some_filters
from tests.backends.plain import holds
from tests.conftest import Caller
from tests.memories.canaries import API, post
from tests.memories.filter_corpus import stored


def nested(depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {"tags": "a"}
    for _ in range(depth - 1):
        found = {"NOT": found}
    return found


REFUSED: list[tuple[Any, str, str]] = [
    ({"colour": "red"}, "filters.colour", "not a field"),
    ({"tag": "a"}, "filters.tag", "did you mean tags?"),
    ({"and": [{"tags": "a"}]}, "filters.and", "did you mean AND?"),
    ({"tenant_id": "x"}, "filters.tenant_id", "not a field"),
    ({"user_id": "x"}, "filters.user_id", "not a field"),
    ({"subject_id": "x"}, "filters.subject_id", "not a field"),
    ({"compartments": "x"}, "filters.compartments", "not a field"),
    ({"sensitive_notes": "x"}, "filters.sensitive_notes", "not a field"),
    ({"_id": "x"}, "filters._id", "not a field"),
    ({"_index": "x"}, "filters._index", "not a field"),
    ({"*": "x"}, "filters.*", "not a field"),
    ({"script": {"source": "1"}}, "filters.script", "not a field"),
    ({"turn.keyword": "x"}, "filters.turn.keyword", "not a field"),
    ({"facets": "tags=S:a"}, "filters.facets", "not a field"),
    ({"tags.raw": "x"}, "filters.tags.raw", "not a field"),
    ({"session__external_id": "x"}, "filters.session__external_id", "not a field"),
    ({"category__contains": "x"}, "filters.category__contains", "not a field"),
    ({"metadata": "x"}, "filters.metadata", "metadata.<key>"),
    ({"metadata.": "x"}, "filters.metadata.", "metadata.<key>"),
    ({"metadata." + "k" * (KEY_MAX_LENGTH + 1): "x"}, "filters.metadata.", "at most 255"),
    ({"tags": {"like": "a"}}, "filters.tags", "like is not an operator; use eq, ne, in, nin, contains, exists"),
    ({"tags": {"$ne": "a"}}, "filters.tags", "not an operator"),
    ({"tags": {"AND": []}}, "filters.tags", "not an operator"),
    ({"tags": {"gt": "a"}}, "filters.tags", "gt does not fit this field"),
    ({"importance": {"contains": 1}}, "filters.importance", "contains does not fit"),
    ({"session_id": {"contains": "s"}}, "filters.session_id", "contains does not fit"),
    ({"recorded_at": {"contains": "2026"}}, "filters.recorded_at", "contains does not fit"),
    ({"tags": {}}, "filters.tags", "an operator"),
    ({"tags": ["a"]}, "filters.tags", '{"in": […]}'),
    ({"tags": None}, "filters.tags", '"exists": false'),
    ({"tags": {"eq": {"a": 1}}}, "filters.tags.eq", "must be a string"),
    ({"tags": {"eq": 5}}, "filters.tags.eq", "must be a string"),
    ({"tags": {"in": "a"}}, "filters.tags.in", "must be a list of 1 to 100"),
    ({"tags": {"in": []}}, "filters.tags.in", "must be a list of 1 to 100"),
    ({"tags": {"in": ["a"] * (VALUES_MAX + 1)}}, "filters.tags.in", "must be a list of 1 to 100"),
    ({"tags": {"in": ["a", "b", 3]}}, "filters.tags.in.2", "must be a string"),
    ({"tags": {"in": ["a", None]}}, "filters.tags.in.1", '"exists": false'),
    ({"tags": {"exists": 1}}, "filters.tags.exists", "true or false"),
    ({"tags": {"exists": "true"}}, "filters.tags.exists", "true or false"),
    ({"tags": "a" * (TEXT_MAX_LENGTH + 1)}, "filters.tags", "at most 1024"),
    ({"category": ""}, "filters.category", "must not be blank"),
    ({"category": " \t"}, "filters.category", "must not be blank"),
    ({"category": {"contains": ""}}, "filters.category.contains", "must not be empty"),
    ({"metadata.a": {"contains": ""}}, "filters.metadata.a.contains", "must not be empty"),
    ({"metadata.a": {"contains": "a" * (PART_MAX_LENGTH + 1)}}, "filters.metadata.a.contains", "at most 128"),
    ({"session_id": ""}, "filters.session_id", "must not be blank"),
    ({"session_id": " "}, "filters.session_id", "must not be blank"),
    ({"agent_id": "a\nb"}, "filters.agent_id", "control characters"),
    ({"entity_id": "5"}, "filters.entity_id", "UUID"),
    ({"memory_type": "episode"}, "filters.memory_type", "must be one of episodic"),
    ({"provenance.relation": "made"}, "filters.provenance.relation", "must be one of extracted"),
    ({"importance": True}, "filters.importance", "must be a number"),
    ({"importance": "0.5"}, "filters.importance", "must be a number"),
    ({"importance": {"gt": 10**400}}, "filters.importance.gt", "must lie between"),
    ({"metadata.a": {"gt": True}}, "filters.metadata.a.gt", "no order"),
    ({"metadata.a": {"gt": [1]}}, "filters.metadata.a.gt", "must be a string, a number, true or false"),
    ({"metadata.a": {"eq": {"b": 1}}}, "filters.metadata.a.eq", "an object"),
    ({"metadata.a": -(10**400)}, "filters.metadata.a", "must lie between"),
    ({"recorded_at": {"gt": "2026-03-01T09:00:00"}}, "filters.recorded_at.gt", "must say its offset"),
    ({"recorded_at": {"gt": "2026-03-01"}}, "filters.recorded_at.gt", "must say its offset"),
    ({"recorded_at": {"gt": "yesterday"}}, "filters.recorded_at.gt", "ISO 8601"),
    ({"recorded_at": {"gt": "2026-02-30T00:00:00Z"}}, "filters.recorded_at.gt", "ISO 8601"),
    ({"recorded_at": 1772355600}, "filters.recorded_at", "must be a string like"),
    ({"recorded_at": {"in": ["2026-03-01T09:00:00Z", "never"]}}, "filters.recorded_at.in.1", "ISO 8601"),
    ({"AND": []}, "filters.AND", "must be a list of 1 to 64"),
    ({"OR": []}, "filters.OR", "must be a list of 1 to 64"),
    ({"OR": {"tags": "a"}}, "filters.OR", "must be a list"),
    ({"NOT": []}, "filters.NOT", "must be an object"),
    ({"NOT": {}}, "filters.NOT", "must be an object"),
    ({"AND": [{"tags": "a"}, {}]}, "filters.AND.1", "must be an object"),
    ({"AND": [{"tags": "a"}, {"tags": 1}]}, "filters.AND.1.tags", "must be a string"),
    ({"OR": [{"NOT": {"AND": [{"tags": {"gt": 1}}]}}]}, "filters.OR.0.NOT.AND.0.tags", "does not fit"),
    ({"run_id": "a", "session_id": "b"}, "filters.session_id", "says the same as run_id"),
    ({"occurred_at": {"gt": "2026-03-01T09:00:00Z"}, "valid_from": {"lt": "2026-03-01T09:00:00Z"}},
     "filters.valid_from", "says the same as occurred_at"),
    (nested(DEPTH_MAX + 1), "filters" + ".NOT" * DEPTH_MAX, "more than 8 deep"),
    ({"OR": [{"AND": [{"tags": "a"}] * 33}, {"AND": [{"tags": "b"}] * 33}]}, "filters", "at most 64 conditions"),
    ({"AND": [{"tags": {"contains": "a"}}] * 9}, "filters.AND.8.tags.contains", "at most 8 contains"),
    ([], "filters", "must be an object"),
    ("tags", "filters", "must be an object"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "field", "message"), REFUSED)
def test_what_is_wrong_is_named(acme: Caller, asked: Any, field: str, message: str) -> None:
    recall = acme.client.post(f"{API}recall/", {"query": "tea", "filters": asked}, format="json")
    listed = acme.client.get(f"{API}memories/", {"filters": json.dumps(asked)})
    for answer in (recall, listed):
        assert answer.status_code == 400, answer.content
        (fault,) = answer.json()["errors"]
        assert fault["field"].startswith(field), fault
        assert message in fault["message"], fault


def test_limits_are_just_so(acme: Caller) -> None:
    wide = {"OR": [{"tags": f"{number}"} for number in range(CONDITIONS_MAX)]}
    long = {"tags": {"in": [f"{number}" for number in range(VALUES_MAX)]}}
    for asked in ({}, nested(DEPTH_MAX), wide, long, {"tags": "a" * TEXT_MAX_LENGTH}):
        answer = acme.client.post(f"{API}recall/", {"query": "tea", "filters": asked}, format="json")
        assert answer.status_code == 200, answer.content
        assert acme.client.get(f"{API}memories/", {"filters": json.dumps(asked)}).status_code == 200


def test_every_fault_is_told_at_once(acme: Caller) -> None:
    asked = {"colour": 1, "AND": [{"tags": {"gt": "a"}}, {"importance": "x"}], "recorded_at": "soon"}
    answer = acme.client.post(f"{API}recall/", {"query": "", "filters": asked}, format="json")
    assert {fault["field"] for fault in answer.json()["errors"]} == {
        "query", "filters.colour", "filters.AND.0.tags", "filters.AND.1.importance", "filters.recorded_at"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"), ("{", "is not JSON"), ("{'tags': 'a'}", "is not JSON"), ("null", "must be an object"),
        ('{"tags": "a", "tags": "b"}', "occurs twice"), ('{"importance": NaN}', "NaN is not a JSON number"),
        ('{"importance": 1e999}', "too large"), ("[" * 4_000 + "]" * 4_000, ""),
        ('{"tags": "' + "a" * QUERY_MAX_LENGTH + '"}', "at most 8000"), ('{"tags": "\\ud800"}', "lone surrogates"),
        ('{"tags": "a\\u0000"}', "NUL"), ('{"metadata.\\u0000": "a"}', "NUL"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_filter_is_refused(acme: Caller, text: str, message: str) -> None:
    for path in ("memories/", "entities/", "relations/", "catalog/", "procedures/"):
        answer = acme.client.get(f"{API}{path}", {"filters": text})
        assert answer.status_code == 400, (path, answer.content)
        (fault,) = answer.json()["errors"]
        assert fault["field"].startswith("filters")
        assert message in fault["message"]


def test_lists_of_every_kind_take_filters(acme: Caller) -> None:
    writer = acme.holding(abilities=KEY_ABILITIES)
    one, two = (post(writer, "entities/", {"entity_type": "pet", "name": name})["id"] for name in ("Quill", "Rook"))
    post(writer, "relations/", {"subject_entity_id": one, "predicate": "likes", "object_entity_id": two})
    post(writer, "procedures/", {"trigger": "x", "steps": ["y"], "tags": ["a"]})
    post(writer, "catalog/", {"documents": [{"id": "d", "text": "x", "metadata": {"a": [1, "b"]}}]}, status=200)
    for path, holding, lacking in (
        ("entities/", {"memory_type": "entity"}, {"tags": "a"}),
        ("relations/", {"predicate": "likes"}, {"predicate": "hates"}),
        ("procedures/", {"tags": "a", "memory_type": "procedural"}, {"tags": "b"}),
        ("catalog/", {"metadata.a": "b"}, {"metadata.a": "1"}),
    ):
        for asked, number in ((holding, 1), (lacking, 0), ({"NOT": lacking}, 1)):
            answer = writer.client.get(f"{API}{path}", {"filters": json.dumps(asked)})
            assert answer.status_code == 200, answer.content
            assert len(answer.json()["results"]) >= number
            assert bool(answer.json()["results"]) is bool(number), (path, asked)


def test_no_hidden_field_is_filtered_by(acme: Caller) -> None:
    """Whatever it holds, whether it holds anything: the same answer."""
    post(acme, "memories/", {"text": "x", "tags": ["a"], "category": "b", "metadata": {"c": "d"}, "importance": 1})
    hiding = acme.holding(hidden_fields=list(HIDEABLE))
    for name, value in (("tags", "a"), ("category", "b"), ("metadata.c", "d"), ("importance", 1), ("confidence", 1)):
        for own in (value, {"exists": False}):
            for asked in ({name: own}, {"OR": [{"agent_id": "a"}, {"NOT": {name: own}}]}):
                recall = hiding.client.post(f"{API}recall/", {"query": "x", "filters": asked}, format="json")
                listed = hiding.client.get(f"{API}memories/", {"filters": json.dumps(asked)})
                for answer in (recall, listed):
                    assert answer.status_code == 403, answer.content
                    (fault,) = answer.json()["errors"]
                    assert fault["field"].startswith("filters.")
                    assert fault["field"].endswith(name)
                    assert "is hidden from the key" in fault["message"]
    allowed = hiding.client.post(f"{API}recall/", {"query": "x", "filters": {"agent_id": "a"}}, format="json")
    assert allowed.status_code == 200


def test_who_may_not_read_provenance_does_not_filter_by_it(acme: Caller) -> None:
    reader = acme.holding(abilities=[Ability.MEMORIES_READ])
    for asked in ({"author": "user"}, {"NOT": {"provenance.method": "direct"}}):
        for answer in (
            reader.client.post(f"{API}recall/", {"query": "x", "filters": asked}, format="json"),
            reader.client.get(f"{API}memories/", {"filters": json.dumps(asked)}),
        ):
            assert answer.status_code == 403
            assert "provenance:read" in answer.json()["errors"][0]["message"]


def test_a_stored_recall_keeps_its_filter_and_shows_no_hidden_part(acme: Caller) -> None:
    post(acme, "memories/", {"text": "tea", "tags": ["a"], "metadata": {"c": "zebrafinch"}})
    asked = {"metadata.c": "zebrafinch", "NOT": {"recorded_at": {"lt": "2026-03-01T09:00:00+01:00"}}}
    answer = acme.client.post(f"{API}recall/", {"query": "tea", "filters": asked}, format="json").json()
    assert len(answer["results"]) == 1
    kept = acme.client.get(f"{API}recalls/{answer['recall_id']}/")
    assert kept.json()["question"]["filters"] == {
        "AND": [
            {"metadata.c": {"in": ["zebrafinch"]}}, {"NOT": {"recorded_at": {"lt": "2026-03-01T08:00:00+00:00"}}}
        ]
    }  # fmt: skip
    hiding = acme.holding(hidden_fields=["metadata"])
    seen = hiding.client.get(f"{API}recalls/{answer['recall_id']}/")
    assert "zebrafinch" not in json.dumps(seen.json())


NAMES = [*(name for name in FIELDS if name != METADATA), *(f"metadata.{key}" for key in KEYS), "AND", "OR", "NOT",
         "nowhere", "_id"]  # fmt: skip
OPERATORS = ["eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains", "exists", "like"]
ATOMS = st.sampled_from(
    [None, True, False, 0, 1, 0.5, "", "tea", "user", "2026-03-01T09:00:00.123456Z", "s1", [], {}, *VALUES["tags"]]
)
JSON = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(OPERATORS), inner, min_size=1, max_size=2),
        st.dictionaries(st.sampled_from(NAMES), inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@st.composite
def nearly_filters(draw: st.DrawFn) -> Any:
    """Return a filter as JSON in which one value, at any depth, may be anything."""
    asked = json.loads(json.dumps(written(draw(st.sampled_from(some_filters(3_000))))))
    place, name = asked, next(iter(asked))
    while isinstance(place[name], dict | list) and place[name] and draw(st.booleans()):
        place = place[name]
        name = draw(st.sampled_from(list(place))) if isinstance(place, dict) else draw(st.integers(0, len(place) - 1))
    if draw(st.booleans()):
        place[name] = draw(JSON)
    return asked


def test_random_json_is_refused_or_filters_as_it_says(acme: Caller) -> None:
    corpus, taken, refused = stored(acme), list[int](), list[bool]()

    @settings(max_examples=400, deadline=None, database=None, derandomize=True,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(asked=st.one_of(st.dictionaries(st.sampled_from(NAMES), JSON, min_size=1, max_size=3), nearly_filters()))
    def judged(asked: Any) -> None:
        answer = acme.client.get(f"{API}memories/", {"filters": json.dumps(asked), "limit": "200"})
        refused.append(answer.status_code == 400)
        if refused[-1]:
            assert all(fault["field"].startswith("filters") for fault in answer.json()["errors"])
            return
        assert answer.status_code == 200, answer.content
        meant = FiltersField().to_internal_value(asked)
        assert meant is not None
        passing = {row_id for row_id, held in corpus.items() if holds(meant, held)}
        assert {UUID(row["id"]) for row in answer.json()["results"]} == passing, asked
        taken.append(len(passing))

    judged()
    assert len(taken) > 40
    assert sum(0 < number < len(corpus) for number in taken) > 20
    assert sum(refused) > 40


def test_elasticsearch_is_asked_about_our_fields_alone_and_by_harmless_clauses() -> None:
    clauses = {"term", "terms", "range", "exists", "wildcard", "bool"}
    for asked in some_filters(500):
        for verb, fields in named(filter_clause(asked)):
            assert verb in clauses
            assert fields <= {*LISTS, *MICROS.values()}, asked


def named(clause: dict[str, Any]) -> Iterator[tuple[str, set[str]]]:
    """Yield each clause's verb, and the fields it is about."""
    ((verb, inner),) = clause.items()
    if verb == "bool":
        for part in ("filter", "should", "must_not"):
            for one in inner.get(part, ()):
                yield from named(one)
        assert set(inner) <= {"filter", "should", "must_not", "minimum_should_match"}
    else:
        yield verb, {inner["field"]} if verb == "exists" else set(inner)
