"""Requests made from the OpenAPI document, valid and not: no operation fails, and every answer is as documented."""

from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.utils import timezone
from hypothesis import HealthCheck, settings

from tenants.services.issue_key import KEY_ABILITIES, issue_key
from tests.conftest import make_caller

schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", app=WSGIHandler())
schemathesis.checks.load_all_checks()
UNFIT = schemathesis.checks.CHECKS.get_by_names(["positive_data_acceptance", "negative_data_rejection"])
"""The document does not say all that makes a value wrong (a blank text, a foreign id)."""


@pytest.fixture
def secret(record: None) -> str:
    """Return a key that may do all that keys may."""
    acme, abilities = make_caller("acme"), list(KEY_ABILITIES)
    return issue_key(acme.system, name="all", abilities=abilities, now=timezone.now()).secret


@schema.parametrize()
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_an_operation(case: Any, secret: str) -> None:
    case.call_and_validate(headers={"Authorization": f"Bearer {secret}"}, excluded_checks=UNFIT)
