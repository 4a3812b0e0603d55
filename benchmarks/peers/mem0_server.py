"""mem0 behind a small HTTP server of its own; run by the Python of its virtualenv, with nothing of this project.

`mem0_server.py FOLDER EMBEDDER_URL`: keeps everything in the folder, prints its port, serves until it is ended.
`POST /add {user_id, turn, text}` stores a text as it is (infer=False); `POST /search {user_id, query, top_k}`
answers `{turns}`, best first. The vector store is the one that mem0 comes with.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from mem0 import Memory  # type: ignore[import-not-found]

DIMENSIONS = 384


def memory(folder: str, embedder_url: str) -> Any:
    """Return mem0 on a folder and an embedding server; the language model is never called."""
    return Memory.from_config(
        {
            "embedder": {
                "provider": "openai",
                "config": {
                    "model": "bundled", "openai_base_url": embedder_url, "api_key": "none",
                    "embedding_dims": DIMENSIONS,
                },
            },
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "collection_name": "turns", "path": f"{folder}/qdrant", "on_disk": True,
                    "embedding_model_dims": DIMENSIONS,
                },
            },
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": f"{folder}/history.db",
        }
    )  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    held: Any = None

    def do_POST(self) -> None:
        """Answer one call."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer: dict[str, Any] = {}
        if self.path == "/add":
            message = {"role": "user", "content": asked["text"]}
            self.held.add([message], user_id=asked["user_id"], metadata={"turn": asked["turn"]}, infer=False)
        else:
            found = self.held.search(
                asked["query"], filters={"user_id": asked["user_id"]}, top_k=asked["top_k"], threshold=0.0
            )
            answer = {"turns": [one["metadata"]["turn"] for one in found["results"]]}
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


if __name__ == "__main__":
    _Handler.held = memory(*sys.argv[1:3])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
