"""URLs of the tenants room."""

from django.urls import path

from tenants.api.jobs import JobView
from tenants.api.keys_me import KeysMe
from tenants.api.policy import PolicyView
from tenants.api.subjects import Subjects, SubjectView

urlpatterns = [
    path("keys/me/", KeysMe.as_view()),
    path("jobs/<uuid:job_id>/", JobView.as_view()),
    path("policy/", PolicyView.as_view()),
    path("subjects/", Subjects.as_view()),
    path("subjects/<str:subject_id>/", SubjectView.as_view()),
]
