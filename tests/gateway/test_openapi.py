"""GET /v1/openapi.json as it is served; what is in the document is `tests/contract`'s."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.test import Client

from apps.gateway.openapi import document, written
from apps.gateway.renderers import render

TOLD = ("ETag", "Vary", "Content-Encoding", "Content-Type", "Cache-Control")

# In a process of its own: in this one the document is drawn already.
COLD = """
import json, threading
import django
django.setup()
from django.test import Client
from django.urls import resolve
resolve("/v1/ping")
together, found = threading.Barrier(30), []
def ask():
    client = Client(raise_request_exception=False)
    together.wait()
    response = client.get("/v1/openapi.json")
    found.append((response.status_code, response["ETag"] if response.has_header("ETag") else ""))
threads = [threading.Thread(target=ask) for _ in range(30)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(json.dumps(found))
"""


def test_thirty_first_requests_at_once_are_all_answered_alike():
    ended = subprocess.run(
        [sys.executable, "-c", COLD], cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=120
    )

    assert json.loads(ended.stdout or "[]") == [[200, written().etag]] * 30, ended.stderr[-2_000:]


def test_who_has_it_already_is_told_so():
    first = Client().get("/v1/openapi.json")
    again = Client().get("/v1/openapi.json", headers={"If-None-Match": f'"other", {first["ETag"]}'})
    other = Client().get("/v1/openapi.json", headers={"If-None-Match": '"other"'})

    assert (first.status_code, first["Cache-Control"]) == (200, "public, max-age=60")
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again.has_header("X-Request-Id")
    assert not again.has_header("Content-Length")
    assert (other.status_code, other.content) == (200, first.content)
    assert json.loads(first.content)["paths"] == document()["paths"]


def test_each_coding_has_a_tag_of_its_own():
    def ask(accept: str, tag: str = "", method: str = "GET") -> Any:
        headers = {"Accept-Encoding": accept, "If-None-Match": tag} if tag else {"Accept-Encoding": accept}
        return Client().generic(method, "/v1/openapi.json", headers=headers)

    plain, tight = ask("identity"), ask("br, gzip")
    assert [answer.get("Content-Encoding") for answer in (plain, tight)] == [None, "gzip"]
    assert gzip.decompress(tight.content) == plain.content
    assert len(tight.content) * 5 < len(plain.content)
    assert plain["ETag"] != tight["ETag"]

    for accept, same, other in (("identity", plain, tight), ("gzip", tight, plain)):
        for tag in (same["ETag"], f"W/{same['ETag']}", f"{other['ETag']}, {same['ETag']}", "*"):
            kept = ask(accept, tag)
            assert (kept.status_code, kept.content, kept["ETag"]) == (304, b"", same["ETag"]), tag
            assert (kept["Vary"], kept.get("Content-Encoding")) == ("Accept-Encoding", None)
            assert kept["Cache-Control"] == "public, max-age=60"
        assert (ask(accept, other["ETag"]).status_code, ask(accept, other["ETag"]).content) == (
            200,
            same.content,
        )
        headed = ask(accept, method="HEAD")
        assert (headed.content, headed["Content-Length"]) == (b"", str(len(same.content)))
        assert {name: headed.get(name) for name in TOLD} == {name: same.get(name) for name in TOLD}


def test_the_command_writes_the_document_without_an_address(tmp_path: Path, capfdbinary) -> None:
    call_command("openapi", str(tmp_path / "new" / "openapi.json"))
    call_command("openapi")

    served = render({**Client().get("/v1/openapi.json").json(), "servers": document()["servers"]})
    assert (tmp_path / "new" / "openapi.json").read_bytes() == capfdbinary.readouterr().out == served
