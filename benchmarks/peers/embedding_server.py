"""`python -m benchmarks.peers.embedding_server`: the bundled model as others expect one, in OpenAI's shape.

It prints its port and serves until it is ended. Callers of that shape do not say whether a text is a question, so
both sides are embedded alike, with the model's prefix for questions, as its authors advise for such a case.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from backends.embedders.bundled import BundledEmbedder

_model = BundledEmbedder()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer `embeddings`."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        vectors = [[float(x) for x in _model.query(text)] for text in texts]
        data = [{"object": "embedding", "index": place, "embedding": one} for place, one in enumerate(vectors)]
        content = json.dumps(
            {
                "object": "list",
                "data": data,
                "model": asked["model"],
                "usage": {"prompt_tokens": 0, "total_tokens": 0},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
