"""The examples of the guides, run as they are written, against a running server: curl, Python, TypeScript and PHP."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from apps.docs.clients import PACKAGES, newest
from apps.docs.guides import GUIDES
from apps.docs.rendering import text_of
from apps.gateway import sandbox
from apps.keys.scopes import GRANTABLE
from apps.webhooks.signatures import new_secret, signature_headers
from tests.factories.gateway import api_of_new_partner
from tests.support.products_off import PRODUCTS
from tests.support.stack import ROOT
from tests.support.tools import needs, needs_curl

STATUS = re.compile(r"^HTTP/1\.1 (\d+)", re.MULTILINE)


def text_of_guide(slug: str) -> str:
    guide = next(each for each in GUIDES if each.slug == slug)
    offered = dict.fromkeys(PRODUCTS, True)
    return text_of(f"docs/guides/{slug}.md", {"base_url": "", "offered": offered, **guide.context()})


def blocks(slug: str, language: str, section: str = "") -> list[str]:
    """The examples of a guide, or of its section with this heading, without the lines that set BASE and KEY."""
    text = text_of_guide(slug)
    if section:
        text = re.split(r"(?m)^## ", text.partition(f"\n## {section}\n")[2])[0]
    found = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return [re.sub(r"(?m)^export (BASE|KEY)=.*\n", "", each) for each in found]


@pytest.fixture
def run(live_server):
    """Run a text with `bash -c` or with another command, with BASE and KEY set, and return what it printed."""
    api = api_of_new_partner(cents=10_000_000, scopes=GRANTABLE)
    names = {"BASE": live_server.url, "KEY": api.secret}

    def run(command: list[str], text: str) -> str:
        words = [*command, "-c", text] if command == ["bash"] else [*command, text]
        done = subprocess.run(words, env={**os.environ, **names}, capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


def body_of(printed: str) -> dict:
    """The body that `curl -i` printed."""
    return json.loads(printed.split("\n\n", 1)[1])


BOOKED = re.compile(r"F-\w{8} ticketed \d+ EUR\n")
"""What the first booking prints, in every language."""


@needs_curl
def test_the_first_call_books_and_books_once(run):
    hello, booking = blocks("get-started", "bash")
    assert json.loads(run(["bash"], hello))["environment"] == "test"
    search, book = booking.split("\n\n", 1)
    offer = run(["bash"], f"{search}\necho $OFFER").strip()
    first, again = (run(["bash"], f"OFFER={offer}\n{book}") for _ in range(2))
    assert (body_of(first)["status"], body_of(again)["id"]) == ("ticketed", body_of(first)["id"])
    assert ["idempotent-replayed: true" in each.lower() for each in (first, again)] == [False, True]
    assert run(["bash"], f"{search}\necho $OFFER").strip() != offer  # not the old prices once more


@needs_curl
def test_the_first_booking_of_the_readme(run):
    text = (ROOT / "README.md").read_text().replace("localhost:8000", "$BASE")
    _, search, book, ledger = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    [offer, *_] = json.loads(run(["bash"], search.replace("KEY=svc_test_…\n", "")))["offers"]
    booked = run(["bash"], book.replace("offer_…", offer["offerId"]))
    assert body_of(booked)["status"] == "ticketed"
    entries = json.loads(run(["bash"], ledger))["data"]
    assert {entry["bookingReference"] for entry in entries} >= {body_of(booked)["reference"]}


def test_the_first_call_in_python(run, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "clients" / "python" / "src"))
    [example] = blocks("get-started", "python")
    assert BOOKED.fullmatch(run([sys.executable, "-c"], example))


def unpacked(language: str, place: Path) -> Path:
    """The folder of the package that is served, unpacked in `place`."""
    shutil.unpack_archive(PACKAGES / newest(language).file, place)
    return next(place.iterdir())


@needs("node")
def test_the_first_call_in_typescript(run, tmp_path):
    """What only a compiler reads is left out."""
    [example] = blocks("get-started", "typescript")
    packages = tmp_path / "node_modules"
    packages.mkdir()
    unpacked("TypeScript", packages).rename(packages / "travel-partner")
    program = tmp_path / "booking.mjs"
    program.write_text(example.replace("!", ""))
    assert BOOKED.fullmatch(run(["node"], str(program)))


@needs("php")
def test_the_first_call_in_php(run, tmp_path):
    [example] = blocks("get-started", "php")
    unpacked("PHP", tmp_path)
    program = tmp_path / "booking.php"
    program.write_text(example)
    assert BOOKED.fullmatch(run(["php"], str(program)))


def test_the_loop_over_a_list_prints_each_booking(run, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "clients" / "python" / "src"))
    [search] = blocks("get-started", "python")
    [example] = blocks("concepts", "python", "Lists")
    run([sys.executable, "-c"], search)
    example = example.replace("hotels/bookings", "flights/orders").replace('"confirmed"', '"ticketed"')
    assert re.fullmatch(r"F-\w{8} ticketed \d+\n", run([sys.executable, "-c"], example))


@needs_curl
def test_each_trigger_does_what_the_guide_says(run, settings):
    settings.SANDBOX_SLOW_SECONDS = 0.1
    [example] = blocks("testing", "bash", "Triggers")
    statuses = {}
    for value in sandbox.FAILURES:
        printed = run(["bash"], example.replace("sbx_price_changed", value))
        confirmed = re.search(r"(?mi)^x-sandbox-trigger: (\S+)", printed)
        statuses[confirmed and confirmed[1]] = int(STATUS.search(printed)[1])
    assert statuses == {
        "sbx_offer_expired": 410,
        "sbx_price_changed": 409,
        "sbx_insufficient_funds": 402,
        "sbx_payment_failed": 402,
        "sbx_supplier_error": 502,
        "sbx_slow": 201,
    }


def test_the_guide_promises_no_unmade_booking_after_a_proxys_answer():
    certain = [
        line
        for line in text_of_guide("errors-and-retries").splitlines()
        if "502" in line and "certain" in line
    ]
    assert certain
    assert all("502 `upstream_error`" in line for line in certain)


@pytest.mark.parametrize(
    ("paper", "asks"),
    [
        ("templates/docs/guides/errors-and-retries.md", "GET /v1/operations"),
        ("templates/docs/guides/esim.md", "GET /v1/operations"),
        ("clients/python/README.md", "client.operations.find"),
        ("clients/typescript/README.md", "client.operations.find"),
    ],
)
def test_who_is_told_to_repeat_is_told_how_long_a_key_is_known(paper, asks):
    """After its 24 hours a key is a new one. A plan does not expire as an offer does: the same order buys a second eSIM."""
    paragraphs = [" ".join(each.split()) for each in (ROOT / paper).read_text().split("\n\n")]
    assert [each for each in paragraphs if "24 hours" in each and asks in each], paper


def test_the_retry_loop_repeats_with_one_key_until_there_is_an_answer(monkeypatch):
    [example] = blocks("errors-and-retries", "python")
    names: dict[str, object] = {}
    exec(example, names)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    sent, answers = [], []

    class Scripted(requests.Session):
        def post(self, url, json, headers, timeout):  # type: ignore[override]
            sent.append(headers["Idempotency-Key"])
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            response = requests.Response()
            response.status_code, body, more = answer
            response._content = body
            response.headers.update({"Content-Type": "application/json", **more})
            return response

    running = b'{"error": {"type": "idempotency_key_in_progress"}}'
    limited = b'{"error": {"type": "rate_limit_exceeded"}}'
    a_proxys_page = (502, b"<h1>Bad gateway</h1>", {"Content-Type": "text/html"})
    answers += [requests.ConnectionError(), a_proxys_page, (503, b"{}", {}), (409, running, {})]
    answers += [(429, limited, {"Retry-After": "3"}), (201, b'{"id": "1"}', {})]
    assert names["post"](Scripted(), "http://x", {}) == {"id": "1"}
    assert (len(sent), len(set(sent))) == (6, 1)
    answers += [(409, b'{"error": {"type": "conflict"}}', {})]
    with pytest.raises(requests.HTTPError):
        names["post"](Scripted(), "http://x", {})
    # What proxies do: half a body without its length, a page of their own with 200, a Retry-After that is a date.
    dated = (
        429,
        b"<h1>Slow</h1>",
        {"Content-Type": "text/html", "Retry-After": "Fri, 27 Nov 2026 08:00:00 GMT"},
    )
    answers += [(201, b'{"id": "', {}), (200, b"<h1>Log in</h1>", {"Content-Type": "text/html"}), dated]
    answers += [(502, b'"no envelope"', {}), (503, b'{"error": "no"}', {}), (201, b'{"id": "2"}', {})]
    assert names["post"](Scripted(), "http://x", {}, "basket-2") == {"id": "2"}
    assert sent[-6:] == ["basket-2"] * 6
    answers += [(403, b"<h1>Blocked</h1>", {"Content-Type": "text/html"})]
    with pytest.raises(requests.HTTPError):
        names["post"](Scripted(), "http://x", {})
    answers += [(429, b'{"error": {"type": "rate_limit_exceeded"}}', {})]  # the day's searches are used up
    with pytest.raises(requests.HTTPError):
        names["post"](Scripted(), "http://x", {})


@needs_curl
def test_the_endpoint_is_made_and_shows_its_secret(run):
    make = blocks("webhooks", "bash")[0]
    assert json.loads(run(["bash"], make))["secret"].startswith("whsec_")


def test_the_verifier_accepts_what_the_service_signs_and_nothing_else():
    example = next(each for each in blocks("webhooks", "python") if "def is_genuine" in each)
    names: dict[str, object] = {}
    exec(example, names)

    def verified(secret: str, header: str, body: bytes) -> bool:
        return names["is_genuine"](header, body, secret, time.time())

    now, body = int(time.time()), b'{"id": "evt_1"}'

    def header(at: int, *signing_secrets: str) -> str:
        signed = signature_headers(event_id="evt_1", timestamp=at, body=body, signing_secrets=signing_secrets)
        return signed["X-Service-Signature"]

    ours, old = new_secret(), new_secret()
    assert verified(ours, header(now, ours), body)
    assert verified(ours, header(now, old, ours), body)
    assert not verified(ours, header(now, old), body)
    assert not verified(ours, header(now, ours), body + b" ")
    assert not verified(ours, header(now - 400, ours), body)
    for forged in ("nonsense", "t=²,v1=0", f"t={now},v1=é", f"t={'9' * 5000},v1=0"):
        assert not verified(ours, forged, body)
