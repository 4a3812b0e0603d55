"""What may stand in a key's role, without an engine: only what is exactly a reach is taken for one."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from backends.errors import Rejected
from backends.search import names
from backends.search.elasticsearch.descriptors import ROLE, descriptors_of, reach_in
from backends.search.reach import Reach

INDEXES = ["mneme-episodic-v1", "mneme-episodic-v2"]
TENANT = Reach(tenant_id=uuid4(), subject_id=None, kinds=(names.EPISODIC,))
DESCRIPTORS = descriptors_of(TENANT, INDEXES)
ENTRY = DESCRIPTORS[ROLE]["indices"][0]
CLAUSES = ENTRY["query"]["bool"]["filter"]


def role(**changed: Any) -> dict[str, Any]:
    """Return the descriptors with other values in the role."""
    return {ROLE: {**DESCRIPTORS[ROLE], **changed}}


def entry(**changed: Any) -> dict[str, Any]:
    """Return the descriptors with other values in the indices entry."""
    return role(indices=[{**ENTRY, **changed}])


@pytest.mark.parametrize(
    "reach",
    [
        TENANT,
        replace(TENANT, subject_id=uuid4()),
        replace(TENANT, compartments=("b", "a")),
        replace(TENANT, kinds=("x", "y")),
        replace(TENANT, hidden_fields=("window",)),
    ],
)
def test_a_reach_is_read_back_as_it_was_written(reach: Reach) -> None:
    assert reach_in(descriptors_of(reach, [f"mneme-{kind}-v3" for kind in reach.kinds])) == reach


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"another": DESCRIPTORS[ROLE]},
        {**DESCRIPTORS, "more": DESCRIPTORS[ROLE]},
        role(cluster=["all"]),
        role(run_as=["elastic"]),
        role(applications=[{"application": "*", "privileges": ["*"], "resources": ["*"]}]),
        role(remote_indices=[ENTRY]),
        role(indices=[]),
        role(indices=[ENTRY, {"names": ["*"], "privileges": ["read"]}]),
        entry(privileges=["all"]),
        entry(names=["*"]),
        entry(names=["mneme-episodic-v1"]),
        entry(names=[*ENTRY["names"], "mneme-other-v1"]),
        entry(names=[*ENTRY["names"], "mneme-episodic-v*"]),
        entry(allow_restricted_indices=True),
        entry(field_security={"grant": ["*"]}),
        entry(field_security={"grant": ["*"], "except": []}),
        entry(field_security={"grant": ["turn"], "except": ["window*"]}),
        entry(field_security={"grant": ["*"], "except": ["window"]}),
        entry(field_security={"grant": ["*"], "except": ["window*", "embedding*"]}),
        entry(field_security={"grant": ["*"], "except": ["tenant_id*"]}),
        entry(query=None),
        entry(query=""),
        entry(query={"match_all": {}}),
        entry(query={"bool": {"filter": []}}),
        entry(query={"bool": {"filter": CLAUSES[1:]}}),
        entry(query={"bool": {"filter": CLAUSES[:2]}}),
        entry(query={"bool": {"filter": [*CLAUSES, {"terms": {"extra": ["x"]}}]}}),
        entry(query={"bool": {"filter": CLAUSES, "should": [{"match_all": {}}]}}),
        entry(query={"bool": {"filter": [{"match": {"tenant_id": str(TENANT.tenant_id)}}, *CLAUSES[1:]]}}),
    ],
)
def test_anything_else_is_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        reach_in(wrong)


def test_a_role_without_indexes_cannot_be_written() -> None:
    with pytest.raises(Rejected):
        descriptors_of(TENANT, [])


def test_the_reserved_value_is_no_compartment() -> None:
    with pytest.raises(Rejected):
        reach_in(descriptors_of(replace(TENANT, compartments=(names.NONE,)), INDEXES))
