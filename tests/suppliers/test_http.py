"""How a call ends when no whole answer comes back: certainly nothing, or who knows."""

import gzip
import logging
import socket
import time
from decimal import Decimal
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from apps.common import outbound
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.http import Limits, SupplierHTTP, Unreadable, all_within, retry_after
from tests.embedded.support import eventually
from tests.support.wire import OK, Wire, nobody, reply

PATIENT = Limits(connect=60, read=60, total=60)
SHORT = Limits(connect=60, read=0.2, total=60)
"""Only for what never answers: a slow machine may take longer to answer than this."""
BOTH = pytest.mark.parametrize("verb", ["read", "write"])
CUT_SHORT = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"
PACKED = gzip.compress(b'{"price": 12.30}')


def client_of(url: str, **options: Any) -> SupplierHTTP:
    return SupplierHTTP("acme", base_url=url, **options)


def ended(url: str, verb: str, limits: Limits = PATIENT, **options: Any) -> type[BaseException]:
    with pytest.raises((Unavailable, OutcomeUnknown)) as raised:
        getattr(client_of(url, **options), verb)("POST", "/orders", json={"name": "Ada"}, limits=limits)
    return raised.type


def heard(server: Wire, times: int) -> bool:
    """Also where the caller gave up before the server had looked at its connection."""
    return eventually(lambda: len(server.heard) >= times) and len(server.heard) == times


@pytest.fixture
def late_once_heard(server: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline passes when the server has taken the request, however long that took, and never before."""
    late = SimpleNamespace(monotonic=lambda: time.monotonic() + 600 * len(server.heard))
    monkeypatch.setattr(outbound, "time", late)


# --- An answer is an answer ------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 204, 301, 400, 401, 404, 409, 422, 500])
@BOTH
def test_every_status_is_a_reply(server: Wire, verb: str, status: int) -> None:
    body = b"" if status == 204 else b'{"code": 7}'
    server.acts.append(server.serves(reply(f"{status} Word", body, Location="/elsewhere", X_Request_Id="r1")))
    answer = getattr(client_of(server.url), verb)("GET", "/a")
    assert (answer.status, answer.body, answer.headers["x-request-ID"]) == (status, body, "r1")
    assert len(server.heard) == 1


@BOTH
def test_what_goes_out(server: Wire, verb: str) -> None:
    server.acts.append(server.serves())
    numbers = count(1)
    client = client_of(server.url + "/v2/", headers=lambda: {"X-Signature": f"s{next(numbers)}"})
    getattr(client, verb)(
        "PUT", "/a/b", json={"ä": [1]}, query={"q": "x y", "none": None}, headers={"X-Id": "7"}
    )
    head, _, body = server.heard[0].partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    assert first == "PUT /v2/a/b?q=x+y HTTP/1.1"
    assert {"X-Signature: s1", "X-Id: 7", "Content-Type: application/json", "Accept-Encoding: gzip"} < set(
        lines
    )
    assert body == b'{"\\u00e4": [1]}'
    getattr(client, verb)("POST", "/token", form={"grant_type": "client_credentials"})
    assert b"X-Signature: s2\r\n" in server.heard[1]
    assert server.heard[1].endswith(b"\r\n\r\ngrant_type=client_credentials")


def test_neither_proxies_nor_netrc_nor_cookies_are_taken_along(
    server: Wire, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login a password b")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HTTP_PROXY", nobody())
    monkeypatch.setenv("ALL_PROXY", nobody())
    server.acts.append(server.serves(reply("200 OK", Set_Cookie="a=b; Path=/")))
    for _ in range(2):
        client_of(server.url).read("GET", "/a")
    assert b"authorization" not in server.heard[1].lower()
    assert b"cookie" not in server.heard[1].lower()


def test_numbers_are_decimals_and_what_is_no_json_is_unreadable(server: Wire) -> None:
    server.acts.append(
        server.answers(
            reply("200 OK", b'{"price": 12.30}'), reply("200 OK", b"<html>"), reply("200 OK", b"NaN")
        )
    )
    assert client_of(server.url).read("GET", "/a").json() == {"price": Decimal("12.30")}
    for _ in range(2):
        with pytest.raises(Unreadable):
            client_of(server.url).read("GET", "/a").json()


@pytest.mark.parametrize("bad", [b"\\u0000", b"\\ud800", b"\\uDFFF", b"\xed\xa0\x80"])
def test_an_answer_is_without_what_no_table_can_hold(server: Wire, bad: bytes) -> None:
    body = b'{"na%sme": ["Du%sffel", {"price": 12.30, "pair": "\\ud83d\\ude00"}]}' % (bad, bad)
    server.acts.append(server.serves(reply("200 OK", body)))
    assert client_of(server.url).read("GET", "/a").json() == {
        "name": ["Duffel", {"price": Decimal("12.30"), "pair": "😀"}]
    }


def test_printing_a_reply_shows_nothing_of_its_body(server: Wire) -> None:
    server.acts.append(server.serves(reply("200 OK", b'{"name": "Ada"}')))
    assert repr(client_of(server.url).read("GET", "/a")) == "<Reply 200, 15 bytes>"


# --- Certainly not sent ----------------------------------------------------------------------------------------


@BOTH
def test_a_refused_connection_is_unavailable(verb: str) -> None:
    assert ended(nobody(), verb) is Unavailable


@BOTH
def test_a_name_that_does_not_exist_is_unavailable(verb: str) -> None:
    assert ended("http://supplier.invalid", verb) is Unavailable


@BOTH
def test_a_failed_tls_handshake_is_unavailable(server: Wire, verb: str) -> None:
    def greets(sock: socket.socket) -> None:
        sock.recv(65536)
        sock.sendall(b"no TLS here")
        server.over.wait()

    server.acts.append(greets)
    assert ended(server.url.replace("http:", "https:"), verb) is Unavailable
    assert server.heard == []


# --- Sent, and no whole answer ---------------------------------------------------------------------------------


def test_silence_after_a_read_is_unavailable_and_not_asked_again(server: Wire) -> None:
    server.acts.append(server.hangs)
    assert ended(server.url, "read", SHORT) is Unavailable
    assert heard(server, 1)


def test_silence_after_a_write_is_unknown(server: Wire) -> None:
    server.acts.append(server.hangs)
    assert ended(server.url, "write", SHORT) is OutcomeUnknown
    assert heard(server, 1)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 2",
        CUT_SHORT,
        reply("200 OK", PACKED[:-9], Content_Encoding="gzip", Connection="close"),
        b"nonsense\r\n\r\n",
    ],
    ids=["nothing", "half a head", "cut short", "gzip cut short", "no HTTP"],
)
def test_an_answer_that_is_not_whole_leaves_a_write_unknown_and_a_read_unavailable(
    server: Wire, answer: bytes
) -> None:
    server.acts.append(server.answers(answer))
    assert ended(server.url, "write") is OutcomeUnknown
    assert len(server.heard) == 1
    assert ended(server.url, "read") is Unavailable
    assert len(server.heard) == 1 + 3


@pytest.mark.usefixtures("late_once_heard")
@pytest.mark.parametrize(
    "start",
    [b"", b"HTTP/1.1 200 OK\r\nX-Long: ", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"],
    ids=["status", "headers", "body"],
)
def test_an_answer_that_trickles_ends_at_the_total_deadline(server: Wire, start: bytes) -> None:
    server.acts.append(server.trickles(start))
    assert ended(server.url, "write") is OutcomeUnknown
    assert ended(server.url, "read") is Unavailable
    assert len(server.heard) == 2


# --- Size ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip bomb"])
def test_an_answer_above_the_cap_is_none(server: Wire, packed: bool) -> None:
    body = b" " * 200_000
    large = reply("200 OK", gzip.compress(body), Content_Encoding="gzip") if packed else reply("200 OK", body)
    server.acts.append(server.serves(large))
    fits = client_of(server.url).read("GET", "/a", limits=Limits(max_bytes=200_000))
    assert len(fits.body) == 200_000
    assert ended(server.url, "write", Limits(max_bytes=199_999)) is OutcomeUnknown
    assert ended(server.url, "read", Limits(max_bytes=199_999)) is Unavailable


# --- Again -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_reads_are_sent_again_twice_and_writes_never(server: Wire, status: int) -> None:
    server.acts.append(server.serves(reply(f"{status} No")))
    assert client_of(server.url).read("GET", "/a").status == status
    assert len(server.heard) == 3
    assert client_of(server.url).write("POST", "/a").status == status
    assert len(server.heard) == 4


def test_a_read_comes_back_no_sooner_than_retry_after_says(
    server: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("apps.suppliers.http.time.sleep", slept.append)
    server.acts.append(server.answers(reply("429 Slow", Retry_After="3"), OK))
    assert client_of(server.url).read("GET", "/a").status == 200
    assert slept == [3.0]


@pytest.mark.parametrize(("status", "heard"), [(429, 1), (502, 2), (503, 2), (504, 2)])
def test_the_reset_of_a_rate_limit_is_waited_for_after_a_429_only(
    server: Wire, monkeypatch: pytest.MonkeyPatch, status: int, heard: int
) -> None:
    """Every answer says when the limit begins anew. That is no reason not to repeat a read that failed otherwise."""
    monkeypatch.setattr("apps.suppliers.http.time.sleep", lambda seconds: None)
    server.acts.append(server.answers(reply(f"{status} No", Ratelimit_Reset="40"), OK))
    assert client_of(server.url).read("GET", "/a").status == (429 if status == 429 else 200)
    assert len(server.heard) == heard


@pytest.mark.parametrize(("seconds", "total"), [("11", 60), ("3", 2)], ids=["too long", "past the deadline"])
def test_a_wait_that_is_not_worth_it_is_not_waited(server: Wire, seconds: str, total: float) -> None:
    server.acts.append(server.serves(reply("429 Slow", Retry_After=seconds)))
    assert client_of(server.url).read("GET", "/a", limits=Limits(total=total)).status == 429
    assert len(server.heard) == 1


# --- Connections -----------------------------------------------------------------------------------------------


def test_reads_share_a_connection_and_writes_have_their_own(server: Wire) -> None:
    server.acts.append(server.serves())
    client = client_of(server.url)
    for _ in range(3):
        client.read("GET", "/a")
    assert server.connections == 1
    client.write("POST", "/a")
    client.write("POST", "/a")
    assert server.connections == 3


def test_a_connection_that_was_closed_while_idle_costs_neither_a_read_nor_a_write(server: Wire) -> None:
    server.acts += [server.answers(OK), server.answers(OK), server.answers(OK)]
    client = client_of(server.url)
    assert client.read("GET", "/a").status == 200
    assert client.write("POST", "/a").status == 200
    assert client.read("GET", "/a").status == 200
    assert len(server.heard) == 3


# --- The log ---------------------------------------------------------------------------------------------------


def test_a_call_is_one_line_without_query_body_or_keys(
    server: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    server.acts.append(server.serves(reply("201 Made", b'{"name": "Lovelace"}', Duffel_Id="req_9")))
    client = client_of(server.url, headers={"Authorization": "Bearer s3cret"}, request_id_header="duffel-id")
    with caplog.at_level(logging.INFO):
        client.write("POST", "/orders/ord_1", json={"name": "Lovelace"}, query={"holder": "Lovelace"})
    (line,) = caplog.messages
    assert line.startswith("acme POST /orders/ord_1 201 ")
    assert line.endswith(" ms, their id req_9")
    assert "Lovelace" not in line + "s3cret"


@BOTH
def test_a_failure_tells_nothing_of_what_was_sent(
    server: Wire, verb: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.acts.append(server.resets)
    with caplog.at_level(logging.INFO), pytest.raises((Unavailable, OutcomeUnknown)) as raised:
        getattr(client_of(server.url, headers={"Authorization": "s3cret"}), verb)(
            "GET", "/orders", query={"holder": "Lovelace"}
        )
    told = "\n".join([str(raised.value), *caplog.messages])
    assert "acme GET /orders" in told
    assert "Lovelace" not in told
    assert "s3cret" not in told


SENT = "Sat, 21 Nov 2026 10:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "Sat, 21 Nov 2026 10:00:04 GMT", "Date": SENT}, 4.0),
        ({"ratelimit-reset": "Sat, 21 Nov 2026 10:00:04 GMT", "Date": SENT}, 4.0),
        ({"ratelimit-reset": "5"}, 5.0),
        ({"Retry-After": "Sat, 21 Nov 2026 09:00:00 GMT", "Date": SENT}, 0.0),
        ({"Retry-After": "Sat, 21 Nov 2026 10:00:04 GMT"}, None),
        ({"Retry-After": "Sat, 21 Nov 2026 10:00:04", "Date": SENT}, None),
    ],
)
def test_retry_after_is_seconds_or_a_date_beside_the_answers_own(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers) == seconds


LONG = Limits(connect=5, read=60)
ONE = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"


def ask_again_and_again(http: SupplierHTTP) -> None:
    for _ in range(100):
        http.read("GET", "/a", limits=LONG)


def test_slow_answers_together_take_no_longer_than_allowed(server: Wire) -> None:
    def slow(sock: socket.socket) -> None:
        server.hear(sock)
        server.over.wait(0.4)
        sock.sendall(ONE)

    server.acts.append(slow)
    http = SupplierHTTP("acme", base_url=server.url)
    began = time.monotonic()
    with all_within(1.0), pytest.raises(Unavailable):
        ask_again_and_again(http)
    assert 1.0 <= time.monotonic() - began < 20
    assert len(server.heard) <= 3
    assert http.read("GET", "/a", limits=LONG).status == 200  # afterwards its own limits count


@pytest.mark.parametrize("verb", ["read", "write"])
def test_once_the_time_is_over_nothing_is_sent(server: Wire, verb: str) -> None:
    with all_within(0.0), pytest.raises(Unavailable):
        getattr(SupplierHTTP("acme", base_url=server.url), verb)("POST", "/a", limits=LONG)
    assert server.connections == 0
