"""Every shape of model server answers alike, and fails alike."""

import time
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from backends.errors import Refused, Rejected, Unavailable
from backends.llms.anthropic import plain_schema
from backends.llms.base import LLM
from backends.llms.connect import connect
from consolidation.rules.answer import SCHEMA
from tests.model_server import KEY, ModelServer, model_server

SHAPES = ("openai", "anthropic")


def model_at(server: ModelServer, shape: str, key: str = KEY) -> LLM:
    url = server.anthropic_url if shape == "anthropic" else server.url
    model = connect(url, "m1", key)
    assert model is not None
    return model


@pytest.mark.parametrize("shape", SHAPES)
def test_it_answers_with_text_and_tokens(shape: str) -> None:
    with model_server('{"facts": []}') as server:
        model = model_at(server, shape)
        said = model.complete("Be brief.", "What follows?", schema=SCHEMA)
    assert (said.text, said.prompt_tokens, said.completion_tokens) == ('{"facts": []}', 100, 10)
    assert (model.model, model.provider) == ("m1", "127.0.0.1")
    (body,) = server.requests
    assert body["model"] == "m1"
    assert body["messages"][-1] == {"role": "user", "content": "What follows?"}
    assert "Be brief." in (body.get("system"), body["messages"][0]["content"])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("status", "error"), [(429, Unavailable), (503, Unavailable), (529, Unavailable), (403, Refused), (400, Rejected)]
)
def test_a_failure_is_told_for_what_it_is(shape: str, status: int, error: type[Exception]) -> None:
    with model_server(status) as server, pytest.raises(error):
        model_at(server, shape).complete("s", "u", schema=SCHEMA)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_wrong_key_is_refused_and_not_repeated(shape: str) -> None:
    with model_server("{}") as server, pytest.raises(Refused) as refused:
        model_at(server, shape, "wrong-key").complete("s", "u", schema=SCHEMA)
    assert "wrong-key" not in str(refused.value)
    assert "LLM_API_KEY" in str(refused.value)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_server_that_is_away_or_slow_is_unavailable(shape: str) -> None:
    with model_server("{}") as server:
        model = model_at(server, shape)
        server.meanwhile = lambda: time.sleep(1)
        with pytest.raises(Unavailable):
            model.complete("s", "u", schema=SCHEMA, timeout_s=0.2)
    with pytest.raises(Unavailable):
        model.complete("s", "u", schema=SCHEMA)


def counted(shape: str, number: str) -> bytes:
    """Return an answer whose usage says a number, as a server may write it."""
    if shape == "anthropic":
        return f'{{"content": [{{"type": "text", "text": "{{}}"}}], "usage": {{"input_tokens": {number}}}}}'.encode()
    return f'{{"choices": [{{"message": {{"content": "{{}}"}}}}], "usage": {{"prompt_tokens": {number}}}}}'.encode()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("number", "kept"),
    [("1e400", 0), ("NaN", 0), ("-5", 0), ('"x"', 0), ("[1]", 0), ("null", 0), ("9" * 60, 2**31 - 1), ("7", 7)],
)
def test_whatever_a_server_says_of_tokens_can_be_kept(shape: str, number: str, kept: int) -> None:
    with model_server(counted(shape, number)) as server:
        said = model_at(server, shape).complete("s", "u", schema=SCHEMA)
    assert (said.text, said.prompt_tokens) == ("{}", kept)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("body", [b"[" * 100_000, b"\xff", b"", b"9" * 9_000])
def test_what_cannot_be_read_is_unavailable(shape: str, body: bytes) -> None:
    with model_server(body) as server, pytest.raises(Unavailable):
        model_at(server, shape).complete("s", "u", schema=SCHEMA)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_more_is_read_than_was_asked_for(shape: str) -> None:
    with model_server(b" " * 40_000_000) as server:
        server.pause_s = 0.5
        began = time.monotonic()
        with pytest.raises(Rejected):
            model_at(server, shape).complete("s", "u", schema=SCHEMA)
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("shape", SHAPES)
def test_an_answer_that_drips_ends_with_the_time(shape: str) -> None:
    with model_server(counted(shape, "7")) as server:
        server.pause_s = 0.25
        with pytest.raises(Unavailable):
            model_at(server, shape).complete("s", "u", schema=SCHEMA, timeout_s=0.6)


@pytest.mark.parametrize("url", ["anthropic:", "anthropic:api.anthropic.com", "ftp://host"])
def test_what_is_no_url_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(ValueError, match="anthropic:https://"):
        connect(url, "m1")


def test_a_schema_is_sent_without_what_the_messages_api_refuses() -> None:
    limited: dict[str, Any] = {
        "type": "object",
        "required": ["maximum"],
        "properties": {
            "maximum": {"type": "number", "maximum": 1},
            "items": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 9}},
        },
    }
    assert plain_schema(limited) == {
        "type": "object",
        "required": ["maximum"],
        "properties": {"maximum": {"type": "number"}, "items": {"type": "array", "items": {"type": "string"}}},
        "additionalProperties": False,
    }
    Draft202012Validator.check_schema(plain_schema(SCHEMA))
    assert plain_schema(SCHEMA)["properties"].keys() == SCHEMA["properties"].keys()
