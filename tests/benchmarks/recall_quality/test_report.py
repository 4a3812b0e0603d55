import json
from pathlib import Path

from benchmarks.recall_quality.asking import Asked
from benchmarks.recall_quality.conversations import DataSet, Question
from benchmarks.recall_quality.ingest import Ingested
from benchmarks.recall_quality.locomo import CATEGORIES
from benchmarks.recall_quality.report import Run, last_line, notes, table, write


def asked(index: int, category: str, ranks: tuple[int | None, ...], ms: float, *degraded: str) -> Asked:
    gold = tuple(f"D1:{place}" for place in range(len(ranks)))
    question = Question(index=index, text="A question of the set?", category=category, gold=gold)
    return Asked(
        conversation="conv-1",
        question=question,
        ranks=ranks,
        returned=80,
        degraded=degraded,
        client_ms=ms,
        took_ms={"search": ms - 2, "total": ms - 1},
    )


RUN = Run(
    engine="postgres",
    data=DataSet(
        name="locomo",
        categories=tuple(CATEGORIES.values()),
        conversations=(),
        repaired=1,
        dropped=2,
        unanswerable=3,
        sha256="ab",
    ),
    ingested=Ingested(turn_ids={}, turns=300, replayed=0, recorded_s=2.0, searchable_s=30.0),
    asked=[asked(0, "multi-hop", (1, None), 10.0), asked(1, "single-hop", (6,), 30.0)],
)


def test_the_last_line_holds_the_means() -> None:
    assert last_line(RUN) == (
        "locomo n=2 R@5=0.2500 R@10=0.7500 R@20=0.7500 MRR=0.5833 nDCG@10=0.4847 p50_ms=10.0 p95_ms=30.0"
    )


def test_the_table_has_a_line_for_all_and_one_for_each_category_asked() -> None:
    lines = table(RUN).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["all", "multi-hop", "single-hop"]
    assert lines[2].split() == [
        "multi-hop",
        "1",
        "0.500",
        "0.500",
        "0.500",
        "0.500",
        "1.000",
        "0.613",
        "10.0",
        "10.0",
    ]
    assert len({len(line) for line in lines}) == 1


def test_the_notes_say_what_was_repaired_and_how_fast_turns_were_written() -> None:
    found = notes(RUN)
    assert "1 entries repaired, 2 dropped; 3 questions left out" in found
    assert "300 turns in batches in 2.0 s (150 a second), all searchable after 30.0 s (10.0 a second)" in found
    assert "DEGRADED" not in found


def test_degraded_answers_are_not_kept_quiet() -> None:
    run = Run(
        engine="postgres", data=RUN.data, ingested=RUN.ingested, asked=[asked(0, "multi-hop", (1,), 5.0, "embedder")]
    )
    assert "DEGRADED: 1 answers" in notes(run)


def test_the_file_holds_ranks_but_no_text_of_the_set(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    write(RUN, path)
    text = path.read_text(encoding="utf-8")
    held = json.loads(text)
    assert "A question of the set?" not in text
    assert held["questions"][0]["ranks"] == [1, None]
    assert held["questions"][1]["category"] == "single-hop"
    assert held["all"]["r_at_10"] == 0.75
    assert held["categories"]["temporal"] == {"n": 0}
    assert held["all"]["server_ms"]["search"] == {"p50": 8.0, "p95": 28.0}
    assert held["versions"]["python"]
    assert held["machine"]["cores"] >= 1
