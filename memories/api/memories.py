"""`memories/`: list them, and write a fact."""

from functools import partial
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backends.search import names
from memories.forms.answers import MemoriesAnswer, WrittenMemoryAnswer
from memories.forms.filters import FiltersQueryField
from memories.forms.idempotency import REPLAYED, idempotency_of
from memories.forms.memory import rendered
from memories.forms.memory_input import MemoryInput, new_memory
from memories.models.memory import CATEGORY_MAX_LENGTH, SLOT_MAX_LENGTH, Status
from memories.services.learn import learn
from memories.services.list_memories import Wanted, list_memories
from tenants.forms.documented import IDEMPOTENCY_KEY, documented
from tenants.forms.if_match import etag
from tenants.forms.page import PageInput, page
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, TextField
from tenants.scope import Ability


class ListInput(PageInput):
    """What a list is limited to."""

    user_id = ExternalIdField(required=False)
    memory_type = serializers.ChoiceField(choices=names.MEMORY_KINDS, required=False)
    status = serializers.ChoiceField(choices=Status.choices, required=False)
    category = TextField(max_length=CATEGORY_MAX_LENGTH, required=False)
    slot = TextField(max_length=SLOT_MAX_LENGTH, required=False)
    entity_id = serializers.UUIDField(required=False)
    filters = FiltersQueryField(required=False)


class Memories(APIView):
    """Memories of every type."""

    ability = {"GET": Ability.MEMORIES_READ, "POST": Ability.MEMORIES_WRITE}

    @documented(answer=MemoriesAnswer, query=ListInput, operation="memories_list")
    def get(self, request: Request) -> Response:
        """Return memories, newest first; `next` is the `before` of the following page.

        Without `status` those that were superseded, retracted, rejected or archived are left out. With `user_id` the
        list holds those that all users share as well.
        """
        form = ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        scope, wanted = request_scope(request), Wanted(**form.validated_data)
        found = list_memories(scope, wanted)
        return Response(page(found, partial(rendered, scope), limit=wanted.limit))

    @documented(
        answer=WrittenMemoryAnswer,
        body=MemoryInput,
        status=201,
        again=True,
        example={"user_id": "ada", "text": "Ada lives in Edinburgh", "slot": "residence", "category": "home"},
        headers=(IDEMPOTENCY_KEY,),
        problems=(400, 401, 403, 409, 503),
    )
    def post(self, request: Request) -> Response:
        """Write a fact, or put it in the place of another; 200 where the same was known."""
        form = MemoryInput(data=request.data)
        form.is_valid(raise_exception=True)
        values: dict[str, Any] = form.validated_data
        scope = request_scope(request)
        learned = learn(scope, new_memory(values), idempotency=idempotency_of(request), now=timezone.now())
        headers = {**etag(learned.memory.version), **({REPLAYED: "true"} if learned.replayed else {})}
        status = 201 if learned.created else 200
        return Response(
            {**rendered(scope, learned.memory), "created": learned.created}, status=status, headers=headers
        )
