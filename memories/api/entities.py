"""`entities/`: what memories are about."""

from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.compartments import CompartmentsField
from memories.forms.filters import FiltersQueryField
from memories.forms.memory import rendered
from memories.forms.metadata import MetadataField, TagsField
from memories.forms.world_answers import EntitiesAnswer, EntityAnswer
from memories.models.entity import NAME_MAX_LENGTH, TYPE_MAX_LENGTH
from memories.services.entities import add_entity, change_entity, close_entity, get_entity, list_entities
from tenants.forms.documented import IF_MATCH, documented
from tenants.forms.if_match import etag, if_match
from tenants.forms.page import PageInput, page
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, StrictSerializer, TextField
from tenants.scope import Ability


class EntityChangesInput(StrictSerializer):
    """The fields of an entity."""

    entity_type = TextField(max_length=TYPE_MAX_LENGTH, required=False)
    name = TextField(max_length=NAME_MAX_LENGTH, required=False)
    aliases = TagsField(tag_max_length=NAME_MAX_LENGTH, required=False)
    attributes = MetadataField(required=False)


class EntityInput(EntityChangesInput):
    """A new entity."""

    user_id = ExternalIdField(required=False)
    entity_type = TextField(max_length=TYPE_MAX_LENGTH)
    name = TextField(max_length=NAME_MAX_LENGTH)
    compartments = CompartmentsField()


class Entities(APIView):
    """Entities of a user, or shared by all."""

    ability = {"GET": Ability.MEMORIES_READ, "POST": Ability.MEMORIES_WRITE}

    class ListInput(PageInput):
        """What a list is limited to."""

        user_id = ExternalIdField(required=False)
        entity_type = TextField(max_length=TYPE_MAX_LENGTH, required=False)
        name = TextField(max_length=NAME_MAX_LENGTH, required=False)
        filters = FiltersQueryField(required=False)

    @documented(answer=EntitiesAnswer, query=ListInput, operation="entities_list")
    def get(self, request: Request) -> Response:
        """Return entities, newest first; `next` is the `before` of the following page."""
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        asked: dict[str, Any] = form.validated_data
        scope = request_scope(request)
        found = list_entities(
            scope,
            user_id=asked.get("user_id"),
            entity_type=asked.get("entity_type"),
            name=asked.get("name"),
            filters=asked.get("filters"),
            before=asked.get("before"),
            limit=asked["limit"],
        )
        return Response(page(found, partial(rendered, scope), limit=asked["limit"]))

    @documented(
        answer=EntityAnswer,
        body=EntityInput,
        status=201,
        example={"user_id": "ada", "entity_type": "courier", "name": "顺丰速运", "aliases": ["顺丰", "SF"]},
        problems=(400, 401, 403, 409, 503),
    )
    def post(self, request: Request) -> Response:
        """Write an entity; 409 where the type has one of that name."""
        form = EntityInput(data=request.data)
        form.is_valid(raise_exception=True)
        values: dict[str, Any] = form.validated_data
        scope = request_scope(request)
        entity = add_entity(
            scope,
            user_id=values.get("user_id"),
            entity_type=values["entity_type"],
            name=values["name"],
            aliases=values.get("aliases", ()),
            attributes=values.get("attributes"),
            compartments=values.get("compartments", ()),
            now=timezone.now(),
        )
        return Response(rendered(scope, entity), status=201, headers=etag(entity.version))


class EntityView(APIView):
    """One entity."""

    ability = {
        "GET": Ability.MEMORIES_READ,
        "PATCH": Ability.MEMORIES_WRITE,
        "DELETE": Ability.MEMORIES_WRITE,
    }

    @documented(answer=EntityAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, entity_id: UUID) -> Response:
        """Return the entity with its version as ETag."""
        scope = request_scope(request)
        entity = get_entity(scope, entity_id)
        return Response(rendered(scope, entity), headers=etag(entity.version))

    @documented(
        answer=EntityAnswer,
        body=EntityChangesInput,
        example={"attributes": {"phone": "95338"}},
        headers=(IF_MATCH,),
        problems=(400, 401, 403, 404, 409, 412, 503),
    )
    def patch(self, request: Request, entity_id: UUID) -> Response:
        """Change some of its fields; a list or object replaces the earlier one."""
        form = EntityChangesInput(data=request.data)
        form.is_valid(raise_exception=True)
        if not form.validated_data:
            raise ValidationError("send at least one field to change")
        scope = request_scope(request)
        entity = change_entity(scope, entity_id, form.validated_data, if_match=if_match(request), now=timezone.now())
        return Response(rendered(scope, entity), headers=etag(entity.version))

    @documented(answer=None, status=204, headers=(IF_MATCH,), problems=(400, 401, 403, 404, 409, 412, 503))
    def delete(self, request: Request, entity_id: UUID) -> Response:
        """Close the entity and its relations."""
        close_entity(request_scope(request), entity_id, if_match=if_match(request), now=timezone.now())
        return Response(status=204)
