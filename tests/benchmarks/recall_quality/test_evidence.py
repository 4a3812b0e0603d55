import pytest

from benchmarks.recall_quality.evidence import Evidence, read_evidence

KNOWN = {"D1:5", "D1:18", "D2:5", "D4:4", "D4:6", "D8:6", "D9:1", "D9:17", "D11:26", "D30:5"}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (["D1:5"], Evidence(turns=("D1:5",))),
        (["D2:5", "D1:5"], Evidence(turns=("D2:5", "D1:5"))),
        (["D8:6; D9:17"], Evidence(turns=("D8:6", "D9:17"), repaired=1)),
        (["D1:18, D2:5"], Evidence(turns=("D1:18", "D2:5"), repaired=1)),
        (["D9:1 D4:4 D4:6"], Evidence(turns=("D9:1", "D4:4", "D4:6"), repaired=1)),
        (["D:11:26"], Evidence(turns=("D11:26",), repaired=1)),
        (["D30:05"], Evidence(turns=("D30:5",), repaired=1)),
        (["D1:5", "D1:5"], Evidence(turns=("D1:5",))),
        (["D"], Evidence(turns=(), dropped=1)),
        ([""], Evidence(turns=(), dropped=1)),
        (["D4:36"], Evidence(turns=(), dropped=1)),
        (["D1:5 or D2:5"], Evidence(turns=(), dropped=1)),
        (["D1:5; D4:36"], Evidence(turns=("D1:5",), repaired=1, dropped=1)),
        (["D4:36", "D2:5"], Evidence(turns=("D2:5",), dropped=1)),
        ([], Evidence(turns=())),
    ],
)
def test_evidence_is_read_where_it_can_mean_one_thing_only(entries: list[str], expected: Evidence) -> None:
    assert read_evidence(entries, KNOWN) == expected
