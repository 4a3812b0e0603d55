"""Signing what is written down outside the database: Ed25519 over canonical JSON, by AUDIT_KEY. Source: RFC 8032."""

import base64
import binascii
from collections.abc import Collection, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from tenants.chain import canonical


class NoAuditKey(Exception):
    """AUDIT_KEY: set it to 32 bytes of chance as base64: openssl rand -base64 32."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class BadSignature(Exception):
    """What was signed with this key was something else, or the key is another one."""


def audit_key() -> bytes:
    """Return the raw private key of this site: 32 bytes. Raises NoAuditKey, when there is none that can be used."""
    try:
        key = base64.b64decode(settings.AUDIT_KEY, validate=True)
    except binascii.Error as error:
        raise NoAuditKey from error
    if len(key) != 32:
        raise NoAuditKey
    return key


def public_part(key: bytes) -> str:
    """Return the public part of a raw private key, as base64."""
    public = Ed25519PrivateKey.from_private_bytes(key).public_key()
    return base64.b64encode(public.public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def signed(body: Mapping[str, Any], *, key: bytes) -> dict[str, Any]:
    """Return a body with the public key that signed it, and the signature over both."""
    whole = {**body, "key": public_part(key)}
    signature = Ed25519PrivateKey.from_private_bytes(key).sign(canonical(whole))
    return {**whole, "signature": base64.b64encode(signature).decode()}


def check_signed(given: Mapping[str, Any], *, public: Collection[str] = ()) -> dict[str, Any]:
    """Return what was signed, without the signature.

    public: the keys that may have signed, as base64; empty takes the given one's own word for it.
    Raises BadSignature.
    """
    whole = {name: value for name, value in given.items() if name != "signature"}
    if public and whole.get("key") not in public:
        raise BadSignature("was signed with another key")
    try:
        signer = Ed25519PublicKey.from_public_bytes(base64.b64decode(whole["key"]))
        signer.verify(base64.b64decode(given["signature"]), canonical(whole))
    except (InvalidSignature, KeyError, TypeError, ValueError) as error:
        raise BadSignature("is not what was signed") from error
    return whole
