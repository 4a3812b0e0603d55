"""URLs of the inspector's pages."""

from django.urls import path

from inspector.views.choose import choose
from inspector.views.live import live

app_name = "inspector"
urlpatterns = [path("", choose, name="choose"), path("<slug:slug>/", live, name="live")]
