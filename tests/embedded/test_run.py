import http.server
import json
import shlex
import socket
import threading

import pytest

from config.embedded import run
from config.embedded.run import Readiness


def test_a_port_in_use_is_said_before_anything_starts(monkeypatch, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("PORT", str(port))
        assert run.main() == 1
    assert capsys.readouterr() == (
        "",
        f"error: cannot listen on 127.0.0.1:{port} (Address already in use). "
        "Choose another port: make run PORT=8001\n",
    )


def test_the_curl_line_is_one_complete_flight_search(capsys):
    partner = {"portalEmail": "demo@example.com", "portalPassword": "words", "testKey": "svc_test_x"}
    run._welcome("http://127.0.0.1:8123", partner)
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("curl ")]
    words = shlex.split(line)
    headers = dict(words[i + 1].split(": ") for i, word in enumerate(words) if word == "-H")
    body = json.loads(words[words.index("-d") + 1])
    assert words[1] == "http://127.0.0.1:8123/v1/flights/searches"
    assert headers["Authorization"] == "Bearer svc_test_x"
    assert headers["Content-Type"] == "application/json"
    assert len(headers["Idempotency-Key"]) == 36
    assert (body["origin"], body["destination"]) == ("LHR", "JFK")


def test_the_portal_and_its_log_in_are_told(capsys):
    partner = {"portalEmail": "demo@example.com", "portalPassword": "words", "testKey": "svc_test_x"}
    run._welcome("http://127.0.0.1:8123", partner)
    said = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Docs", "http://127.0.0.1:8123/docs/"] in said
    assert ["Staff", "http://127.0.0.1:8123/admin/"] in [line[:2] for line in said]
    assert ["Portal", "http://127.0.0.1:8123/portal/"] in said
    assert ["Log", "in", "demo@example.com", "words"] in said


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Probe)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


class Probe(http.server.BaseHTTPRequestHandler):
    statuses = [503, 503, 200]

    def do_GET(self) -> None:
        self.send_response(self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0])
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        pass


def test_readiness_is_announced_once_and_not_before_the_probe_is_content(server):
    announced: list[int] = []
    readiness = Readiness(
        f"http://127.0.0.1:{server.server_port}/", lambda: announced.append(len(Probe.statuses))
    )
    readiness.tick()
    assert readiness.answered.wait(30)
    readiness.tick()
    readiness.tick()
    assert announced == [1]
