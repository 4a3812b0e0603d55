"""Websocket URLs of the inspector."""

from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from inspector.consumers.events import EventStream


class Nowhere(WebsocketDenier):  # type: ignore[misc] # untyped library
    """Refuses a path that leads nowhere, whether or not the channel layer is there."""

    channel_layer_alias = "none"


websockets = URLRouter([path("ws/events/", EventStream.as_asgi()), re_path("", Nowhere.as_asgi())])
