"""URLs of the consolidation room."""

from django.urls import path

from consolidation.api.consolidations import Consolidations, Preview
from consolidation.api.decisions import Decisions
from consolidation.api.derived import DerivedOfMemory, DerivedOfTurn, Revert, RevertMemory, RevertTurn, UndoRevert
from consolidation.api.forgetting import Forgetting, ForgettingPreview
from consolidation.api.intents import Intents, UndoIntent
from consolidation.api.merges import Merge, Unmerge
from consolidation.api.reviews import AcceptReview, RejectReview, Reviews

urlpatterns = [
    path("consolidations/", Consolidations.as_view()),
    path("consolidations/preview/", Preview.as_view()),
    path("decisions/", Decisions.as_view()),
    path("forgetting/", Forgetting.as_view()),
    path("forgetting/preview/", ForgettingPreview.as_view()),
    path("entities/<uuid:entity_id>/merge/", Merge.as_view()),
    path("entities/<uuid:entity_id>/unmerge/", Unmerge.as_view()),
    path("turns/<uuid:turn_id>/derived/", DerivedOfTurn.as_view()),
    path("turns/<uuid:turn_id>/derived/revert/", RevertTurn.as_view()),
    path("memories/<uuid:memory_id>/derived/", DerivedOfMemory.as_view()),
    path("memories/<uuid:memory_id>/derived/revert/", RevertMemory.as_view()),
    path("intents/", Intents.as_view()),
    path("intents/<uuid:intent_id>/undo/", UndoIntent.as_view()),
    path("reverts/<uuid:revert_id>/", Revert.as_view()),
    path("reverts/<uuid:revert_id>/undo/", UndoRevert.as_view()),
    path("reviews/", Reviews.as_view()),
    path("reviews/<uuid:review_id>/accept/", AcceptReview.as_view()),
    path("reviews/<uuid:review_id>/reject/", RejectReview.as_view()),
]
