"""What a model cost is on the page of its run."""

from decimal import Decimal

import pytest
from django.conf import settings
from django.urls import reverse

from consolidation.models import Run
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, text_of
from tests.conftest import Caller
from tests.consolidation.test_model import SAID, answer, fact, sleep_with
from tests.model_server import model_server


@pytest.mark.parametrize(("price", "told"), [(Decimal("3"), "0.0004 CNY"), (None, "unknown")])
def test_the_page_of_a_run_tells_its_cost_or_that_nobody_knows(
    acme: Caller, hire: Hire, monkeypatch: pytest.MonkeyPatch, price: Decimal | None, told: str
) -> None:
    monkeypatch.setattr(settings, "LLM_PRICE_PROMPT", price)
    monkeypatch.setattr(settings, "LLM_PRICE_COMPLETION", Decimal("10"))
    monkeypatch.setattr(settings, "LLM_CURRENCY", "CNY")
    acme.turn(SAID)
    with model_server(answer(fact())) as server:
        sleep_with(server)
    with open_scope(acme.system):
        run = Run.objects.get()
    page = text_of(hire("vera", Role.VIEWER, acme).get(reverse("admin:consolidation_run_change", args=[run.id])))
    assert told in page
