"""Compartments as an agent writes them: held, taken on from sources, kept through every verb, and no oracle."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from memories.documents.registry import body_of
from memories.models import Memory, Source
from memories.services.engine import embedder, search_engine
from memories.services.erase import erase_step, open_jobs
from memories.services.searched import rows_with_vectors
from tenants.models import Subject
from tenants.scope import ScopeDenied
from tenants.services.issue_key import KEY_ABILITIES
from tenants.services.open_scope import open_operator, open_scope, open_unseen
from tests.conftest import Caller, login
from tests.memories.canaries import API, plant, post

FACT = {"user_id": "u1", "text": "Ada takes the blue pill"}


@pytest.fixture
def doctor(acme: Caller) -> Caller:
    return acme.holding("doctor", abilities=KEY_ABILITIES)


@pytest.fixture
def family(acme: Caller) -> Caller:
    return acme.holding("family", abilities=KEY_ABILITIES)


@pytest.fixture
def both(acme: Caller) -> Caller:
    return acme.holding("doctor", "family", "innie", abilities=KEY_ABILITIES)


def get(caller: Caller, path: str, status: int = 200) -> dict[str, Any]:
    answer = caller.client.get(f"{API}{path}")
    assert answer.status_code == status, (path, answer.content)
    parsed: dict[str, Any] = answer.json()
    return parsed


def test_a_key_writes_into_the_compartments_it_holds_and_no_others(acme: Caller, doctor: Caller) -> None:
    entity = post(doctor, "entities/", {"user_id": "u1", "entity_type": "pill", "name": "blue"})
    bodies: dict[str, dict[str, Any]] = {
        "turns/": {"user_id": "u1", "session_id": "s", "content": "x"},
        "memories/": {"user_id": "u1", "text": "x"},
        "procedures/": {"user_id": "u1", "trigger": "x", "steps": ["y"]},
        "entities/": {"user_id": "u1", "entity_type": "x", "name": "y"},
        "relations/": {"user_id": "u1", "subject_entity_id": entity["id"], "predicate": "is",
                       "object_entity_id": entity["id"]},
    }  # fmt: skip
    for path, body in bodies.items():
        refused = post(doctor, path, {**body, "compartments": ["doctor", "insurer"]}, status=403)
        assert refused["type"] == "/problems/denied/"
        assert [(fault["field"], fault["code"]) for fault in refused["errors"]] == [("compartments", "denied")], path
        assert "insurer" in refused["detail"]
        made = post(doctor, path, {**body, "compartments": ["doctor", "doctor"]})
        assert made["compartments"] == ["doctor"], path
    batch = {"turns": [{**bodies["turns/"]}, {**bodies["turns/"], "compartments": ["insurer"]}]}
    assert post(doctor, "turns/batch/", batch, status=403)["errors"][0]["field"] == "turns.1.compartments"
    documents = {"documents": [{"id": "a", "text": "b", "compartments": ["insurer"]}]}
    assert post(doctor, "catalog/", documents, status=403)["errors"][0]["field"] == "documents.0.compartments"
    assert post(acme, "memories/", {**FACT, "compartments": ["doctor"]}, status=403)["errors"]
    assert get(acme, "memories/?user_id=u1")["results"] == []


@pytest.mark.parametrize(
    "wrong",
    [["none"], [""], ["a\nb"], ["a,b"], ["x" * 65], "doctor", [1], [f"c{n}" for n in range(9)],
     [f"{n}" + "\U0001f600" * 60 for n in range(5)]],
)  # fmt: skip
def test_what_is_no_compartment_is_refused_by_name(doctor: Caller, wrong: Any) -> None:
    refused = post(doctor, "memories/", {**FACT, "compartments": wrong}, status=400)
    assert {fault["field"].partition(".")[0] for fault in refused["errors"]} == {"compartments"}


def test_what_rests_on_something_takes_its_compartments_and_is_never_wider(
    doctor: Caller, family: Caller, both: Caller
) -> None:
    in_both = both.turn("kept in both", compartments=["family", "doctor"])
    in_doctor = both.turn("kept by the doctor", compartments=["doctor"])
    in_family = both.turn("kept by the family", compartments=["family"])
    in_none = both.turn("kept by nobody")

    def learned(*turns: dict[str, Any], status: int = 201, **fields: Any) -> dict[str, Any]:
        sources = [{"turn_id": turn["turn_id"]} for turn in turns]
        body = {"user_id": "u1", "text": f"fact {len(turns)} {fields} {sources}", "sources": sources, **fields}
        return post(both, "memories/", body, status=status)

    assert learned(in_both)["compartments"] == ["doctor", "family"]
    assert learned(in_both, in_doctor, in_none)["compartments"] == ["doctor"]
    assert learned(in_none)["compartments"] == []
    assert learned(in_none, compartments=["innie"])["compartments"] == ["innie"]
    narrow = learned(in_both, compartments=["doctor"])
    assert narrow["compartments"] == ["doctor"]
    for turns, fields in (
        ([in_both], {"compartments": []}),
        ([in_doctor], {"compartments": ["doctor", "family"]}),
        ([in_doctor], {"compartments": ["innie"]}),
        ([in_doctor, in_family], {}),
        ([in_none], {"parent_ids": [narrow["id"]], "compartments": []}),
    ):
        refused = learned(*turns, status=400, **fields)
        assert refused["errors"][0]["field"] == "compartments", (turns, fields)
    from_parent = post(both, "memories/", {"user_id": "u1", "text": "made of it", "parent_ids": [narrow["id"]]})
    assert from_parent["compartments"] == ["doctor"]
    entity = post(doctor, "entities/", {"entity_type": "pill", "name": "blue", "compartments": ["doctor"]})
    about = post(both, "memories/", {"user_id": "u1", "text": "about it", "entity_id": entity["id"]})
    assert about["compartments"] == ["doctor"]
    relation = post(both, "relations/", {"subject_entity_id": entity["id"], "predicate": "is",
                                         "object_entity_id": entity["id"]})  # fmt: skip
    assert relation["compartments"] == ["doctor"]
    # Of a row's compartments each key is told those it holds.
    assert get(family, f"memories/{in_both['memory_id']}/")["compartments"] == ["family"]


def test_a_row_that_is_wider_than_its_source_is_refused_by_the_database_too(both: Caller) -> None:
    kept = both.turn("kept", compartments=["doctor"])
    fact = post(both, "memories/", FACT)
    with pytest.raises(IntegrityError, match="never wider"), open_scope(both.scope):
        Source.objects.create(
            tenant_id=both.key.tenant_id, memory_id=fact["id"], turn_id=kept["turn_id"], span_start=0, span_end=1,
            span_hash=b"x", subject_id=Memory.objects.get(id=fact["id"]).subject_id, source_type="user",
            relation="extracted", recorded_at=timezone.now(),
        )  # fmt: skip


def test_every_verb_keeps_the_compartments(acme: Caller, doctor: Caller) -> None:
    first = post(doctor, "memories/", {**FACT, "slot": "pill", "compartments": ["doctor"]})
    second = post(doctor, "memories/", {**FACT, "text": "The red one", "slot": "pill", "supersedes_id": first["id"]})
    third = post(doctor, f"memories/{second['id']}/correct/", {"text": "The green one"})
    fourth = post(doctor, f"memories/{third['id']}/invalidate/", {})
    fifth = post(doctor, f"memories/{first['id']}/restore/", {})
    playbook = post(doctor, "procedures/", {"user_id": "u1", "trigger": "t", "steps": ["s"],
                                            "compartments": ["doctor"]})  # fmt: skip
    refined = doctor.client.patch(f"{API}procedures/{playbook['id']}/", {"steps": ["u"]}, format="json").json()
    for row in (second, third, fourth, fifth, refined):
        assert row["compartments"] == ["doctor"]
        get(acme, f"memories/{row['id']}/", status=404)
        get(acme, f"memories/{row['id']}/history/", status=404)
    wider = {**FACT, "text": "x", "slot": "pill", "supersedes_id": fifth["id"], "compartments": []}
    assert post(doctor, "memories/", wider, status=400)["errors"][0]["field"] == "compartments"
    correction = {"text": "x", "compartments": []}
    assert post(doctor, f"memories/{fifth['id']}/correct/", correction, status=400)["errors"]


def test_what_is_hidden_is_no_conflict_and_is_not_superseded(acme: Caller, doctor: Caller, family: Caller) -> None:
    kept = {"user_id": "u1", "compartments": ["doctor"]}
    hidden = post(doctor, "memories/", {**kept, "text": "The pill is blue", "slot": "pill"})
    entity = post(doctor, "entities/", {**kept, "entity_type": "pet", "name": "Quill"})
    put = {"id": "kb/1", "text": "the doctor's", "compartments": ["doctor"]}
    post(doctor, "catalog/", {"documents": [put]}, status=200)
    librarian = acme.holding(abilities=KEY_ABILITIES)
    for caller in (librarian, family):
        mine = {"compartments": list(caller.key.compartments), "user_id": "u1"}
        same = post(caller, "memories/", {**mine, "text": "The pill is blue", "slot": "pill"})
        assert same["created"] is True
        assert same["frequency"] == 1
        taken = post(caller, "memories/", {**mine, "text": "The pill is red", "slot": "pill"}, status=409)
        assert same["id"] in taken["detail"]
        assert hidden["id"] not in str(taken)
        assert post(caller, "entities/", {**mine, "entity_type": "pet", "name": "Quill"})["id"] != entity["id"]
        document = {"id": "kb/1", "text": "another's", "compartments": mine["compartments"]}
        made = post(caller, "catalog/", {"documents": [document]}, status=200)
        assert made == {"created": 1, "updated": 0, "unchanged": 0}
        assert get(caller, "catalog/kb/1/" if caller is librarian else "catalog/kb/1/?compartments=family")
        stolen = {**mine, "text": "x", "supersedes_id": hidden["id"]}
        assert post(caller, "memories/", stolen, status=400)["errors"][0]["field"] == "supersedes_id"
    assert get(doctor, f"memories/{hidden['id']}/")["status"] == "active"
    several = get(doctor, "catalog/kb/1/", status=400)
    assert several["errors"][0]["field"] == "compartments"
    assert get(doctor, "catalog/kb/1/?compartments=doctor")["text"] == "the doctor's"
    assert get(doctor, "catalog/kb/1/?compartments=")["text"] == "another's"
    assert doctor.client.delete(f"{API}catalog/kb/1/?compartments=").status_code == 204
    assert get(doctor, "catalog/kb/1/")["text"] == "the doctor's"
    assert get(family, "catalog/kb/1/")["text"] == "another's"


def test_a_slot_is_held_among_what_is_kept_alike(doctor: Caller, family: Caller) -> None:
    kept = {"user_id": "u1", "compartments": ["doctor"]}
    blue = {"user_id": "u1", "text": "The pill is blue", "slot": "pill"}
    ids = [
        post(caller, "memories/", {**blue, "compartments": list(caller.key.compartments)})["id"]
        for caller in (doctor, family)
    ]
    again = post(doctor, "memories/", {**blue, **kept}, status=200)
    assert (again["id"], again["frequency"]) == (ids[0], 2)
    taken = post(doctor, "memories/", {**kept, "text": "The pill is red", "slot": "pill"}, status=409)
    assert ids[0] in taken["detail"]
    assert ids[1] not in str(taken)
    assert get(doctor, f"memories/{ids[0]}/")["status"] == "active"


def test_a_page_of_the_catalog_loses_none_of_several_documents_of_one_id(acme: Caller, both: Caller) -> None:
    documents = [{"id": name, "text": f"{name} {kept}", "compartments": kept}
                 for name in ("a", "b") for kept in ([], ["doctor"], ["family"])]  # fmt: skip
    assert post(both, "catalog/", {"documents": documents}, status=200)["created"] == 6
    pages = [get(both, "catalog/?limit=1")]
    while pages[-1]["next"]:
        pages.append(get(both, f"catalog/?limit=1&after={pages[-1]['next']}"))
    found = [(row["document_id"], row["compartments"]) for page in pages for row in page["results"]]
    assert found == [(row["id"], row["compartments"]) for row in documents]


def test_a_session_in_a_compartment_is_another_session(
    acme: Caller, doctor: Caller, each_engine: str, drain: Callable[[], None]
) -> None:
    """Lines around a turn, positions and speakers tell nothing across compartments: in the record and the engine."""
    said = [
        acme.turn("first in the open"),
        doctor.turn("zebrafinch under the rose", speaker="Dr Wren", compartments=["doctor"]),
        doctor.turn("quokka in the open"),
        acme.turn("then the heron"),
        doctor.turn("at last the weasel", compartments=["doctor"]),
    ]
    assert [turn["position"] for turn in said] == [0, 0, 1, 2, 1]
    batch = [{"user_id": "u1", "session_id": "s1", "content": f"more {n}", "compartments": ["doctor"] * (n % 2)}
             for n in range(4)]  # fmt: skip
    turns = post(doctor, "turns/batch/", {"turns": batch})["turns"]
    assert [(turn["position"], turn["compartments"]) for turn in turns] == [
        (3, []), (2, ["doctor"]), (4, []), (3, ["doctor"]),
    ]  # fmt: skip
    drain()
    with login("mneme_worker"), open_operator():
        keys = [("episodic", row) for row in Memory.objects.values_list("id", flat=True)]
        rows = rows_with_vectors(keys, model=embedder().model)
        bodies = [body_of(row) for row in rows.values()]
    for row, body in zip(rows.values(), bodies, strict=True):
        for text in (row.context, body["window"], body["turn"]):
            assert not ({"zebrafinch", "weasel", "Wren"} & {*text.replace(":", " ").split()}) or row.compartments
            assert not ({"quokka", "heron"} & {*text.split()}) or not row.compartments
    for caller in (acme, doctor):
        for overlay in (True, False):
            hits = caller.recall("zebrafinch", overlay=overlay, filters={"session_id": "s1"})["results"]
            assert any("zebrafinch" in hit["text"] for hit in hits) is (caller is doctor)
    # Who speaks in a compartment is not asked about by those outside it: the profile of weights would tell.
    weights = [caller.recall("What of Dr Wren?", explain=True)["explain"]["weights"] for caller in (acme, doctor)]
    assert weights[0] != weights[1]


def test_a_retraction_closes_what_rests_on_it_where_the_caller_cannot_see_and_tells_nothing(
    acme: Caller, doctor: Caller
) -> None:
    parent = post(acme, "memories/", FACT)
    other = post(acme, "memories/", {**FACT, "text": "Ada is tired"})
    alone = post(doctor, "memories/", {"user_id": "u1", "text": "Alone", "parent_ids": [parent["id"]],
                                       "compartments": ["doctor"]})  # fmt: skip
    weakened = post(doctor, "memories/", {"user_id": "u1", "text": "Weak", "compartments": ["doctor"],
                                          "parent_ids": [parent["id"], other["id"]]})  # fmt: skip
    further = post(doctor, "memories/", {"user_id": "u1", "text": "Far", "parent_ids": [alone["id"]]})
    one = post(acme, "entities/", {"entity_type": "pill", "name": "blue"})
    relation = post(doctor, "relations/", {"subject_entity_id": one["id"], "predicate": "is",
                                           "object_entity_id": one["id"], "compartments": ["doctor"]})  # fmt: skip
    answer = acme.client.delete(f"{API}memories/{parent['id']}/")
    assert (answer.status_code, answer.content) == (204, b"")
    assert acme.client.delete(f"{API}entities/{one['id']}/").status_code == 204
    states = {row["id"]: get(doctor, f"memories/{row['id']}/")["status"] for row in (alone, weakened, further)}
    assert states == {alone["id"]: "retracted", weakened["id"]: "active", further["id"]: "retracted"}
    assert get(doctor, f"relations/{relation['id']}/")["closed_at"] is not None
    with open_scope(doctor.scope):
        assert Memory.objects.get(id=weakened["id"]).rebuild_due_at is not None
    with open_scope(acme.scope), connection.cursor() as cursor:
        assert Memory.objects.filter(id__in=states).count() == 0  # the wider right ended with the verb
        cursor.execute("SELECT current_setting('app.compartments'), current_setting('app.kinds')")
        assert "*" not in str(cursor.fetchone())


def test_a_key_of_one_kind_retracts_what_rests_on_it_of_other_kinds(acme: Caller) -> None:
    fact = post(acme, "memories/", FACT)
    playbook = post(
        acme, "procedures/", {"user_id": "u1", "trigger": "t", "steps": ["s"], "parent_ids": [fact["id"]]}
    )
    facts = acme.holding(kinds=["semantic"])
    assert facts.client.delete(f"{API}memories/{fact['id']}/").status_code == 204
    assert get(acme, f"memories/{playbook['id']}/")["status"] == "retracted"


def test_a_walk_leaves_out_what_the_kinds_of_a_key_do_not_show(acme: Caller) -> None:
    turn = acme.turn("Ada takes the zebrafinch pill", speaker="Wren")
    fact = post(acme, "memories/", {**FACT, "sources": [{"turn_id": turn["turn_id"]}]})
    assert "zebrafinch" in str(get(acme, f"memories/{fact['id']}/source/"))
    walked = get(acme.holding(kinds=["semantic"]), f"memories/{fact['id']}/source/")
    assert walked["sources"] == []


def test_a_key_without_episodes_records_no_turn(acme: Caller) -> None:
    facts = acme.holding(kinds=["semantic"])
    body = {"user_id": "u1", "session_id": "s", "content": "x"}
    assert "episodic" in post(facts, "turns/", body, status=403)["detail"]


def test_an_erasure_reaches_into_every_compartment(
    acme: Caller, doctor: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    plant(doctor, "k", ["doctor"])
    drain()
    with open_scope(acme.system):
        subject = Subject.objects.get(external_id="u1")
    officer = acme.holding(abilities=["compliance", "memories:read"])
    job = post(officer, f"subjects/{subject.id}/erase/", {}, status=202)
    assert get(doctor, "memories/")["results"] == []
    with login("mneme_worker"):
        engine = search_engine()
        for _ in range(3):
            for job_id in open_jobs():
                erase_step(job_id, engine=engine, now=timezone.now())
            drain()
        assert engine.count_of_subject(acme.key.tenant_id, subject.id) == 0
        with open_operator():
            assert Memory.objects.filter(subject_id=subject.id).count() == 0
    assert get(officer, f"jobs/{job['id']}/")["state"] == "done"


def test_a_repeated_request_is_answered_in_its_compartment(doctor: Caller, acme: Caller) -> None:
    def sent(caller: Caller) -> Any:
        body = {"user_id": "u1", "session_id": "s", "content": "x", "compartments": list(caller.key.compartments)}
        return caller.client.post(f"{API}turns/", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")

    first, again, others = sent(doctor), sent(doctor), sent(acme)
    assert (first.json()["turn_id"], again["Idempotency-Replayed"]) == (again.json()["turn_id"], "true")
    assert others.json()["turn_id"] != first.json()["turn_id"]
    assert "Idempotency-Replayed" not in others


def test_a_scope_inside_another_only_narrows(acme: Caller, doctor: Caller, both: Caller) -> None:
    post(both, "memories/", {**FACT, "compartments": ["family"]})
    with open_scope(both.scope):
        with open_scope(doctor.scope):
            assert Memory.objects.count() == 0
        assert Memory.objects.count() == 1
        with pytest.raises(ScopeDenied), open_scope(acme.holding("insurer").scope):
            pass
    with open_scope(doctor.scope):
        with pytest.raises(ScopeDenied), open_scope(both.scope):
            pass
        with open_unseen(doctor.scope):
            assert Memory.objects.count() == 1
        assert Memory.objects.count() == 0
