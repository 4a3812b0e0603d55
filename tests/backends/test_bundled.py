"""The bundled embedder: real vectors, in English and Chinese, from every thread and after a fork."""

import subprocess
import sys
import threading

import numpy as np
import pytest

from backends.embedders.bundled import PASSAGE_MAX_TOKENS, QUERY_MAX_TOKENS, BundledEmbedder, _clean, _cut
from backends.embedders.connect import connect
from backends.errors import Rejected

PARAPHRASES = [
    ("Where does Mei live now?", "Mei: I moved to Hangzhou last spring", "Tom: the printer is out of paper again"),
    ("What is my favourite colour?", "User: green is the colour I love most", "User: the meeting is at noon"),
    ("我住在哪个城市？", "用户：我去年搬到了杭州", "用户：打印机又没有纸了"),
    ("How do I like my coffee?", "用户：我喝咖啡不加糖", "用户：会议改到明天下午三点"),
]


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    """Return one embedder for all tests: the model is loaded once."""
    return BundledEmbedder()


@pytest.mark.parametrize(("question", "answer", "distractor"), PARAPHRASES)
def test_a_paraphrase_is_nearer_than_a_distractor(
    embedder: BundledEmbedder, question: str, answer: str, distractor: str
) -> None:
    near, far = embedder.passages([answer, distractor]) @ embedder.query(question)
    assert near > far + 0.01


def test_shapes_and_lengths_are_as_promised(embedder: BundledEmbedder) -> None:
    rows = embedder.passages(["otter", "水獭", "", "  \x00 ", "half a pair \ud83d"])
    assert rows.shape == (5, embedder.dimensions)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert embedder.query("otter").shape == (embedder.dimensions,)
    assert embedder.passages([]).shape == (0, embedder.dimensions)


def test_questions_and_passages_are_told_apart(embedder: BundledEmbedder) -> None:
    assert not np.allclose(embedder.query("otter"), embedder.passages(["otter"])[0], atol=1e-3)


@pytest.mark.parametrize("unit", ["the otter swims ", "水獭在河里游泳", "🦦", "a1f9e3"])
def test_a_long_text_is_cut_at_the_tokens_it_may_cost(embedder: BundledEmbedder, unit: str) -> None:
    model = embedder._loaded()
    for most in (QUERY_MAX_TOKENS, PASSAGE_MAX_TOKENS):
        cut = _cut(model, _clean(unit * 2_000), most)
        assert model.token_count(cut) <= most
        assert model.token_count(cut) > most * 0.8 or len(cut) == 1_000


def test_threads_share_the_model_without_harm(embedder: BundledEmbedder) -> None:
    texts = [f"otter {number} swims in river {number * 7}" for number in range(12)]
    expected = embedder.passages(texts)
    found: list[bool] = []
    threads = [
        threading.Thread(target=lambda: found.append(np.array_equal(embedder.passages(texts), expected)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4


def test_a_child_of_a_process_that_used_it_can_use_it() -> None:
    script = (
        "import os\n"
        "from backends.embedders.bundled import BundledEmbedder\n"
        "embedder = BundledEmbedder()\n"
        "expected = embedder.query('otter')\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os._exit(0 if (embedder.query('otter') == expected).all() else 1)\n"
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=120, check=False).returncode == 0


def test_more_threads_than_one_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    with pytest.raises(Rejected, match="OMP_NUM_THREADS is 2"):
        BundledEmbedder().query("otter")


def test_one_embedder_goes_by_a_name() -> None:
    assert connect("bundled") is connect("bundled")
    with pytest.raises(ValueError, match="nothing"):
        connect("nothing")
