"""The Idempotency-Key header."""

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from memories.services.idempotency import Idempotency, request_hash
from tenants.ids import external_id_fault

REPLAYED = "Idempotency-Replayed"


def idempotency_of(request: Request) -> Idempotency | None:
    """Return the request's Idempotency-Key with the request's hash, or None without the header.

    Raises ValidationError, when the key is blank, over-long or holds control characters.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    fault = external_id_fault(key)
    if fault is not None:
        raise ValidationError({"Idempotency-Key": f"{fault} (1 to 255 characters)"})
    return Idempotency(key=key, request_hash=request_hash(request.path, request.data))
