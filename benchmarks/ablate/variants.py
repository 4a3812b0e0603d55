"""The variants: names, and what each changes in a tenant's policy."""

from collections.abc import Mapping, Sequence

Value = float | bool | str
Variant = Mapping[str, Value]

PROFILES = ("general", "assistant")
WEIGHTS = ("window", "dense", "late", "own", "graph", "session", "rare")
SHARES = ("period", "kind", "age", "use", "confidence", "authority", "importance", "outcomes", "rewrite_weight")
ALWAYS: Variant = {"recall.cache_s": 0}
"""Answers that are kept would be those of the variant before."""


def variants() -> dict[str, Variant]:
    """Return every variant by name, the whole first."""
    found: dict[str, Variant] = {"whole": {}}
    for weight in WEIGHTS:
        changed = {f"recall.{profile}.{weight}": 0.0 for profile in PROFILES}
        if weight == "dense":
            changed |= {f"recall.{profile}.dense_with_late": 0.0 for profile in PROFILES}
        found[f"- {weight}"] = changed
    found |= {f"- {share}": {f"recall.{share}": 0.0} for share in SHARES}
    found["- near_duplicates"] = {"recall.near_duplicates": False}
    found |= {f"profile {profile}": {"recall.profile": profile} for profile in PROFILES}
    return found


def read_weights(written: Sequence[str]) -> Variant:
    """Return what `key=value` says of each key; a key may leave out `recall.`. Raises ValueError for other forms."""
    found: dict[str, Value] = {}
    for pair in written:
        key, equals, value = pair.partition("=")
        if not (key and equals and value):
            raise ValueError(f"--weights {pair}: write key=value, such as general.dense=0")
        found[key if key.startswith("recall.") else f"recall.{key}"] = _value(value)
    return found


def _value(written: str) -> Value:
    if written in {"true", "false"}:
        return written == "true"
    try:
        return float(written)
    except ValueError:
        return written
