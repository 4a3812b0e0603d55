"""What a model costs is with each run, in money, where the site knows the prices; what is not known is not nought."""

import importlib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from prometheus_client import REGISTRY

from memory_site.settings import price
from tenants.models import Event
from tenants.services.open_scope import open_scope
from tests.consolidation.conftest import Person
from tests.consolidation.test_model import SAID, answer, fact, sleep_with
from tests.model_server import model_server


@pytest.fixture
def prices(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set prices of the tests' own: 100 tokens asked and 10 answered cost 0.0004 CNY."""
    monkeypatch.setattr(settings, "LLM_PRICE_PROMPT", Decimal("3"))
    monkeypatch.setattr(settings, "LLM_PRICE_COMPLETION", Decimal("10"))
    monkeypatch.setattr(settings, "LLM_CURRENCY", "CNY")
    return iter(())


def events(ada: Person, kind: str) -> list[dict[str, Any]]:
    with open_scope(ada.caller.system):
        return [event.data for event in Event.objects.filter(kind=kind).order_by("id")]


def test_a_run_knows_what_it_cost(ada: Person, prices: None) -> None:
    ada.say(SAID)
    before = REGISTRY.get_sample_value("mneme_llm_cost_total", {"currency": "CNY"}) or 0.0
    with model_server("{", answer(fact())) as server:
        sleep_with(server)
    (run,) = ada.get("consolidations/")
    assert (run["prompt_tokens"], run["completion_tokens"]) == (200, 20)
    assert (run["cost"], run["currency"]) == ("0.0008", "CNY")
    (asked,) = events(ada, "model.asked")
    assert (asked["cost"], asked["currency"], asked["calls"]) == ("0.0008", "CNY", 2)
    (done,) = events(ada, "consolidation.done")
    assert (done["cost"], done["currency"]) == ("0.0008", "CNY")
    assert REGISTRY.get_sample_value("mneme_llm_cost_total", {"currency": "CNY"}) == pytest.approx(before + 0.0008)
    assert (REGISTRY.get_sample_value("mneme_llm_tokens_total", {"part": "prompt"}) or 0) >= 200


def test_without_prices_the_cost_is_unknown_and_not_nought(ada: Person) -> None:
    ada.say(SAID)
    with model_server(answer(fact())) as server:
        sleep_with(server)
    (run,) = ada.get("consolidations/")
    assert (run["prompt_tokens"], run["cost"], run["currency"]) == (100, None, "")
    (asked,) = events(ada, "model.asked")
    assert (asked["cost"], asked["currency"]) == (None, "")


def test_one_price_alone_is_none(ada: Person, prices: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LLM_PRICE_COMPLETION", None)
    ada.say(SAID)
    with model_server(answer(fact())) as server:
        sleep_with(server)
    (run,) = ada.get("consolidations/")
    assert run["cost"] is None


def test_a_run_that_learnt_a_price_halfway_does_not_tell_half_of_it(ada: Person, prices: None) -> None:
    """The first pass knew no price, the second one does: what all of it cost is unknown."""
    for number in range(51):
        ada.say(f"I like band {number}.", session_id=f"s{number}")
    with model_server(answer()) as server:

        def forget_the_price() -> None:
            known = Decimal("3") if len(server.requests) > 1 else None
            settings.LLM_PRICE_PROMPT = known

        server.meanwhile = forget_the_price
        sleep_with(server)
        assert len(server.requests) > 1
    (run,) = ada.get("consolidations/")
    assert (run["cost"], run["currency"]) == (None, "")


def test_a_run_of_rules_alone_has_no_cost(ada: Person, prices: None) -> None:
    ada.say(SAID)
    with model_server(500) as server:
        sleep_with(server)
    (run,) = ada.get("consolidations/")
    assert (run["prompt_tokens"], run["cost"]) == (0, None)


@pytest.mark.parametrize("value", ["free", "-1", "NaN", "Infinity", "1e9"])
def test_a_price_that_is_none_names_its_setting(value: str) -> None:
    with pytest.raises(ValueError, match="LLM_PRICE_PROMPT: "):
        price(value, of="LLM_PRICE_PROMPT")


def test_a_price_is_exact_and_an_empty_one_is_unknown() -> None:
    assert price("0.15", of="LLM_PRICE_PROMPT") == Decimal("0.15")
    assert price(" ", of="LLM_PRICE_PROMPT") is None
    assert price("0", of="LLM_PRICE_PROMPT") == 0


@pytest.mark.parametrize("code", ["dollars", "U$", "1"])
def test_a_currency_is_a_code(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_CURRENCY", code)
    with pytest.raises(ValueError, match="LLM_CURRENCY: "):
        importlib.reload(importlib.import_module("memory_site.settings"))
