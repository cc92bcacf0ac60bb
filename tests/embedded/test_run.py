import json
import os
import shlex
import socket
import subprocess
import sys

import pytest

from config import embedded
from tests.embedded.support import BASE_DIR
from tests.support.ports import free_port

PARTNER = {"portalEmail": "demo@example.com", "portalPassword": "words", "testKey": "svc_test_x"}


def test_a_port_in_use_is_reported_before_anything_is_migrated(monkeypatch, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("PORT", str(port))
        monkeypatch.setenv("HOST", "127.0.0.1")
        assert embedded.main() == 1
    assert capsys.readouterr().err == (
        f"error: cannot listen on 127.0.0.1:{port} (Address already in use). Try: make run PORT=8001\n"
    )


@pytest.mark.parametrize("port", ["abc", "", "0", "65536", "9" * 5000, "-1", "8000.5"])
def test_a_port_that_is_not_one_is_reported_first(monkeypatch, capsys, port):
    monkeypatch.setenv("PORT", port)
    assert embedded.main() == 1
    assert capsys.readouterr().err == f"error: PORT must be a number from 1 to 65535, not {port!r}.\n"


def test_the_curl_line_is_one_complete_flight_search():
    [line] = [
        line
        for line in embedded.welcome("http://127.0.0.1:8123", PARTNER).splitlines()
        if line.startswith("curl ")
    ]
    words = shlex.split(line)
    headers = dict(words[i + 1].split(": ") for i, word in enumerate(words) if word == "-H")
    body = json.loads(words[words.index("-d") + 1])
    assert words[1] == "http://127.0.0.1:8123/v1/flights/searches"
    assert headers["Authorization"] == "Bearer svc_test_x"
    assert headers["Content-Type"] == "application/json"
    assert len(headers["Idempotency-Key"]) == 36
    assert (body["origin"], body["destination"]) == ("LHR", "JFK")


@pytest.mark.parametrize(
    ("address", "pages"),
    [
        ("http://127.0.0.1:8123", "http://localhost:8123"),
        ("http://192.0.2.7:8123", "http://192.0.2.7:8123"),
    ],
)
def test_pages_are_announced_by_a_name_because_passkeys_need_one(address, pages):
    said = embedded.welcome(address, PARTNER)
    assert (f"  Portal       {pages}/portal/" in said, f"  API          {address}/v1" in said) == (True, True)


RUN = f"""
import sys
from pathlib import Path
from config import embedded
embedded.prepare_environment = lambda: None
embedded.prepare_database = lambda: {PARTNER}
embedded.BASE_DIR = Path(sys.argv[1])
sys.exit(embedded.main())
"""
READY = embedded.welcome("", PARTNER).splitlines()[1]
WEB = """
import http.server, os
class Probe(http.server.BaseHTTPRequestHandler):
    statuses = [503, 503]
    def do_GET(self):
        self.send_response(self.statuses.pop() if self.statuses else 200)
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Probe).serve_forever()
"""


def test_it_serves_on_the_port_that_is_chosen_until_it_is_told_to_stop(tmp_path):
    port = free_port()
    (tmp_path / "web.py").write_text(WEB)
    (tmp_path / "Procfile").write_text("web: python web.py\nbeat: sleep 600\n")
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)],
        cwd=BASE_DIR,
        env={**os.environ, "PORT": str(port)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        before = list(iter(run.stdout.readline, f"{READY}\n"))
        assert sum('"GET /health/ready HTTP/1.1" 503' in line for line in before) == 2
        assert f"  API          http://127.0.0.1:{port}/v1\n" in iter(run.stdout.readline, "")
    finally:
        run.terminate()
        run.communicate()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
