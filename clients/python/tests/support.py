"""A day to travel on, and a receiver of webhooks."""

from __future__ import annotations

import queue
import threading
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATIENCE = 120.0
DAY = date.today() + timedelta(days=60)


class Inbox:
    """A receiver of webhooks: what came, as it came."""

    def __init__(self) -> None:
        self._came: queue.Queue[tuple[bytes, dict[str, str]]] = queue.Queue()
        inbox = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(204)
                self.end_headers()
                inbox._came.put((body, dict(self.headers)))

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/hooks"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def next(self) -> tuple[bytes, dict[str, str]]:
        """The next delivery: body and headers."""
        return self._came.get(timeout=PATIENCE)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
