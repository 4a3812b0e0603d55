"""`keys/`: keys that issue, rotate and revoke keys.

Here and not in tenants, since revoking reaches the search engine.
"""

from datetime import timedelta
from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backends.errors import BackendError
from memories.forms.idempotency import REPLAYED, idempotency_of
from memories.forms.key_input import KeyInput, RotateInput, wanted
from memories.services.engine import search_engine
from memories.services.issue_once import issue_once, rotate_once
from tenants.forms.documented import IDEMPOTENCY_KEY, documented
from tenants.forms.key import (
    IssuedKeyAnswer,
    KeyAnswer,
    KeysAnswer,
    RevokedKeyAnswer,
    RotatedKeyAnswer,
    rendered_key,
)
from tenants.forms.moments import iso
from tenants.forms.page import PageInput, page
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField
from tenants.scope import Ability
from tenants.services.list_keys import get_key, list_keys
from tenants.services.revoke_key import revoke_key


class Keys(APIView):
    """The keys of the tenant, or of the calling key's user."""

    ability = Ability.KEYS_MANAGE

    class ListInput(PageInput):
        """What the list is limited to."""

        user_id = ExternalIdField(required=False)

    @documented(answer=KeysAnswer, query=ListInput, operation="keys_list")
    def get(self, request: Request) -> Response:
        """Return keys, newest first, without their secrets; `next` is the `before` of the following page.

        Revoked and expired keys are among them, as `revoked_at` and `expires_at` say.
        """
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        asked = form.validated_data
        found = list_keys(
            request_scope(request), user_id=asked.get("user_id"), before=asked.get("before"), limit=asked["limit"]
        )
        return Response(page(found, rendered_key, limit=asked["limit"]))

    @documented(
        answer=IssuedKeyAnswer,
        body=KeyInput,
        status=201,
        example={"name": "Support agent", "template": "customer-service", "expires_in_days": 90},
        headers=(IDEMPOTENCY_KEY,),
        problems=(400, 401, 403, 409, 410, 503),
        operation="keys_issue",
    )
    def post(self, request: Request) -> Response:
        """Issue a key; its secret is in this answer and nowhere else.

        A key gives only what it has itself: abilities, memory types, compartments, quotas; what is hidden from it is
        hidden from the new one. With an Idempotency-Key a repeated request is answered with the same key, and
        `secret` null.
        """
        form = KeyInput(data=request.data)
        form.is_valid(raise_exception=True)
        once = issue_once(
            request_scope(request),
            wanted(form.validated_data),
            idempotency=idempotency_of(request),
            now=timezone.now(),
        )
        answer = {**rendered_key(once.key), "secret": once.secret}
        return Response(answer, status=201, headers={} if once.secret else {REPLAYED: "true"})


class KeyView(APIView):
    """One key."""

    ability = Ability.KEYS_MANAGE

    @documented(answer=KeyAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, key_id: UUID) -> Response:
        """Return the key, without its secret."""
        return Response(rendered_key(get_key(request_scope(request), key_id)))

    @documented(answer=RevokedKeyAnswer, problems=(401, 403, 404, 503))
    def delete(self, request: Request, key_id: UUID) -> Response:
        """Revoke the key: it is refused from now on, and what the search engine minted for it ends.

        It may be the calling key itself. To revoke it again does no harm, and asks the engine again.
        """
        scope, confirmed = request_scope(request), True
        try:
            revoke_key(scope, key_id, engine=search_engine(), now=timezone.now())
        except BackendError:
            confirmed = False
        return Response({**rendered_key(get_key(scope, key_id)), "engine_confirmed": confirmed})


class RotateKey(APIView):
    """A key in place of another."""

    ability = Ability.KEYS_MANAGE

    @documented(
        answer=RotatedKeyAnswer,
        body=RotateInput,
        status=201,
        example={"overlap_s": 86400},
        headers=(IDEMPOTENCY_KEY,),
        problems=(400, 401, 403, 404, 409, 410, 503),
    )
    def post(self, request: Request, key_id: UUID) -> Response:
        """Issue a key with the same rights, and let the old one end after an overlap.

        The secret is in this answer and nowhere else. It may be the calling key itself. A key that is revoked or
        expired is 409.
        """
        form = RotateInput(data=request.data)
        form.is_valid(raise_exception=True)
        once = rotate_once(
            request_scope(request),
            key_id,
            overlap=timedelta(seconds=form.validated_data["overlap_s"]),
            idempotency=idempotency_of(request),
            engine=search_engine(),
            now=timezone.now(),
        )
        answer = {
            **rendered_key(once.key),
            "secret": once.secret,
            "old_key_ends_at": iso(once.old_ends_at),
            "engine_confirmed": once.engine_confirmed,
        }
        return Response(answer, status=201, headers={} if once.secret else {REPLAYED: "true"})
