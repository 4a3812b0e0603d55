"""`turns/{id}/derived/`, `memories/{id}/derived/`: what came of it, and taking all of it back; `reverts/{id}/`."""

from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from consolidation.forms.derived import DerivedAnswer, ReceiptAnswer, rendered_derived, rendered_receipt
from consolidation.models.receipt import ReceiptKind
from consolidation.services.derived import FindRoot, derived
from consolidation.services.read_receipt import read_receipt
from consolidation.services.revert_later import revert_or_ask
from consolidation.services.root import root_of_memory, root_of_turn
from consolidation.services.told import told_of
from consolidation.services.undo import undo
from tenants.forms.answers import JobAnswer
from tenants.forms.documented import documented
from tenants.forms.job import rendered as rendered_job
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import StrictSerializer
from tenants.models import Job
from tenants.scope import Ability

PROBLEMS = (400, 401, 403, 404, 503)


class DerivedOfTurn(APIView):
    """What came of a turn."""

    ability = Ability.PROVENANCE_READ

    @documented(answer=DerivedAnswer, operation="turns_derived", problems=(401, 403, 404, 503))
    def get(self, request: Request, turn_id: UUID) -> Response:
        """Return every memory that rests on the turn, however far down, nearest first. Needs `memories:read` too."""
        return _derived(request, root_of_turn, turn_id)


class DerivedOfMemory(APIView):
    """What came of a memory."""

    ability = Ability.PROVENANCE_READ

    @documented(answer=DerivedAnswer, operation="memories_derived", problems=(401, 403, 404, 503))
    def get(self, request: Request, memory_id: UUID) -> Response:
        """Return every memory that rests on it, however far down, nearest first; of an episode, on its turn."""
        return _derived(request, root_of_memory, memory_id)


class RevertTurn(APIView):
    """All that came of a turn is taken back."""

    ability = Ability.REVIEW

    @documented(answer=ReceiptAnswer, operation="turns_derived_revert", problems=PROBLEMS, later=JobAnswer)
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Retract what rests on the turn alone, with its episode; the turn stays in the archive.

        What has other evidence is rebuilt from that; what was superseded is believed again; outcomes of playbooks are
        taken back. The key belongs to the tenant and needs `memories:write` too. 202 with a job where it is much.
        """
        return _revert(request, root_of_turn, turn_id)


class RevertMemory(APIView):
    """All that came of a memory is taken back."""

    ability = Ability.REVIEW

    @documented(answer=ReceiptAnswer, operation="memories_derived_revert", problems=PROBLEMS, later=JobAnswer)
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Retract the memory and what rests on it alone, as for a turn."""
        return _revert(request, root_of_memory, memory_id)


class Revert(APIView):
    """The receipt of a revert."""

    ability = Ability.REVIEW

    @documented(answer=ReceiptAnswer, operation="reverts_read", problems=(401, 403, 404, 503))
    def get(self, request: Request, revert_id: UUID) -> Response:
        """Return what a revert did."""
        scope = request_scope(request)
        receipt = read_receipt(scope, ReceiptKind.REVERT, revert_id)
        return Response(rendered_receipt(receipt, told_of(scope, receipt)))


class UndoRevert(APIView):
    """The revert was a mistake."""

    ability = Ability.REVIEW

    @documented(answer=ReceiptAnswer, operation="reverts_undo", problems=(*PROBLEMS, 409))
    def post(self, request: Request, revert_id: UUID) -> Response:
        """Believe again what the revert took back, as copies; what has changed meanwhile stays, told in `left`."""
        StrictSerializer(data=request.data).is_valid(raise_exception=True)
        scope = request_scope(request)
        undone = undo(scope, ReceiptKind.REVERT, revert_id, now=timezone.now())
        return Response(rendered_receipt(undone.receipt, told_of(scope, undone.receipt), undone.left))


def _derived(request: Request, find_root: FindRoot, root_id: UUID) -> Response:
    scope = request_scope(request)
    return Response(rendered_derived(scope, derived(scope, find_root, root_id)))


def _revert(request: Request, find_root: FindRoot, root_id: UUID) -> Response:
    StrictSerializer(data=request.data).is_valid(raise_exception=True)
    scope = request_scope(request)
    made = revert_or_ask(scope, find_root, root_id, now=timezone.now())
    if isinstance(made, Job):
        return Response(rendered_job(made), status=202)
    return Response(rendered_receipt(made, told_of(scope, made)))
