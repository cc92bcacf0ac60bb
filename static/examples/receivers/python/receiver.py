"""A webhook receiver in Python's standard library: verify, deduplicate, answer fast, work afterwards.

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
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024


def is_genuine(header: str, body: bytes, now: float) -> bool:
    """Whether `X-Service-Signature: t=…,v1=…[,v1=…]` was made with our secret, at most five minutes ago.

    While a secret is being rotated there are two v1 values; one of them is made with the secret you have.
    """
    fields = [field.partition("=") for field in header.split(",")]
    timestamp = next((value for name, _, value in fields if name == "t"), "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(now - float(timestamp)) > TOLERANCE_SECONDS:
        return False
    # The body as it came in, byte for byte: parsing it and writing it anew would change it.
    signed = timestamp.encode() + b"." + body
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest().encode()
    # compare_digest takes the same time wherever two values differ.
    return any(hmac.compare_digest(expected, value.encode()) for name, _, value in fields if name == "v1")


class Inbox:
    """Events to work on, each once. Yours is a database table with a unique event id: this one forgets at a restart."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._lock = threading.Lock()
        self._events: queue.SimpleQueue[dict] = queue.SimpleQueue()

    def put(self, event: dict) -> None:
        with self._lock:
            if event["id"] in self._seen:  # delivered before: at least once means sometimes twice
                return
            self._seen.add(event["id"])
        self._events.put(event)

    def work(self) -> None:
        while True:
            event = self._events.get()
            try:
                print("processed", event["id"], event["type"], flush=True)  # noqa: T201 - your work goes here
            except Exception:
                # Those after it must be worked on all the same: they were answered, so they do not come again. Nor does
                # this one: let your table say that it is still to be done.
                logging.exception("The work on an event failed")


INBOX = Inbox()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            return self._answer(413)
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers.get("X-Service-Signature", ""), body, time.time()):
            return self._answer(400)
        INBOX.put(json.loads(body))
        return self._answer(204)  # within 10 seconds; the work is done after it, by somebody else

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
