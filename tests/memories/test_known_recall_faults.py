"""Faults that recall is known for: letters it cannot find, times it misreads, the same answer to every question.

docs/known-faults.md says which report each one is about.
"""

import os
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.utils.dateparse import parse_datetime

from tests.conftest import Caller

Drain = Callable[[], None]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("我昨天在超市买了乌龙茶和饼干", "乌龙"),
        ("昨日は新宿で寿司を食べました", "寿司"),
        ("어제 부산에서 냉면을 먹었어요", "냉면"),
        ("เมื่อวานฉันกินข้าวมันไก่ที่กรุงเทพ", "ข้าวมัน"),
        ("ມື້ວານຂ້ອຍກິນເຂົ້າໜຽວຢູ່ວຽງຈັນ", "ເຂົ້າໜຽວ"),
        ("ម្សិលមិញខ្ញុំបានញ៉ាំអាម៉ុកនៅភ្នំពេញ", "អាម៉ុក"),
        ("မနေ့က ရန်ကုန်မှာ မုန့်ဟင်းခါးစားခဲ့တယ်", "မုန့်ဟင်းခါး"),
        ("أكلت الكشري في القاهرة أمس", "الكشري"),
        ("Die Donaudampfschifffahrt war schön", "Donaudampfschifffahrt"),
        ("İzmir'de DIŞ kapı ILIK", "ILIK"),
        ("Am Café São João gab es crème brûlée", "brûlée"),
        ("Ключ лежит под ёлкой", "Ключ"),
    ],
)
def test_the_words_of_any_script_are_found(
    each_engine: str, acme: Caller, drain: Drain, text: str, word: str
) -> None:
    acme.turn(text)
    for number, other in enumerate(
        [
            "The hub is blue",
            "我在公园跑步",
            "犬が好きです",
            "산책을 좋아해요",
            "Guten Morgen",
            "ฉันชอบวิ่ง",
            "ຂ້ອຍມັກແລ່ນ",
            "ខ្ញុំចូលចិត្តរត់",
            "ပြေးရတာကြိုက်တယ်",
        ]
    ):
        acme.turn(other, session_id=f"other{number}")
    drain()
    for overlay in (True, False):
        found = acme.recall(word, overlay=overlay, explain=True)
        first = found["results"][0]
        assert first["text"] == text
        if not overlay:
            assert first["explain"]["legs"]["lexical"]["rank"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "👩‍👩‍👧‍👦 family",
        "e\u0301 and é",
        "\u202eright to left",
        "zero\u200bwidth",
        "𝔘nicode 𠮷野家",
        "\U0010ffff end",
    ],
)
def test_odd_characters_come_back_as_they_were(acme: Caller, drain: Drain, text: str) -> None:
    said = acme.turn(text)
    drain()
    (hit,) = acme.recall(text)["results"]
    assert hit["text"] == text
    assert hit["source"]["turn_id"] == said["turn_id"]


@pytest.mark.parametrize("lone", ["\\ud800", "a\\udfffb"])
def test_half_a_character_is_refused_and_breaks_nothing(acme: Caller, lone: str) -> None:
    for path, field in (("turns", "content"), ("recall", "query")):
        session = '"session_id": "s1", ' if path == "turns" else ""
        body = f'{{"user_id": "u1", {session}"{field}": "{lone}"}}'
        answer = acme.client.generic("POST", f"/api/v1/{path}/", body, content_type="application/json")
        assert answer.status_code == 400, answer.content
        assert answer.json()["errors"][0]["field"] == field


def test_two_questions_have_two_answers(each_engine: str, acme: Caller, drain: Drain) -> None:
    kites = [f"The kite number {n} flew over the dunes in the wind" for n in range(6)]
    loans = [f"The bank wants {n} per cent interest for the mortgage" for n in range(6)]
    for number, text in enumerate(kites + loans):
        acme.turn(text, session_id=f"s{number}")
    drain()
    one = {hit["text"] for hit in acme.recall("kites in the wind over the dunes", top_k=5)["results"]}
    other = {hit["text"] for hit in acme.recall("interest of the mortgage", top_k=5)["results"]}
    assert one <= {*kites}
    assert other <= {*loans}
    assert len(one) == len(other) == 5


def test_a_filter_that_few_pass_still_fills_the_answer(each_engine: str, acme: Caller, drain: Drain) -> None:
    turns = [
        {
            "user_id": "u1",
            "session_id": "rare" if number % 100 == 0 else "plenty",
            "content": f"The otter swims in river {number}" if number % 100 else f"River {number}, otter",
        }
        for number in range(500)
    ]
    assert acme.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json").status_code == 201
    drain()
    for overlay in (True, False):
        found = acme.recall("The otter swims", filters={"session_id": "rare"}, top_k=5, overlay=overlay)["results"]
        assert {hit["text"] for hit in found} == {f"River {number}, otter" for number in range(0, 500, 100)}


TAGS = ("a,b", "a|b", "a;b", 'say "a"', "it's", "🦦", "[a]", "{a: b}", "a:b", "-a", "*", "a*", "a b")


def test_a_tag_of_any_signs_is_filtered_by(each_engine: str, acme: Caller, drain: Drain) -> None:
    for tag in TAGS:
        body = {"user_id": "u1", "text": f"The otter of {tag}", "tags": [tag]}
        assert acme.client.post("/api/v1/memories/", body, format="json").status_code == 201
    drain()
    for tag in TAGS:
        for overlay in (True, False):
            found = acme.recall("otter", filters={"tags": tag}, overlay=overlay)["results"]
            assert [hit["text"] for hit in found] == [f"The otter of {tag}"]


@pytest.fixture(params=["Pacific/Kiritimati", "America/Los_Angeles"])
def far_away(request: pytest.FixtureRequest) -> Iterator[str]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def test_the_clock_on_the_servers_wall_changes_no_moment(far_away: str, acme: Caller, drain: Drain) -> None:
    said = acme.turn("The otter swims", occurred_at="2026-03-31T23:30:00-07:00")
    acme.turn("The otter sleeps", occurred_at="2026-04-02T00:30:00+14:00", session_id="s2")
    drain()
    between = {"valid_from": {"gte": "2026-04-01T06:00:00Z", "lt": "2026-04-01T07:00:00Z"}}
    (hit,) = acme.recall("otter", filters=between)["results"]
    assert hit["source"]["turn_id"] == said["turn_id"]
    (row,) = [
        row for row in acme.client.get("/api/v1/memories/").json()["results"] if row["text"] == "The otter swims"
    ]
    valid, recorded = parse_datetime(row["valid_from"]), parse_datetime(row["recorded_at"])
    assert valid is not None
    assert recorded is not None
    assert valid.isoformat() == "2026-04-01T06:30:00+00:00"
    assert recorded.utcoffset() == timedelta(0)
    assert abs(recorded.timestamp() - time.time()) < 60


@pytest.mark.parametrize(
    "moment",
    [
        "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "2026-03-01T10:00:00", "2026-03-01", "yesterday",
        1772359200, "1772359200", 1772359200000, None, [], {"gte": 1},
    ],
)  # fmt: skip
def test_a_moment_that_is_none_switches_no_condition_off(acme: Caller, drain: Drain, moment: object) -> None:
    acme.turn("The otter swims", occurred_at="2026-01-01T00:00:00Z")
    drain()
    for wrong in ({"filters": {"valid_from": {"gte": moment}}}, {"filters": {"valid_from": moment}}):
        asked = {"user_id": "u1", "query": "otter", **wrong}
        answer = acme.client.post("/api/v1/recall/", asked, format="json")
        assert answer.status_code == 400, (wrong, answer.json())
        assert answer.json()["errors"][0]["field"].startswith("filters.valid_from")
    for field in ("as_of", "valid_at"):
        if moment is None:
            continue
        answer = acme.client.post(
            "/api/v1/recall/", {"user_id": "u1", "query": "otter", field: moment}, format="json"
        )
        assert answer.status_code == 400, (field, answer.json())
        assert answer.json()["errors"][0]["field"] == field
    body: dict[str, object] = {"user_id": "u1", "session_id": "s1", "content": "The otter dives"}
    body["occurred_at"] = moment
    answer = acme.client.post("/api/v1/turns/", body, format="json")
    if moment is not None:
        assert answer.status_code == 400, answer.json()
        assert answer.json()["errors"][0]["field"] == "occurred_at"


@pytest.mark.parametrize(
    "query",
    [
        "otters 100,000 years ago", "otters in 44 BC", "otters on 30 February 2026", "otters in the year 0",
        "otters in 9999", "otters at 2:30 on 29 March 2026", "999999999999 weeks ago otters", "一亿年前的 otter",
        "otters on 0000-00-00",
    ],
)  # fmt: skip
def test_a_time_that_cannot_be_is_no_reason_to_answer_nothing(acme: Caller, drain: Drain, query: str) -> None:
    acme.turn("The otters swim")
    drain()
    assert [hit["text"] for hit in acme.recall(query)["results"]] == ["The otters swim"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user merged PR #260", "The user merged PR #480"),
        ("The user plans the search", "The user implemented the search"),
        ("The user may take 5 mg of warfarin", "The user must take 5 mg of warfarin"),
        ("The cable is 5 m long", "The cable is 5 mm long"),
        ("The review is on 3 May", "The review is on 5 May"),
        ("Anna is in", "Anna is not in"),
    ],
)
def test_almost_the_same_is_not_the_same(acme: Caller, drain: Drain, one: str, other: str) -> None:
    for text in (one, other):
        assert (
            acme.client.post("/api/v1/memories/", {"user_id": "u1", "text": text}, format="json").status_code == 201
        )
    drain()
    assert {hit["text"] for hit in acme.recall(one)["results"]} == {one, other}
