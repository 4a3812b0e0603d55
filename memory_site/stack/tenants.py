"""The two tenants of the local stack, and the file that holds their keys."""

import json
from collections.abc import Mapping
from pathlib import Path

import httpx

from memory_site.stack.errors import CommandFailed
from memory_site.stack.files import read_json, write_private
from memory_site.stack.stack import Stack

SLUGS = ("acme", "globex")


def write_local_file(stack: Stack, path: Path) -> None:
    """Write the URL and a working key of each tenant; tenants and keys that are there already are kept."""
    kept = read_json(path).get("tenants", {})
    keys = {slug: _key(stack, slug, kept.get(slug, {}).get("api_key")) for slug in SLUGS}
    found: Mapping[str, object] = {
        "url": stack.url,
        "tenants": {slug: {"api_key": key} for slug, key in keys.items()},
    }
    write_private(path, json.dumps(found, indent=2) + "\n")


def _key(stack: Stack, slug: str, kept: str | None) -> str:
    if kept and _works(stack.url, kept):
        return kept
    try:
        return stack.create_tenant(slug)
    except CommandFailed as refused:
        try:
            return stack.manage("issue_key", slug).split()[-1]  # it exists, but its key is lost
        except CommandFailed:
            raise refused from None


def _works(url: str, key: str) -> bool:
    answer = httpx.get(f"{url}/api/v1/keys/me/", headers={"Authorization": f"Bearer {key}"}, timeout=30)
    return answer.status_code == httpx.codes.OK
