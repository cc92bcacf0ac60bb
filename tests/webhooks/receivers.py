"""Receivers as partners write them, over Python's http.server: four that are right, and one for each usual slip.

Each notes what it saw of its last request, as its owner would log it: headers, the body that it checked, what it computed.
"""

import base64
import hashlib
import hmac
import importlib.util
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import make_dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from django.conf import settings

TOLERANCE = 300
EXAMPLE = Path(settings.BASE_DIR) / "static" / "examples" / "receivers" / "python" / "receiver.py"


class Server(ThreadingHTTPServer):
    """`secret` is what its owner has configured; `seen` and `latest` are its tables; `log` is its last line."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler], secret: str) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.secret = secret
        self.seen: set[str] = set()
        self.latest: dict[str, int] = {}
        self.log: dict[str, Any] = {}
        self.stopping = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hooks"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Quiet."""


class Plain(BaseHTTPRequestHandler):
    """Right: checks X-Service-Signature over the raw bytes, takes each event once, and answers at once."""

    protocol_version = "HTTP/1.1"
    server: Server
    handlers: ClassVar[set[str]] = {"webhook.test", "booking.confirmed", "booking.cancelled"}

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            status = self.receive(raw)
        except Exception:  # as frameworks do
            status = 500
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self, raw: bytes) -> int:
        if not self.is_genuine(raw):
            return 401
        return self.take(json.loads(raw))

    def is_genuine(self, raw: bytes) -> bool:
        parts = [part.partition("=") for part in self.signature().split(",")]
        timestamp = next((value for name, _, value in parts if name == "t"), "")
        values = [value for name, _, value in parts if name == "v1"]
        body = self.body_to_sign(raw)
        expected = self.expected(timestamp, body)
        self.server.log = {"headers": self.logged_headers(), "body": body, "computed": expected}
        return self.is_recent(timestamp) and self.fits(expected, values)

    def logged_headers(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self.headers.items())

    def signature(self) -> str:
        return self.headers["X-Service-Signature"]

    def body_to_sign(self, raw: bytes) -> bytes:
        return raw

    def key(self) -> bytes:
        return self.server.secret.encode()

    def expected(self, timestamp: str, body: bytes) -> str:
        return hmac.new(self.key(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()

    def now(self) -> float:
        return time.time()

    def is_recent(self, timestamp: str) -> bool:
        return abs(self.now() - int(timestamp)) <= TOLERANCE

    def fits(self, expected: str, values: list[str]) -> bool:
        return any(hmac.compare_digest(expected, value) for value in values)

    def take(self, event: dict[str, Any]) -> int:
        if event["id"] in self.server.seen:
            return 200
        self.server.seen.add(event["id"])
        return 200

    def log_message(self, *args: Any) -> None:
        """Quiet."""


# --- right ones ---------------------------------------------------------------------------------------------


class Standard(Plain):
    """Right: checks webhook-signature, as the Standard Webhooks libraries do."""

    def is_genuine(self, raw: bytes) -> bool:
        timestamp, key = (
            self.headers["webhook-timestamp"],
            base64.b64decode(self.server.secret[len("whsec_") :]),
        )
        signed = f"{self.headers['webhook-id']}.{timestamp}.".encode() + raw
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        values = [part[3:] for part in self.headers["webhook-signature"].split(" ") if part.startswith("v1,")]
        return self.is_recent(timestamp) and self.fits(expected, values)


class KeepsTheHighestSequence(Plain):
    """Right: drops what is older than what it has of a booking, and says 202 to all."""

    def take(self, event: dict[str, Any]) -> int:
        booking, sequence = event["data"].get("bookingId"), event.get("sequence", 0)
        if booking and sequence > self.server.latest.get(booking, 0):
            self.server.latest[booking] = sequence
        return 202


# --- slips that an exam finds -------------------------------------------------------------------------------


class ChecksNothing(Plain):
    def is_genuine(self, raw: bytes) -> bool:
        return True


class AllowsAnyAge(Plain):
    def is_recent(self, timestamp: str) -> bool:
        return True


class RefusesDuplicates(Plain):
    def take(self, event: dict[str, Any]) -> int:
        return 409 if event["id"] in self.server.seen else super().take(event)


class WantsTheOrder(Plain):
    """A cancellation of a booking that it has not heard of is an error to it."""

    def take(self, event: dict[str, Any]) -> int:
        if event["type"] == "booking.confirmed":
            self.server.latest[event["data"]["bookingId"]] = 1
        if event["type"] == "booking.cancelled" and event["data"]["bookingId"] not in self.server.latest:
            return 404
        return super().take(event)


class TakesTheFirstValue(Plain):
    def fits(self, expected: str, values: list[str]) -> bool:
        return hmac.compare_digest(expected, values[0])


class KnowsItsTypes(Plain):
    def take(self, event: dict[str, Any]) -> int:
        if event["type"] not in self.handlers:
            raise KeyError(event["type"])
        return super().take(event)


FIELDS = "bookingType bookingReference bookingId externalReference totalCents currency exam"
Confirmed = make_dataclass("Confirmed", FIELDS.split())


class UnpacksTheData(Plain):
    def take(self, event: dict[str, Any]) -> int:
        if event["type"] == "booking.confirmed":
            Confirmed(**event["data"])
        return super().take(event)


class WorksBeforeItAnswers(Plain):
    def take(self, event: dict[str, Any]) -> int:
        self.server.stopping.wait(60)  # longer than anybody waits for it
        return super().take(event)


class RaisesOnForgery(Plain):
    def fits(self, expected: str, values: list[str]) -> bool:
        if not super().fits(expected, values):
            raise ValueError("bad signature")
        return True


# --- slips that the doctor finds: these refuse ordinary deliveries -------------------------------------------


class WritesTheBodyAnew(Plain):
    """As `json.dumps(request.get_json())` does."""

    def body_to_sign(self, raw: bytes) -> bytes:
        return json.dumps(json.loads(raw)).encode()


class ReadsLatin1(Plain):
    def body_to_sign(self, raw: bytes) -> bytes:
        return raw.decode("latin-1").encode()


class SignsTheBodyAlone(Plain):
    def expected(self, timestamp: str, body: bytes) -> str:
        return hmac.new(self.key(), body, hashlib.sha256).hexdigest()


class DecodesTheKey(Plain):
    def key(self) -> bytes:
        return base64.b64decode(self.server.secret.removeprefix("whsec_"))


class ComparesBase64(Plain):
    def expected(self, timestamp: str, body: bytes) -> str:
        return base64.b64encode(bytes.fromhex(super().expected(timestamp, body))).decode()


class ComparesWithTheName(Plain):
    """Forgets to take off the `v1=`."""

    def fits(self, expected: str, values: list[str]) -> bool:
        return any(hmac.compare_digest(expected, f"v1={value}") for value in values)


class CutsTheHeader(Plain):
    """Its proxy keeps 64 characters of a header."""

    def signature(self) -> str:
        return self.headers["X-Service-Signature"][:64]

    def logged_headers(self) -> str:
        return f"X-Service-Signature: {self.signature()}"


class RunsTenMinutesFast(Plain):
    def now(self) -> float:
        return time.time() + 600


class HasAnotherSecret(Plain):
    """Right but for what was configured: see the test."""


class PublishedExample:
    """The receiver that the documentation offers."""


RIGHT: list[type] = [Plain, Standard, KeepsTheHighestSequence, PublishedExample]


def handler_of(kind: type, secret: str) -> type[BaseHTTPRequestHandler]:
    if kind is not PublishedExample:
        return kind
    spec = importlib.util.spec_from_file_location("published_receiver", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(os.environ, {"WEBHOOK_SECRET": secret}):
        spec.loader.exec_module(module)
    handler: type[BaseHTTPRequestHandler] = module.Handler
    return handler


@contextmanager
def running(kind: type, secret: str) -> Iterator[Server]:
    server = Server(handler_of(kind, secret), secret)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()
