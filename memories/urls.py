"""URLs of the memories room."""

from django.urls import path

from memories.api.recall import Recall
from memories.api.sync import Sync
from memories.api.turns import Turns
from memories.api.turns_batch import TurnsBatch

urlpatterns = [
    path("turns/", Turns.as_view()),
    path("turns/batch/", TurnsBatch.as_view()),
    path("recall/", Recall.as_view()),
    path("sync/", Sync.as_view()),
]
