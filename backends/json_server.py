"""A model server that is asked in JSON: one connection pool, and errors as backends have them."""

import json
import threading
import time
from collections.abc import Mapping
from typing import Any

import httpx

from backends.errors import Refused, Rejected, Unavailable

CONNECT_TIMEOUT_S = 2.0
ANSWER_MAX_BYTES = 64_000_000
"""Of a batch of vectors, by far the longest of what is asked for."""
_TRY_AGAIN = frozenset({408, 409, 425, 429})


class JsonServer:
    """One server. what: what it is, for error messages; setting: which one holds its key.

    headers: sent with every request.
    answer_max_bytes: of a longer answer no more is read, and it is refused.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str,
        what: str,
        setting: str,
        connect_timeout_s: float = CONNECT_TIMEOUT_S,
        answer_max_bytes: int = ANSWER_MAX_BYTES,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._url = url.rstrip("/") + "/"
        self._headers = {**({"Authorization": f"Bearer {api_key}"} if api_key else {}), **(headers or {})}
        self._what = what
        self._setting = setting
        self._connect_timeout_s = connect_timeout_s
        self._answer_max_bytes = answer_max_bytes
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def post(self, path: str, body: Any, *, timeout_s: float) -> Any:
        """Send a body and return the answer's.

        Raises Unavailable, when the server is away, slow, or answers no JSON; Refused; Rejected.
        """
        until = time.monotonic() + timeout_s
        timeout = httpx.Timeout(timeout_s, connect=self._connect_timeout_s)
        try:
            with self._opened().stream("POST", path, json=body, timeout=timeout) as answer:
                self._check(answer)
                content = self._read(answer, until=until)
        except httpx.HTTPError as error:
            raise Unavailable(f"the {self._what} did not answer ({type(error).__name__})") from error
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise Unavailable(f"the {self._what} answered something that is no JSON") from error

    def _read(self, answer: httpx.Response, *, until: float) -> bytes:
        """Return the body: httpx bounds each read, and neither all of them together nor how much there is."""
        content = bytearray()
        for chunk in answer.iter_bytes():
            content += chunk
            if len(content) > self._answer_max_bytes:
                raise Rejected(f"the {self._what} answered more than anybody asked for")
            if time.monotonic() > until:
                raise Unavailable(f"the {self._what} did not end its answer in time")
        return bytes(content)

    def _check(self, answer: httpx.Response) -> None:
        """Raise for a status that is no success; the body is not repeated, since it may hold the text."""
        if answer.is_success:
            return
        status = answer.status_code
        if status >= httpx.codes.INTERNAL_SERVER_ERROR or status in _TRY_AGAIN:
            raise Unavailable(f"the {self._what} answered {status}")
        if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            raise Refused(f"the {self._what} answered {status}; look {self._setting} up")
        raise Rejected(f"the {self._what} answered {status}")

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                self._client = httpx.Client(base_url=self._url, headers=self._headers)
            return self._client
