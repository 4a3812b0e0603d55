"""Glyphs: what kind and what state a row is, as a coloured sign beside the word, never instead of it."""

from typing import Any

from django.utils.html import format_html

_GLYPHS = {
    "episodic": "●",
    "semantic": "■",
    "procedural": "▲",
    "active": "✓",
    "live": "✓",
    "pending": "◌",
    "superseded": "↷",
    "quarantined": "⚠",
    "rejected": "✕",
    "retracted": "✕",
    "archived": "⌛",
    "revoked": "✕",
    "expired": "⌛",
}


def with_glyph(word: str) -> Any:
    """Return the word with its sign before it; a word without one stays as it is."""
    if word not in _GLYPHS:
        return word
    return format_html(
        '<span class="mneme-glyph mneme-{}" aria-hidden="true">{}</span> {}', word, _GLYPHS[word], word
    )
