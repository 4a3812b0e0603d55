"""Requests made from the OpenAPI document, valid and not: no operation fails, and every answer is as documented."""

from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import HealthCheck, settings

from tests.conftest import make_caller

schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", app=WSGIHandler())
schemathesis.checks.load_all_checks()
UNFIT = schemathesis.checks.CHECKS.get_by_names(["positive_data_acceptance", "negative_data_rejection"])
"""The document does not say all that makes a value wrong (a blank text, a foreign id)."""


@pytest.fixture
def secret(record: None) -> str:
    """Return a key."""
    return make_caller("acme").secret


@schema.parametrize()
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_an_operation(case: Any, secret: str) -> None:
    case.call_and_validate(headers={"Authorization": f"Bearer {secret}"}, excluded_checks=UNFIT)
