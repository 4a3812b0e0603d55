"""ASGI entry point: API, pages and websocket. It refuses a login that row-level security would not stop."""

import logging
import os
from concurrent.futures import ThreadPoolExecutor

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_site.settings")
django.setup(set_prefix=False)  # as Django's get_asgi_application does

from channels.routing import ProtocolTypeRouter  # noqa: E402

from inspector.routing import websockets  # noqa: E402
from memory_site.body_limit import BodyLimit  # noqa: E402 - needs the settings
from memory_site.no_query import NoQuery  # noqa: E402
from memory_site.one_thread import OneThread  # noqa: E402
from memory_site.start_report import report_meanwhile  # noqa: E402
from memory_site.static_files import with_static_files  # noqa: E402
from tenants.services.walls import refuse_unsafe_login  # noqa: E402

# A server may import this inside its event loop, where Django's database calls are refused: so in a thread.
with ThreadPoolExecutor(max_workers=1) as pool:
    pool.submit(refuse_unsafe_login).result()

report_meanwhile()

# Here and not in the settings: those would take the access log's own handler away.
for name in ("uvicorn.error", "uvicorn.access"):
    logging.getLogger(name).addFilter(NoQuery())

http = BodyLimit(with_static_files(OneThread()))
application = ProtocolTypeRouter({"http": http, "websocket": websockets})

__all__ = ["application"]
