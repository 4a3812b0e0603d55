"""The admin's static files, served by the ASGI process itself, before Django is asked."""

from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from servestatic import ServeStaticASGI

MAX_AGE_S = 300
"""Names carry no hashes, so a browser asks again after five minutes; unchanged files are a 304."""


def with_static_files(application: Any) -> Any:
    """Return the application with the static files of all packages in front; nothing needs to be collected."""
    served = ServeStaticASGI(application, max_age=MAX_AGE_S, allow_all_origins=False)
    for finder in get_finders():
        for path, storage in finder.list([]):
            served.add_file_to_dictionary(f"{settings.STATIC_URL}{path}", storage.path(path))
    return served
