"""URLs of the consolidation room."""

from django.urls import path

from consolidation.api.consolidations import Consolidations, Preview
from consolidation.api.decisions import Decisions

urlpatterns = [
    path("consolidations/", Consolidations.as_view()),
    path("consolidations/preview/", Preview.as_view()),
    path("decisions/", Decisions.as_view()),
]
