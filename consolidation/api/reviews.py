"""`reviews/`: what the rules were not sure of, for a person to decide."""

from uuid import UUID

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from consolidation.forms.answers import ReviewAnswer, ReviewsAnswer
from consolidation.forms.rendered import rendered_review
from consolidation.models.review_item import ReviewState
from consolidation.services.listed import Wanted, list_reviews
from consolidation.services.review import accept_review, reject_review
from memories.models.memory import MEMORY_TEXT_MAX_LENGTH
from tenants.forms.documented import documented
from tenants.forms.page import PageInput, page
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, StrictSerializer, TextField
from tenants.scope import Ability


class Reviews(APIView):
    """The queue."""

    ability = Ability.REVIEW

    class ListInput(PageInput):
        """What the list is limited to."""

        user_id = ExternalIdField(required=False)
        state = serializers.ChoiceField(choices=ReviewState.choices, required=False)

    @documented(answer=ReviewsAnswer, query=ListInput, operation="reviews_list", problems=(400, 401, 403, 404, 503))
    def get(self, request: Request) -> Response:
        """Return reviews, newest first; `next` is the `before` of the following page."""
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        wanted = Wanted(**form.validated_data)
        return Response(page(list_reviews(request_scope(request), wanted), rendered_review, limit=wanted.limit))


class AcceptReview(APIView):
    """Yes."""

    ability = Ability.REVIEW

    class AcceptInput(StrictSerializer):
        """Better words for the memory; left out: as it is."""

        text = TextField(max_length=MEMORY_TEXT_MAX_LENGTH, required=False)

    @documented(answer=ReviewAnswer, body=AcceptInput, problems=(400, 401, 403, 404, 409, 503))
    def post(self, request: Request, review_id: UUID) -> Response:
        """Believe the memory; what it contradicts is superseded by it. The key needs `memories:write` too.

        A memory in quarantine is let out; one that lost evidence stays as it is. Of a merge, the two entities become
        one, which `entities/{id}/unmerge/` takes back.
        """
        form = self.AcceptInput(data=request.data)
        form.is_valid(raise_exception=True)
        item = accept_review(
            request_scope(request), review_id, text=form.validated_data.get("text"), now=timezone.now()
        )
        return Response(rendered_review(item))


class RejectReview(APIView):
    """No."""

    ability = Ability.REVIEW

    @documented(answer=ReviewAnswer, problems=(400, 401, 403, 404, 409, 503))
    def post(self, request: Request, review_id: UUID) -> Response:
        """Never believe the memory. The key needs `memories:write` too.

        It is rejected; one that lost evidence, and is believed already, is retracted. Of a merge, the two stay two,
        and nobody is asked again.
        """
        form = StrictSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        return Response(rendered_review(reject_review(request_scope(request), review_id, now=timezone.now())))
