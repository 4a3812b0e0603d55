"""A model server that is asked in JSON: one connection pool, and errors as backends have them."""

import threading
from collections.abc import Mapping
from typing import Any

import httpx

from backends.errors import Refused, Rejected, Unavailable

CONNECT_TIMEOUT_S = 2.0
_TRY_AGAIN = frozenset({408, 409, 425, 429})


class JsonServer:
    """One server. what: what it is, for error messages; setting: which one holds its key.

    headers: sent with every request.
    answer_max_bytes: a longer answer is refused before it is read; None: any is read.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str,
        what: str,
        setting: str,
        connect_timeout_s: float = CONNECT_TIMEOUT_S,
        answer_max_bytes: int | None = None,
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
        try:
            timeout = httpx.Timeout(timeout_s, connect=self._connect_timeout_s)
            answer = self._opened().post(path, json=body, timeout=timeout)
        except httpx.HTTPError as error:
            raise Unavailable(f"the {self._what} did not answer ({type(error).__name__})") from error
        self._check(answer)
        if self._answer_max_bytes is not None and len(answer.content) > self._answer_max_bytes:
            raise Rejected(f"the {self._what} answered more than anybody asked for")
        try:
            return answer.json()
        except ValueError as error:
            raise Unavailable(f"the {self._what} answered something that is no JSON") from error

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
