"""A person decides on what the rules were not sure of."""

from collections.abc import Callable

from consolidation.services.work import Worked
from tests.conftest import Caller
from tests.consolidation.conftest import Person


def unsure(ada: Person, sleep: Callable[[], Worked]) -> str:
    ada.say("I live in Leeds.")
    ada.say("I think I live in Bradford.")
    sleep()
    (review,) = ada.get("reviews/", state="open")
    assert (review["kind"], review["text"], review["met_text"], review["said"]) == (
        "conflict", "The user lives in Bradford", "The user lives in Leeds", "I think I live in Bradford.",
    )  # fmt: skip
    return str(review["id"])


def decide(caller: Caller, review_id: str, verb: str, **body: str) -> tuple[int, dict[str, object]]:
    answer = caller.client.post(f"/api/v1/reviews/{review_id}/{verb}/", body, format="json")
    return answer.status_code, answer.json()


def test_what_is_accepted_is_believed_and_takes_the_others_place(ada: Person, sleep: Callable[[], Worked]) -> None:
    review_id = unsure(ada, sleep)
    status, review = decide(ada.caller, review_id, "accept")
    assert (status, review["state"]) == (200, "accepted")
    assert ada.texts() == ["The user lives in Bradford"]
    assert ada.texts(status="superseded") == ["The user lives in Leeds"]
    status, problem = decide(ada.caller, review_id, "reject")
    assert (status, problem["type"]) == (409, "/problems/review-closed/")


def test_it_can_be_said_better_when_it_is_accepted(ada: Person, sleep: Callable[[], Worked]) -> None:
    assert decide(ada.caller, unsure(ada, sleep), "accept", text="The user lives in Shipley")[0] == 200
    assert ada.texts() == ["The user lives in Shipley"]


def test_what_is_rejected_is_never_believed(ada: Person, sleep: Callable[[], Worked]) -> None:
    status, review = decide(ada.caller, unsure(ada, sleep), "reject")
    assert (status, review["state"]) == (200, "rejected")
    assert ada.texts() == ["The user lives in Leeds"]
    assert ada.texts(status="pending") == []
    assert ada.get("reviews/", state="open") == []


def test_another_tenant_and_a_key_without_the_ability_have_no_such_review(
    ada: Person, globex: Caller, acme: Caller, sleep: Callable[[], Worked]
) -> None:
    review_id = unsure(ada, sleep)
    stranger = globex.holding(abilities=["review", "memories:write"])
    assert decide(stranger, review_id, "accept")[0] == 404
    assert decide(acme, review_id, "accept")[0] == 403
    assert ada.texts() == ["The user lives in Leeds"]
