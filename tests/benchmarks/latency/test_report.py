from backends.embedders.bundled import BundledEmbedder
from benchmarks.latency.corpus import Mixer, read_corpus
from benchmarks.latency.measure import Phase, asked_back, questions, writes
from benchmarks.latency.report import ratio, table
from benchmarks.latency.sizes import sizes

RECALL = Phase(
    verb="recall",
    clients=1,
    seconds=2.0,
    ms=(10.0, 20.0, 60.0, 80.0),
    steps={"embed": (5.0, 6.0, 7.0, 8.0), "total": (8.0, 18.0, 50.0, 70.0)},
    cpu_ms={"web": 12.5, "beat": 0.01},
)
BARE = Phase(verb="bare engine query", clients=1, seconds=1.0, ms=(2.0, 4.0, 5.0, 8.0))


def test_the_table_has_a_row_a_phase_and_where_the_time_went() -> None:
    lines = table("title", [RECALL, BARE]).splitlines()
    assert "| recall | 1 | 4 | 2.0 | 20.0 | 80.0 | 80.0 |" in lines
    assert "recall, 1 clients, p50/p95 ms: total 18.0/70.0 (100%), embed 6.0/8.0 (33%)" in lines
    assert lines[-1] == "recall, 1 clients, processor ms a request: web 12.5"


def test_the_ratio_is_of_the_same_percentile() -> None:
    assert ratio(RECALL, BARE) == "recall / bare engine query: 5.0 at p50, 10.0 at p95"


def test_only_the_sizes_asked_for_are_filled() -> None:
    assert sizes(tenants=100, memories=0, one_tenant=0, one_subject=0) == []
    found = sizes(tenants=100, memories=20_000, one_tenant=0, one_subject=10_000)
    assert [(size.tenants, size.users, size.memories, size.by_tenant) for size in found] == [
        (100, 4, 20_000, True),
        (1, 1, 10_000, False),
    ]


def test_questions_are_for_what_the_same_user_wrote() -> None:
    written = writes(["one", "two"], count=40)
    said = {(request.key, request.body["user_id"]) for request in written}
    assert {(request.key, request.body["user_id"]) for request in asked_back(written)} <= said
    assert {request.key for request in written} == {"one", "two"}


def test_questions_name_a_user_where_one_is_asked() -> None:
    asked = questions(["one"], ["Which?"], count=30, users=3, by_user=True)
    assert {request.body["user_id"] for request in asked} == {"user-0", "user-1", "user-2"}
    assert "user_id" not in questions(["one"], ["Which?"], count=1, users=3, by_user=False)[0].body


def test_mixed_texts_are_new_and_vectors_have_length_one() -> None:
    mixer = Mixer(["one two three four", "红橙黄绿"], BundledEmbedder(), seed=1)
    assert {mixer.text() for _ in range(20)} >= {"one two three four"}
    assert abs(float((mixer.vector() ** 2).sum()) - 1) < 1e-5
    assert read_corpus(None, seed=1).name == "invented turns"
