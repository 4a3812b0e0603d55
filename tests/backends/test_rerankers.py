"""Rerankers against a real server, and a real model in ONNX."""

from collections.abc import Iterator
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from backends.errors import Refused, Rejected, Unavailable
from backends.rerankers.connect import connect
from backends.rerankers.http import HttpReranker, Server, Shape
from tests.reranking_server import KEY, RerankingServer, reranking_server

TEXTS = ["nothing here", "retto and retto", "one retto"]


@pytest.fixture
def server() -> Iterator[RerankingServer]:
    with reranking_server() as running:
        yield running


def of(server: RerankingServer, shape: Shape = Shape.DOCUMENTS, key: str = KEY) -> HttpReranker:
    return HttpReranker(Server(url=server.url, model="m", shape=shape, api_key=key))


@pytest.mark.parametrize("shape", list(Shape))
def test_scores_come_back_in_the_order_of_their_texts(server: RerankingServer, shape: Shape) -> None:
    assert of(server, shape).scores("otter", TEXTS) == [0.0, 2.0, 1.0]
    assert of(server, shape).scores("otter", []) == []
    assert len(server.requests) == 1


def test_each_failure_has_its_error(server: RerankingServer) -> None:
    for status, error in ((500, Unavailable), (429, Unavailable), (400, Rejected), (403, Refused)):
        server.status = status
        with pytest.raises(error):
            of(server).scores("otter", TEXTS)
    server.status = 200
    with pytest.raises(Refused, match="RERANKER_API_KEY"):
        of(server, key="other").scores("otter", TEXTS)
    with pytest.raises(Unavailable):
        HttpReranker(Server(url="http://127.0.0.1:9/v1", model="m")).scores("otter", TEXTS)


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {},
        {"results": []},
        {"results": [{"index": 0, "relevance_score": 1.0}]},
        {"results": [{"index": n % 2, "relevance_score": 1.0} for n in range(3)]},
        {"results": [{"index": n, "relevance_score": None} for n in range(3)]},
        {"results": [{"index": n, "relevance_score": float("nan")} for n in range(3)]},
        {"results": None},
    ],
)
def test_an_answer_that_is_none_is_an_error_and_no_order(server: RerankingServer, wrong: object) -> None:
    server.wrong = wrong
    with pytest.raises(Unavailable):
        of(server).scores("otter", TEXTS)


def test_names_that_are_no_reranker_are_refused(tmp_path: Path) -> None:
    assert connect("none") is None
    for name in ("bundled", str(tmp_path), "https://host/v1"):
        with pytest.raises(ValueError, match="RERANKER"):
            connect(name)


def test_a_model_in_onnx_scores_pairs_of_every_length(tmp_path: Path) -> None:
    """The model adds the token ids that the mask lets through: what is padding counts nothing."""
    vocabulary = {"[UNK]": 1, "otter": 5, "river": 7, "stone": 100}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    masked = helper.make_node("Mul", ["input_ids", "attention_mask"], ["masked"])
    numbers = helper.make_node("Cast", ["masked"], ["numbers"], to=TensorProto.FLOAT)
    axis = helper.make_tensor("axis", TensorProto.INT64, [1], [1])
    total = helper.make_node("ReduceSum", ["numbers", "axis"], ["logits"], keepdims=1)
    sides = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    graph = helper.make_graph([masked, numbers, total], "adds", sides, [out], initializer=[axis])
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10),
        str(tmp_path / "model.onnx"),
    )
    reranker = connect(str(tmp_path))
    assert reranker is not None
    texts = ["stone", *["river"] * 20, "otter river stone stone", ""]
    assert reranker.scores("otter", texts) == [105.0, *[12.0] * 20, 217.0, 5.0]
    (tmp_path / "tokenizer.json").write_text("no tokenizer")
    connect.cache_clear()
    broken = connect(str(tmp_path))
    assert broken is not None
    with pytest.raises(Rejected, match="does not hold"):
        broken.scores("otter", ["stone"])
