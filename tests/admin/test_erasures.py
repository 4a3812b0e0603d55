"""Erasing a person in the admin: by who answers for it, with the user_id typed, and gone at once."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.urls import reverse

from tenants.models import Job, Subject
from tenants.models.job import State
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, Staff, events, text_of
from tests.conftest import Caller
from tests.memories.test_erase import finish


def person_of(caller: Caller, user_id: str) -> UUID:
    with open_scope(caller.system):
        return Subject.objects.get(external_id=user_id).id


def page_of(subject_id: UUID) -> str:
    return reverse("admin:tenants_subject_erase", args=[subject_id])


@pytest.fixture
def carla(acme: Caller, hire: Hire) -> Staff:
    """Return who answers for compliance at acme."""
    return hire("carla", Role.COMPLIANCE, acme)


def test_a_person_is_erased_by_who_answers_for_it(acme: Caller, carla: Staff, drain: Callable[[], None]) -> None:
    for user_id in ("u1", "u2"):
        acme.turn("the otter is called Bramble", user_id=user_id)
    drain()
    person = person_of(acme, "u1")
    own = reverse("admin:tenants_subject_change", args=[person])
    assert "../erase/" in text_of(carla.get(own))
    asked = text_of(carla.get(page_of(person)))
    assert "“u1” goes, what is in compartments too: sessions 1, turns 1, memories 1" in asked
    answer = carla.send(page_of(person), user_id="u1")
    assert answer.status_code == 302
    listed = text_of(carla.get(answer["Location"]))
    assert "Nobody sees anything of the person any more" in listed
    assert carla.get(page_of(person)).status_code == 404
    assert not acme.recall("otter", user_id="u1")["results"]
    with open_scope(acme.system):
        job = Job.objects.get(kind="subject.erase")
    assert finish(drain, str(job.id)).state == State.DONE
    (begun,) = events(acme, kind="subject.erasure_begun")
    assert (begun.actor, begun.data) == ("user", {"staff_id": carla.id})
    assert events(acme, kind="subject.erased")
    assert acme.recall("otter", user_id="u2")["results"]


@pytest.mark.parametrize("typed", ["", "u2", "U1", " u1", "u1 "])
def test_nothing_is_erased_until_the_user_id_is_typed(acme: Caller, carla: Staff, typed: str) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    person = person_of(acme, "u1")
    assert carla.send(page_of(person), user_id=typed).status_code == 422
    assert person_of(acme, "u1") == person
    assert not events(acme, kind="subject.erasure_begun")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OPERATOR])
def test_no_other_role_erases_or_is_offered_to(acme: Caller, hire: Hire, role: Role) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    person, staff = person_of(acme, "u1"), hire("sam", role, acme)
    assert "../erase/" not in text_of(staff.get(reverse("admin:tenants_subject_change", args=[person])))
    answers: list[Any] = [staff.get(page_of(person)), staff.post(page_of(person), user_id="u1", form_id="x")]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert person_of(acme, "u1") == person


def test_another_tenants_person_is_not_there(acme: Caller, globex: Caller, carla: Staff) -> None:
    globex.turn("the otter is called Bramble", user_id="u1")
    acme.turn("the heron is called Quill", user_id="u1")
    foreign = person_of(globex, "u1")
    assert carla.get(page_of(foreign)).status_code == 404
    form_id = carla.form_id(page_of(person_of(acme, "u1")))
    assert carla.post(page_of(foreign), user_id="u1", form_id=form_id).status_code == 404
    assert person_of(globex, "u1") == foreign
