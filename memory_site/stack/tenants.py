"""The two tenants of the local stack, their admin, and the file that holds keys and password."""

import json
from collections.abc import Mapping
from pathlib import Path

import httpx

from memory_site.stack.errors import CommandFailed
from memory_site.stack.files import read_json, write_private
from memory_site.stack.stack import Stack

SLUGS = ("acme", "globex")
ABILITIES = ("turns:write", "memories:read", "memories:write", "provenance:read", "catalog:write")
"""Of the demo's keys: what agents need, and the catalog to try."""
ADMIN = "admin"
ADMIN_PATH = "/admin/"


def write_local_file(stack: Stack, path: Path) -> None:
    """Write the URL, a working key of each tenant and a working password; what is there and works is kept."""
    before = read_json(path)
    kept = before.get("tenants", {})
    keys = {slug: _key(stack, slug, kept.get(slug, {}).get("api_key")) for slug in SLUGS}
    found: Mapping[str, object] = {
        "url": stack.url,
        "admin": {"url": f"{stack.url}{ADMIN_PATH}", **_admin(stack, before.get("admin", {}))},
        "tenants": {slug: {"api_key": key} for slug, key in keys.items()},
    }
    write_private(path, json.dumps(found, indent=2) + "\n")


def _key(stack: Stack, slug: str, kept: str | None) -> str:
    if kept and _works(stack.url, kept):
        return kept
    able = [argument for ability in ABILITIES for argument in ("--ability", ability)]
    try:
        return stack.create_tenant(slug, *able)
    except CommandFailed as refused:
        try:
            return stack.manage("issue_key", slug, *able).split()[-1]  # it exists, but its key is lost or can less
        except CommandFailed:
            raise refused from None


def _admin(stack: Stack, kept: Mapping[str, str]) -> Mapping[str, str]:
    """Return name and password of a superuser who owns both tenants."""
    password = kept.get("password", "")
    if not password or not _signs_in(stack.url, password):
        tenants = [argument for slug in SLUGS for argument in ("--tenant", slug)]
        password = stack.manage("create_admin", ADMIN, *tenants, "--replace-password").split()[-1]
    return {"username": ADMIN, "password": password}


def _signs_in(url: str, password: str) -> bool:
    with httpx.Client(base_url=url, timeout=30) as browser:
        page = browser.get(f"{ADMIN_PATH}login/").text
        token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        form = {"csrfmiddlewaretoken": token, "username": ADMIN, "password": password}
        return browser.post(f"{ADMIN_PATH}login/", data=form).status_code == httpx.codes.FOUND


def _works(url: str, key: str) -> bool:
    answer = httpx.get(f"{url}/api/v1/keys/me/", headers={"Authorization": f"Bearer {key}"}, timeout=30)
    return answer.status_code == httpx.codes.OK and {*ABILITIES} <= {*answer.json()["abilities"]}
