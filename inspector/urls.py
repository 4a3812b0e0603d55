"""URLs of the inspector's pages."""

from django.urls import path

from inspector.views.live import live

app_name = "inspector"
urlpatterns = [path("<slug:slug>/", live, name="live")]
