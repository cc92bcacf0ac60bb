"""The judge's HTTP: `POST /{product}/{method}` for the adapter, `POST /control/{command}` for the test."""

import json
import socket
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from apps.suppliers.errors import SupplierError
from tests.judge.bench import Bench
from tests.judge.faults import Fault
from tests.judge.wire import error_to_json


class Handler(BaseHTTPRequestHandler):
    server: "JudgeServer"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        room, _, method = self.path.strip("/").partition("/")
        if room == "control":
            self._answer(200, {"result": self.server.bench.control(method, body)})
        else:
            self._supply(room, method, body)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the report says what was called."""

    def _supply(self, product: str, method: str, body: dict[str, Any]) -> None:
        fault, blind = self.server.bench.arrive(method, body)
        if fault is not None and fault.kind == "drop":
            self._reset()
            return
        status, answer = self._outcome(product, method, body, fault, blind)
        if fault is not None and fault.kind == "hang":
            time.sleep(fault.seconds)
        if fault is not None and fault.kind in ("hang", "reset"):
            self._reset()
        else:
            self._answer(status, answer)

    def _outcome(
        self, product: str, method: str, body: dict[str, Any], fault: Fault | None, blind: bool
    ) -> tuple[int, dict[str, Any]]:
        try:
            if fault is not None:
                self.server.bench.refuse(fault)
                time.sleep(fault.seconds if fault.kind == "delay" else 0)
            return 200, {"result": None if blind else self.server.bench.perform(product, method, body)}
        except SupplierError as error:
            return 422, {"error": error_to_json(error)}

    def _answer(self, status: int, answer: dict[str, Any]) -> None:
        content = json.dumps(answer).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except ConnectionError:
            pass  # the caller was killed or gave up: its own affair

    def _reset(self) -> None:
        """Break the connection off without an answer (RST rather than FIN)."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True


class JudgeServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.bench = Bench()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that was killed in the middle is what crash tests are about: no traceback for it."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)
