"""Waiting until a server says that it is ready."""

import time

import httpx

from memory_site.demo.failure import ApiFailed, json_object

PAUSE_S = 0.25


def wait_until_ready(url: str, *, within_s: float) -> None:
    """Return when the server is ready; raise ApiFailed, saying what it waits for, when it takes too long."""
    deadline = time.monotonic() + within_s
    while (fault := _readiness_fault(url)) is not None:
        if time.monotonic() > deadline:
            raise ApiFailed(fault)
        time.sleep(PAUSE_S)


def _readiness_fault(url: str) -> str | None:
    try:
        answer = httpx.get(f"{url.rstrip('/')}/health/ready/", timeout=5.0, trust_env=False)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return f"Nothing answers at {url} ({error or type(error).__name__}): start Mneme with make run."
    if answer.status_code == httpx.codes.OK:
        return None
    checks = json_object(answer).get("checks")
    if not isinstance(checks, dict):
        return f"What answers at {url} is not Mneme: it has no /health/ready/ (status {answer.status_code})."
    failing = "; ".join(f"{name}: {state}" for name, state in checks.items() if state != "ok")
    return f"Mneme at {url} is not ready ({failing or answer.status_code})."
