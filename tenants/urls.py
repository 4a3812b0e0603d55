"""URLs of the tenants room."""

from django.urls import path

from tenants.api.keys_me import KeysMe

urlpatterns = [path("keys/me/", KeysMe.as_view())]
