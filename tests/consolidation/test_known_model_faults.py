"""Faults that extraction by a model is known for: its prompt's words as facts, inventions, chatter around its JSON."""

import json
import re
from pathlib import Path

import pytest

from tests.consolidation.conftest import Person
from tests.consolidation.test_model import answer, fact, sleep_with
from tests.model_server import model_server

PROMPTS = Path(__file__).parents[2] / "consolidation" / "prompts"
GOOD = answer(fact())
SAID = "My knees are shot after all those marathons. I live in Leeds."
RULES = "The user lives in Leeds"
FOUND = [RULES, "The user has bad knees from running marathons"]
SHAPES = [
    "", " ", "null", "None", "[]", "{}", "0", '""', "true", "NaN", "{", "}", "[", "]", '"', "```", "```json", "```json\n```",
    "```json\n{\n```", "Sure! Here you go:", "<json></json>", "<think>hm</think>", "\x00", "\x00\x01\x02", "\ufeff", "\u2028",
    "facts: []", "{'facts': []}", '{"facts"}', '{"facts": }', '{"facts": null}', '{"facts": "none"}', '{"facts": {}}',
    '{"facts": [null]}', '{"facts": [[]]}', '{"facts": ["I live in Rome"]}', '{"facts": [{}]}', '{"facts": [{"text": 1}]}',
    '{"facts": [{"quote": []}]}', '{"facts": [{"quote": {}, "text": {}}]}', '{"fact": []}', '[{"facts": []}]',
    '{"facts": [' * 50, '{"facts": 1e999}', '{"facts": [1e999, -0]}', "{" * 3000, "[" * 3000, '{"a":' * 900 + "1" + "}" * 900,
    '{"facts": []} {"facts": []}', "\\ud800", '{"facts": ["\\ud800"]}', "- text: The user lives in Rome",
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=range(len(SHAPES)))
def test_whatever_a_model_answers_the_turn_is_read_and_nothing_is_invented(ada: Person, shape: str) -> None:
    ada.say(SAID)
    with model_server(shape) as server:
        sleep_with(server)
    assert ada.texts() == [RULES]
    assert ada.texts(status="pending") == []


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "```json\n{}\n```",
        "```\n{}\n```",
        "Sure! Here is the JSON you asked for:\n{}\nAnything else?",
        "<think>The user said {{}}?</think>\n{}",
        "\ufeff{}",
        "\n\n  {}  \n",
    ],
)
def test_chatter_around_the_answer_costs_no_fact(ada: Person, around: str) -> None:
    ada.say(SAID)
    wrapped = around.replace("{{}}", "<>").replace("{}", GOOD)
    with model_server(wrapped, GOOD) as server:
        sleep_with(server)
    assert ada.texts() == FOUND


def test_what_the_prompts_say_never_becomes_a_fact(ada: Person) -> None:
    """A model that tells the words of its own prompt as facts is believed in none of them."""
    ada.say(SAID)
    prompt = (PROMPTS / "extract-2.txt").read_text(encoding="utf-8")
    pieces = [piece.strip() for piece in re.split(r"[.;:\n]", prompt) if len(piece.split()) > 2]
    assert len(pieces) > 10
    told = [fact(quote=piece, text=f"The user: {piece}", value=piece) for piece in pieces]
    told += [fact(text=f"The user knows that {piece}", value=piece) for piece in pieces]
    with model_server(answer(*told)) as server:
        sleep_with(server)
    assert ada.texts() == [RULES]
    assert ada.texts(status="pending") == []


@pytest.mark.parametrize("said", ["🙂🙂", "...", "ok", "？", "HEARTBEAT", "thanks!!", "。。。"])
def test_a_model_invents_nothing_of_a_turn_that_says_nothing(ada: Person, said: str) -> None:
    ada.say(said)
    invented = [
        fact(
            quote=quote, text="The user is called John Doe and lives in New York", value="John Doe", predicate="name"
        )
        for quote in (said, "John Doe", "")
    ]
    with model_server(answer(*invented)) as server:
        sleep_with(server)
    assert ada.texts() == ada.texts(status="pending") == []


@pytest.mark.parametrize("code", ["{retries}", "{a, b}", "a: [b, c]", "C:\\new\\table", "50% & more"])
def test_a_fact_with_braces_survives_an_answer_in_a_fence(ada: Person, code: str) -> None:
    """The answer names fences too, in a string, where they end nothing."""
    ada.say(f"For builds we always go with {code} here")
    told = fact(
        quote=f"we always go with {code}", text=f"The user always goes with {code}", value=code, predicate="uses"
    )
    noted = {"facts": [told, {**told, "text": "```x``` {", "quote": "```x``` {"}]}
    with model_server(f"```json\n{json.dumps(noted, indent=1)}\n```") as server:
        sleep_with(server)
    assert ada.texts() == [f"The user always goes with {code}"]
