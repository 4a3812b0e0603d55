"""URLs of the memories room."""

from django.urls import path

from memories.api.catalog import Catalog, CatalogDocumentView
from memories.api.entities import Entities, EntityView
from memories.api.erasures import Erase
from memories.api.golden import CheckGolden, GoldenQuestions, GoldenQuestionView
from memories.api.key_templates import KeyTemplates, KeyTemplateView
from memories.api.keys import Keys, KeyView, RotateKey
from memories.api.memories import Memories
from memories.api.memory import MemoryView
from memories.api.memory_verbs import Correct, History, Invalidate, Restore, SourceView
from memories.api.procedures import OutcomeView, Procedures, ProcedureView
from memories.api.profile import ProfileView
from memories.api.recall import Recall
from memories.api.recalls import RecallLogView, ReplayRecall, RunRecall
from memories.api.relations import Relations, RelationView
from memories.api.sync import Sync
from memories.api.turns import Turns
from memories.api.turns_batch import TurnsBatch

urlpatterns = [
    path("turns/", Turns.as_view()),
    path("turns/batch/", TurnsBatch.as_view()),
    path("recall/", Recall.as_view()),
    path("recalls/<uuid:recall_id>/", RecallLogView.as_view()),
    path("recalls/<uuid:recall_id>/replay/", ReplayRecall.as_view()),
    path("recalls/<uuid:recall_id>/run/", RunRecall.as_view()),
    path("golden/", GoldenQuestions.as_view()),
    path("golden/check/", CheckGolden.as_view()),
    path("golden/<uuid:golden_id>/", GoldenQuestionView.as_view()),
    path("memories/", Memories.as_view()),
    path("memories/<uuid:memory_id>/", MemoryView.as_view()),
    path("memories/<uuid:memory_id>/correct/", Correct.as_view()),
    path("memories/<uuid:memory_id>/invalidate/", Invalidate.as_view()),
    path("memories/<uuid:memory_id>/restore/", Restore.as_view()),
    path("memories/<uuid:memory_id>/history/", History.as_view()),
    path("memories/<uuid:memory_id>/source/", SourceView.as_view()),
    path("procedures/", Procedures.as_view()),
    path("procedures/<uuid:memory_id>/", ProcedureView.as_view()),
    path("procedures/<uuid:memory_id>/outcome/", OutcomeView.as_view()),
    path("entities/", Entities.as_view()),
    path("entities/<uuid:entity_id>/", EntityView.as_view()),
    path("relations/", Relations.as_view()),
    path("relations/<uuid:relation_id>/", RelationView.as_view()),
    path("catalog/", Catalog.as_view()),
    path("catalog/<path:document_id>/", CatalogDocumentView.as_view()),
    path("subjects/<str:subject_id>/erase/", Erase.as_view()),
    path("subjects/<str:subject_id>/profile/", ProfileView.as_view()),
    path("keys/", Keys.as_view()),
    path("keys/templates/", KeyTemplates.as_view()),
    path("keys/templates/<slug:name>/", KeyTemplateView.as_view()),
    path("keys/<uuid:key_id>/", KeyView.as_view()),
    path("keys/<uuid:key_id>/rotate/", RotateKey.as_view()),
    path("sync/", Sync.as_view()),
]
