"""The ETag and If-Match headers: a row's version, quoted."""

import regex
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

_ETAG = regex.compile(r'(?:W/)?"(\d{1,18})"')


def etag(version: int) -> dict[str, str]:
    """Return the header that tells a row's version."""
    return {"ETag": f'"{version}"'}


def if_match(request: Request) -> int | None:
    """Return the version a request insists on; None without the header, or for any (`*`).

    Raises ValidationError, when the header is no ETag of ours.
    """
    sent = request.headers.get("If-Match")
    if sent is None or sent.strip() == "*":
        return None
    found = _ETAG.fullmatch(sent.strip())
    if found is None:
        raise ValidationError({"If-Match": 'must be an ETag as this API sends it, like "4711"'})
    return int(found[1])
