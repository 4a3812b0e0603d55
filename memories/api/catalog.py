"""`catalog/`: the tenant's own documents, searched beside the memories."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.compartments import COMPARTMENTS_MAX, CompartmentsField
from memories.forms.filters import FiltersQueryField
from memories.forms.memory import rendered
from memories.forms.metadata import MetadataField, TagsField
from memories.forms.world_answers import DocumentAnswer, DocumentsAnswer, PutAnswer
from memories.models.catalog_document import CATALOG_TEXT_MAX_LENGTH, TAG_MAX_LENGTH, TITLE_MAX_LENGTH
from memories.services.catalog import NewDocument, get_document, list_documents, put_documents, remove_document
from tenants.forms.documented import documented
from tenants.forms.if_match import etag
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, ItemField, ShortListField, StrictSerializer, TextField
from tenants.ids import external_id_fault
from tenants.scope import Ability
from tenants.services.issue_key import COMPARTMENT_MAX_LENGTH

BULK_MAX = 500
PAGE_MAX = 200


class DocumentInput(StrictSerializer):
    """One document, known by an id of the caller's."""

    id = ExternalIdField()
    title = TextField(max_length=TITLE_MAX_LENGTH, required=False)
    text = TextField(max_length=CATALOG_TEXT_MAX_LENGTH)
    tags = TagsField(tag_max_length=TAG_MAX_LENGTH, required=False)
    metadata = MetadataField(required=False)
    compartments = CompartmentsField()


class Catalog(APIView):
    """The catalog as a whole."""

    ability = {"GET": Ability.MEMORIES_READ, "POST": Ability.CATALOG_WRITE}

    class ListInput(StrictSerializer):
        """Which page of the list."""

        filters = FiltersQueryField(required=False)
        after = ExternalIdField(required=False)
        limit = serializers.IntegerField(min_value=1, max_value=PAGE_MAX, default=50)

    class CatalogInput(StrictSerializer):
        """Documents to make or replace."""

        documents = ShortListField(child=ItemField(of=DocumentInput), min_length=1, max_length=BULK_MAX)

    @documented(answer=DocumentsAnswer, query=ListInput, operation="catalog_list")
    def get(self, request: Request) -> Response:
        """Return documents in the order of their ids; `next` is the `after` of the following page."""
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        asked: dict[str, Any] = form.validated_data
        scope, limit = request_scope(request), asked["limit"]
        found = list_documents(scope, filters=asked.get("filters"), after=asked.get("after"), limit=limit)
        following = found[-1].external_id if len(found) >= limit else None
        return Response({"results": [rendered(scope, row) for row in found], "next": following})

    @documented(
        answer=PutAnswer,
        body=CatalogInput,
        example={"documents": [{"id": "kb/7", "title": "Zigbee hub", "text": "Channel 25 is the quietest."}]},
        problems=(400, 401, 403, 429, 503),
    )
    def post(self, request: Request) -> Response:
        """Make or replace documents by their ids, all or none."""
        form = self.CatalogInput(data=request.data)
        form.is_valid(raise_exception=True)
        faults: dict[str, Any] = {}
        documents: list[NewDocument] = []
        for index, sent in enumerate(form.validated_data["documents"]):
            item = DocumentInput(data=sent)
            if item.is_valid():
                documents.append(_new_document(item.validated_data))
            else:
                faults[f"documents.{index}"] = item.errors
        if faults:
            raise ValidationError(faults)
        put = put_documents(request_scope(request), documents, now=timezone.now())
        return Response({"created": put.created, "updated": put.updated, "unchanged": put.unchanged})


class WhichInput(StrictSerializer):
    """Which of the documents that have one id."""

    compartments = TextField(
        max_length=COMPARTMENTS_MAX * (COMPARTMENT_MAX_LENGTH + 1),
        blank=True,
        required=False,
        help_text="Its compartments, separated by commas; empty = none. Only needed where several have the id.",
    )


class CatalogDocumentView(APIView):
    """One document of the catalog."""

    ability = {"GET": Ability.MEMORIES_READ, "DELETE": Ability.CATALOG_WRITE}

    @documented(answer=DocumentAnswer, query=WhichInput, problems=(400, 401, 403, 404, 503))
    def get(self, request: Request, document_id: str) -> Response:
        """Return the document."""
        scope = request_scope(request)
        row = get_document(scope, _checked(document_id), compartments=_named(request))
        return Response(rendered(scope, row), headers=etag(row.version))

    @documented(answer=None, status=204, query=WhichInput, problems=(400, 401, 403, 404, 503))
    def delete(self, request: Request, document_id: str) -> Response:
        """Remove the document."""
        named = _named(request)
        remove_document(request_scope(request), _checked(document_id), compartments=named, now=timezone.now())
        return Response(status=204)


def _checked(document_id: str) -> str:
    fault = external_id_fault(document_id)
    if fault is not None:
        raise ValidationError({"document_id": f"{fault} (1 to 255 characters)"})
    return document_id


def _named(request: Request) -> list[str] | None:
    """Return the compartments that the query names; None where it names none."""
    form = WhichInput(data=request.query_params.dict())
    form.is_valid(raise_exception=True)
    named: str | None = form.validated_data.get("compartments")
    return None if named is None else [word for word in named.split(",") if word]


def _new_document(values: dict[str, Any]) -> NewDocument:
    return NewDocument(
        external_id=values["id"],
        title=values.get("title", ""),
        text=values["text"],
        tags=tuple(values.get("tags", ())),
        metadata=values.get("metadata", {}),
        compartments=tuple(values.get("compartments", ())),
    )
