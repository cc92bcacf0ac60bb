"""A webhook receiver in Python's standard library: verify, deduplicate, respond at once, process afterwards.

    WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py

Either signature is enough. This one checks `X-Service-Signature`; a Standard Webhooks library checks the other
one, `webhook-signature`, with the same secret.
"""

import hashlib
import hmac
import json
import logging
import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
MAX_BODY_BYTES = 1024 * 1024


def is_genuine(header: str, body: bytes, secret: str, now: float) -> bool:
    """Whether `X-Service-Signature: t=…,v1=…[,v1=…]` was made with our secret, at most five minutes ago."""
    fields = [field.partition("=") for field in header.split(",")]
    timestamp = next((value for name, _, value in fields if name == "t"), "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(now - float(timestamp)) > 300:
        return False
    # The bytes as received: parsed and serialized again, they would differ.
    signed = timestamp.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    # While a secret is rotated there are two v1 values. compare_digest takes the same time wherever two values differ.
    return any(hmac.compare_digest(expected, value.encode()) for name, _, value in fields if name == "v1")


class Inbox:
    """Events to process, each once. Use a database table with a unique event id: this one is lost at a restart."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._lock = threading.Lock()
        self._events: queue.SimpleQueue[dict] = queue.SimpleQueue()

    def put(self, event: dict) -> None:
        with self._lock:
            if event["id"] in self._seen:  # delivered before: an event can arrive twice
                return
            self._seen.add(event["id"])
        self._events.put(event)

    def work(self) -> None:
        while True:
            event = self._events.get()
            try:
                print("processed", event["id"], event["type"], flush=True)  # noqa: T201 - your work goes here
            except Exception:
                # Continue with the next one. None of them is sent again, because you responded with 2xx: record in your
                # table which events still have to be processed.
                logging.exception("Processing an event failed")


INBOX = Inbox()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            return self._answer(413)
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers.get("X-Service-Signature", ""), body, SECRET, time.time()):
            return self._answer(400)
        INBOX.put(json.loads(body))
        return self._answer(204)  # within 10 seconds; a thread processes the event afterwards

    def _answer(self, status: int) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet."""


if __name__ == "__main__":
    threading.Thread(target=INBOX.work, daemon=True).start()
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Handler).serve_forever()
