"""Characters that Postgres keeps in no text, wherever the text comes from: a body, a query."""

import re

_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")


def unkeepable_fault(text: str) -> str | None:
    """Return what is wrong with a text that cannot be stored exactly as sent, or None."""
    found = _UNKEEPABLE.search(text)
    if found is None:
        return None
    return f"must not contain {'the NUL character' if found[0] == chr(0) else 'lone surrogates'}"
