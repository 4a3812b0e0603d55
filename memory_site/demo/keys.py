"""Reading where Mneme answers, and the tenants' keys, from the file that the local stack writes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_site.demo.failure import ApiFailed

SHAPE = '{"url": "<url>", "tenants": {"<tenant>": {"api_key": "<key>"}, …}}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """A keys file's content: url is None where the file does not say it; by_tenant is slug -> key."""

    url: str | None
    by_tenant: Mapping[str, str]


def read_keys(path: Path, tenants: Sequence[str]) -> Keys:
    """Return the file's URL and the keys of the tenants named.

    Raises ApiFailed, when the file or one of the keys is missing.
    """
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ApiFailed(f"The keys file {path} cannot be read ({error.strerror}): make run writes it.") from error
    except ValueError as error:
        raise ApiFailed(f"The keys file {path} is not JSON: {error}.") from error
    listed = held.get("tenants") if isinstance(held, dict) else None
    if not isinstance(listed, dict):
        raise ApiFailed(f"The keys file {path} must look like {SHAPE}.")
    keys = {slug: _key(listed.get(slug)) for slug in tenants}
    missing = [slug for slug, key in keys.items() if not key]
    if missing:
        raise ApiFailed(f"The keys file {path} has no key for {', '.join(missing)}.")
    return Keys(url=held.get("url"), by_tenant=keys)


def _key(entry: Any) -> str:
    found = entry.get("api_key") if isinstance(entry, dict) else None
    return found if isinstance(found, str) else ""
