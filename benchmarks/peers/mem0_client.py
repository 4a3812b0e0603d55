"""mem0 as a peer: a virtualenv of its own under var/, its server and the model's as processes."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from memory_site.stack.guardian import CHECKOUT

PACKAGE = "mem0ai==2.2.1"
"""Not among our requirements: it is installed for the measurement alone, beside this project."""
FOLDER = CHECKOUT / "var" / "peers" / "mem0"
QUIET = {"MEM0_TELEMETRY": "False", "OMP_NUM_THREADS": "1", "ANONYMIZED_TELEMETRY": "False"}


class PeerFailed(Exception):
    """A peer could not be installed or started."""


class Mem0:
    """A running mem0, by HTTP."""

    def __init__(self, port: int) -> None:
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120, trust_env=False)

    def add(self, user_id: str, turn: str, text: str) -> None:
        """Store one text."""
        self._http.post("/add", json={"user_id": user_id, "turn": turn, "text": text}).raise_for_status()

    def search(self, user_id: str, query: str, *, top_k: int) -> list[str]:
        """Return the turns recalled, best first."""
        answer = self._http.post("/search", json={"user_id": user_id, "query": query, "top_k": top_k})
        answer.raise_for_status()
        return list(answer.json()["turns"])


@contextmanager
def running_mem0() -> Iterator[Mem0]:
    """Install mem0 if it is missing, and yield it with an empty store. Raises PeerFailed."""
    python = _installed()
    with ExitStack() as open_until_done:
        folder = open_until_done.enter_context(tempfile.TemporaryDirectory(prefix="mneme-mem0-"))
        model = open_until_done.enter_context(
            _serving([sys.executable, "-m", "benchmarks.peers.embedding_server"], folder)
        )
        url = f"http://127.0.0.1:{model}/v1"
        server = str(Path(__file__).with_name("mem0_server.py"))
        yield Mem0(open_until_done.enter_context(_serving([str(python), server, folder, url], folder)))


def _installed() -> Path:
    python = FOLDER / "bin" / "python"
    marker = FOLDER / "installed"
    if not marker.exists() or marker.read_text() != PACKAGE:
        commands = ([sys.executable, "-m", "venv", str(FOLDER)], [str(python), "-m", "pip", "install", "-q", PACKAGE])
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise PeerFailed(f"{PACKAGE} was not installed: {done.stderr.strip()[-500:]}")
        marker.write_text(PACKAGE)
    return python


@contextmanager
def _serving(command: Sequence[str], folder: str) -> Iterator[int]:
    """Run a server and yield the port that it prints. Raises PeerFailed."""
    environment = {**os.environ, **QUIET, "MEM0_DIR": folder}
    with subprocess.Popen(command, cwd=CHECKOUT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = (process.stdout.readline() if process.stdout else "").strip()
            if not line.isdigit():
                raise PeerFailed(f"{' '.join(command[:3])}: printed {line!r} and no port")
            yield int(line)
        finally:
            process.terminate()
