"""`relations/`: how entities stand to one another."""

from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.compartments import CompartmentsField
from memories.forms.filters import FiltersQueryField
from memories.forms.memory import rendered
from memories.forms.world_answers import RelationAnswer, RelationsAnswer
from memories.models.relation import PREDICATE_MAX_LENGTH
from memories.services.relations import add_relation, close_relation, get_relation, list_relations
from tenants.forms.documented import IF_MATCH, documented
from tenants.forms.if_match import etag, if_match
from tenants.forms.page import PageInput, page
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, MomentField, StrictSerializer, TextField
from tenants.scope import Ability

WEIGHT_MAX = 1_000.0


class RelationInput(StrictSerializer):
    """A new relation between two entities."""

    user_id = ExternalIdField(required=False)
    subject_entity_id = serializers.UUIDField()
    predicate = TextField(max_length=PREDICATE_MAX_LENGTH)
    object_entity_id = serializers.UUIDField()
    weight = serializers.FloatField(min_value=0.001, max_value=WEIGHT_MAX, default=1.0)
    valid_from = MomentField(required=False)
    valid_to = MomentField(required=False)
    compartments = CompartmentsField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a period that ends before it begins."""
        if "valid_to" in attrs and attrs["valid_to"] < attrs.get("valid_from", timezone.now()):
            raise ValidationError({"valid_to": "must not lie before valid_from (left out: now)"})
        return attrs


class Relations(APIView):
    """Relations of a user, or shared by all."""

    ability = {"GET": Ability.MEMORIES_READ, "POST": Ability.MEMORIES_WRITE}

    class ListInput(PageInput):
        """What a list is limited to."""

        user_id = ExternalIdField(required=False)
        entity_id = serializers.UUIDField(required=False)
        predicate = TextField(max_length=PREDICATE_MAX_LENGTH, required=False)
        filters = FiltersQueryField(required=False)

    @documented(answer=RelationsAnswer, query=ListInput, operation="relations_list")
    def get(self, request: Request) -> Response:
        """Return relations, newest first; `next` is the `before` of the following page."""
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        asked: dict[str, Any] = form.validated_data
        scope = request_scope(request)
        found = list_relations(
            scope,
            user_id=asked.get("user_id"),
            entity_id=asked.get("entity_id"),
            predicate=asked.get("predicate"),
            filters=asked.get("filters"),
            before=asked.get("before"),
            limit=asked["limit"],
        )
        return Response(page(found, partial(rendered, scope), limit=asked["limit"]))

    @documented(
        answer=RelationAnswer,
        body=RelationInput,
        status=201,
        again=True,
        example={
            "user_id": "ada",
            "subject_entity_id": "ENTITY",
            "predicate": "delivers to",
            "object_entity_id": "ENTITY",
        },
        problems=(400, 401, 403, 409, 503),
    )
    def post(self, request: Request) -> Response:
        """Write a relation; 200 where it was there, with the weight added."""
        form = RelationInput(data=request.data)
        form.is_valid(raise_exception=True)
        values: dict[str, Any] = form.validated_data
        scope = request_scope(request)
        relation, made = add_relation(
            scope, **{"user_id": None, "valid_from": None, "valid_to": None, **values}, now=timezone.now()
        )
        status = 201 if made else 200
        return Response(rendered(scope, relation), status=status, headers=etag(relation.version))


class RelationView(APIView):
    """One relation."""

    ability = {"GET": Ability.MEMORIES_READ, "DELETE": Ability.MEMORIES_WRITE}

    @documented(answer=RelationAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, relation_id: UUID) -> Response:
        """Return the relation with its version as ETag."""
        scope = request_scope(request)
        relation = get_relation(scope, relation_id)
        return Response(rendered(scope, relation), headers=etag(relation.version))

    @documented(answer=None, status=204, headers=(IF_MATCH,), problems=(400, 401, 403, 404, 409, 412, 503))
    def delete(self, request: Request, relation_id: UUID) -> Response:
        """Close the relation."""
        close_relation(request_scope(request), relation_id, if_match=if_match(request), now=timezone.now())
        return Response(status=204)
