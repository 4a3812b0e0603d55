"""Lists, page by page, newest first."""

from collections.abc import Callable, Sequence
from typing import Any

from rest_framework import serializers

from tenants.forms.strict import StrictSerializer

PAGE_MAX = 200


class PageInput(StrictSerializer):
    """Which page. before: the `next` of the page before. limit: how many rows at most."""

    before = serializers.UUIDField(required=False)
    limit = serializers.IntegerField(min_value=1, max_value=PAGE_MAX, default=50)


def page(rows: Sequence[Any], render: Callable[[Any], dict[str, Any]], *, limit: int) -> dict[str, Any]:
    """Return a page of rows as JSON; `next` is the `before` of the following one, null where there can be none."""
    following = str(rows[-1].id) if len(rows) == limit else None
    return {"results": [render(row) for row in rows], "next": following}
