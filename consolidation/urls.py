"""URLs of the consolidation room."""

from django.urls import path

from consolidation.api.consolidations import Consolidations, Preview
from consolidation.api.decisions import Decisions
from consolidation.api.forgetting import Forgetting, ForgettingPreview
from consolidation.api.reviews import AcceptReview, RejectReview, Reviews

urlpatterns = [
    path("consolidations/", Consolidations.as_view()),
    path("consolidations/preview/", Preview.as_view()),
    path("decisions/", Decisions.as_view()),
    path("forgetting/", Forgetting.as_view()),
    path("forgetting/preview/", ForgettingPreview.as_view()),
    path("reviews/", Reviews.as_view()),
    path("reviews/<uuid:review_id>/accept/", AcceptReview.as_view()),
    path("reviews/<uuid:review_id>/reject/", RejectReview.as_view()),
]
