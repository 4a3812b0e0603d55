"""URLs of the memories room."""

from django.urls import path

from memories.api.memories import Memories
from memories.api.memory import MemoryView
from memories.api.memory_verbs import Correct, History, Invalidate, Restore, SourceView
from memories.api.recall import Recall
from memories.api.sync import Sync
from memories.api.turns import Turns
from memories.api.turns_batch import TurnsBatch

urlpatterns = [
    path("turns/", Turns.as_view()),
    path("turns/batch/", TurnsBatch.as_view()),
    path("recall/", Recall.as_view()),
    path("memories/", Memories.as_view()),
    path("memories/<uuid:memory_id>/", MemoryView.as_view()),
    path("memories/<uuid:memory_id>/correct/", Correct.as_view()),
    path("memories/<uuid:memory_id>/invalidate/", Invalidate.as_view()),
    path("memories/<uuid:memory_id>/restore/", Restore.as_view()),
    path("memories/<uuid:memory_id>/history/", History.as_view()),
    path("memories/<uuid:memory_id>/source/", SourceView.as_view()),
    path("sync/", Sync.as_view()),
]
