"""`procedures/`: playbooks, their revisions and their outcomes."""

from functools import partial
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backends.search import names
from memories.forms.answers import PlaybookAnswer, PlaybooksAnswer
from memories.forms.filters import FiltersQueryField
from memories.forms.idempotency import REPLAYED, idempotency_of
from memories.forms.memory import rendered
from memories.forms.memory_input import new_memory
from memories.forms.procedure import ProcedureInput, RefinementInput, rendered_playbook
from memories.models import Procedure
from memories.services.learn import learn
from memories.services.list_memories import Wanted, list_memories
from memories.services.playbooks import get_playbook, note_outcome, playbook_text, with_playbooks
from memories.services.refine import refine
from tenants.forms.documented import IDEMPOTENCY_KEY, IF_MATCH, documented
from tenants.forms.if_match import etag, if_match
from tenants.forms.page import PageInput, page
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, StrictSerializer
from tenants.scope import Ability


class Procedures(APIView):
    """Playbooks."""

    ability = {"GET": Ability.MEMORIES_READ, "POST": Ability.MEMORIES_WRITE}

    class ListInput(PageInput):
        """What a list is limited to."""

        user_id = ExternalIdField(required=False)
        filters = FiltersQueryField(required=False)

    @documented(answer=PlaybooksAnswer, query=ListInput, operation="procedures_list")
    def get(self, request: Request) -> Response:
        """Return active playbooks, newest first; `next` is the `before` of the following page."""
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        scope = request_scope(request)
        wanted = Wanted(**form.validated_data, memory_type=names.PROCEDURAL)
        found = list_memories(scope, wanted)
        playbooks = with_playbooks(scope, found)
        shown = [memory for memory in found if memory.id in playbooks]  # what was erased in between has none
        answer = page(found, partial(rendered, scope), limit=wanted.limit)
        answer["results"] = [rendered_playbook(scope, memory, playbooks[memory.id]) for memory in shown]
        return Response(answer)

    @documented(
        answer=PlaybookAnswer,
        body=ProcedureInput,
        status=201,
        example={"user_id": "ada", "trigger": "The lamps drop off the hub", "steps": ["Move the hub", "Pair again"]},
        headers=(IDEMPOTENCY_KEY,),
        problems=(400, 401, 403, 409, 503),
    )
    def post(self, request: Request) -> Response:
        """Write a playbook."""
        form = ProcedureInput(data=request.data)
        form.is_valid(raise_exception=True)
        values, scope = dict(form.validated_data), request_scope(request)
        steps = tuple(values.pop("steps"))
        new = new_memory(
            values, memory_type=names.PROCEDURAL, steps=steps, text=playbook_text(values["trigger"], steps)
        )
        learned = learn(scope, new, idempotency=idempotency_of(request), now=timezone.now())
        headers = {**etag(learned.memory.version), **({REPLAYED: "true"} if learned.replayed else {})}
        if learned.playbook is None:
            raise Procedure.DoesNotExist
        answer = rendered_playbook(scope, learned.memory, learned.playbook)
        return Response(answer, status=201, headers=headers)


class ProcedureView(APIView):
    """One playbook, in any state."""

    ability = {"GET": Ability.MEMORIES_READ, "PATCH": Ability.MEMORIES_WRITE}

    @documented(answer=PlaybookAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, memory_id: UUID) -> Response:
        """Return the playbook with its counts."""
        scope = request_scope(request)
        memory, playbook = get_playbook(scope, memory_id)
        return Response(rendered_playbook(scope, memory, playbook), headers=etag(memory.version))

    @documented(
        answer=PlaybookAnswer,
        body=RefinementInput,
        example={"steps": ["Move the hub", "Change the channel", "Pair again"]},
        headers=(IF_MATCH,),
        problems=(400, 401, 403, 404, 409, 412, 503),
    )
    def patch(self, request: Request, memory_id: UUID) -> Response:
        """Write the next revision, which supersedes this one; the answer is the revision, with its own id."""
        form = RefinementInput(data=request.data)
        form.is_valid(raise_exception=True)
        if not form.validated_data:
            raise ValidationError("send trigger, steps or both")
        scope = request_scope(request)
        memory, playbook = refine(
            scope,
            memory_id,
            trigger=form.validated_data.get("trigger"),
            steps=form.validated_data.get("steps"),
            if_match=if_match(request),
            now=timezone.now(),
        )
        return Response(rendered_playbook(scope, memory, playbook), headers=etag(memory.version))


class OutcomeView(APIView):
    """How a playbook turned out."""

    ability = Ability.MEMORIES_WRITE

    class OutcomeInput(StrictSerializer):
        """What the user said of it."""

        outcome = serializers.ChoiceField(choices=["success", "failure"])

    @documented(
        answer=PlaybookAnswer,
        body=OutcomeInput,
        example={"outcome": "success"},
        problems=(400, 401, 403, 404, 409, 412, 503),
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Count the outcome."""
        form = self.OutcomeInput(data=request.data)
        form.is_valid(raise_exception=True)
        scope = request_scope(request)
        success = form.validated_data["outcome"] == "success"
        memory, playbook = note_outcome(scope, memory_id, success=success, now=timezone.now())
        return Response(rendered_playbook(scope, memory, playbook))
