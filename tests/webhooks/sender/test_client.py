"""The client: one limit of time, no redirects, no proxies; what is read of an answer."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from apps.common import outbound
from apps.common.outbound.answer import Answer
from apps.webhooks.causes import Cause
from apps.webhooks.retry_schedule import Outcome
from apps.webhooks.sender import MAX_BYTES, Sender
from tests.support.receiver import Receiver, Reply, receiving
from tests.webhooks.sender.conftest import post

TIMEOUT = 0.4
LONG_SECONDS = 10
"""More than a busy machine takes to notice that a time is over, and far less than the receivers here would take."""


def test_request_arrives_as_it_was_given(sender: Sender, receiver: Receiver) -> None:
    body = '{"name":"Zoë"}'.encode()
    answer = post(sender, f"{receiver.url}?a=1", body)
    assert (answer.status_code, answer.body, answer.cause, answer.outcome) == (
        200,
        "ok",
        None,
        Outcome.ACCEPTED,
    )
    [received] = receiver.requests
    assert (received.path, received.body) == ("/hooks?a=1", body)
    assert received.headers == {
        "Host": f"127.0.0.1:{receiver.port}",
        "User-Agent": "TravelPartnerAPI-Webhooks/1.0",
        "Accept": "*/*",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "X-Test": "1",
    }


def test_timings_say_where_the_time_went(receiver: Receiver) -> None:
    receiver.answer = Reply(wait=0.05)
    sender = Sender(allow_local=True, lookup=lambda host, port: ["127.0.0.1"])
    url = f"http://hooks.partner.example:{receiver.port}/"
    first, second = post(sender, url), post(sender, url)
    assert None not in (first.timings.lookup_ms, first.timings.connect_ms, first.timings.first_byte_ms)
    assert first.timings.tls_ms is None
    assert (first.timings.first_byte_ms or 0) >= 45  # whole milliseconds, by another clock
    assert first.duration_ms >= (first.timings.first_byte_ms or 0)
    # The second went over the connection that was kept: nothing was looked up or opened.
    assert (second.timings.lookup_ms, second.timings.connect_ms) == (None, None)
    assert receiver.connections == 1
    sender.close_idle(everything=True)


@pytest.mark.parametrize("when", ["while idle", "with the next request"])
def test_kept_connection_that_the_receiver_closed_is_replaced(sender: Sender, when: str) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        accepted: list[int] = []
        threading.Thread(target=answer_once_each, args=(server, when, accepted), daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        assert post(sender, url).status_code == 200
        time.sleep(0.05)
        assert post(sender, url).status_code == 200
        assert accepted == [1, 2]


def answer_once_each(server: socket.socket, when: str, accepted: list[int]) -> None:
    """Says it keeps the connection and does not: closes it at once, or when the next request comes."""
    for number in (1, 2):
        connection, _ = server.accept()
        accepted.append(number)
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            if when == "with the next request":
                connection.recv(65536)


def test_new_connection_without_an_answer_is_not_tried_twice(sender: Sender, receiver: Receiver) -> None:
    receiver.answer = Reply(raw=b"")
    post(sender, receiver.url)
    assert len(receiver.requests) == 1


def test_redirects_are_not_followed(sender: Sender, receiver: Receiver) -> None:
    with receiving() as elsewhere:
        receiver.answer = Reply(status=301, headers={"Location": elsewhere.url})
        answer = post(sender, receiver.url)
        assert (answer.status_code, answer.outcome) == (301, Outcome.FAILED)
        assert answer.cause == Cause("redirect", "returned 301; redirects are not followed")
        assert elsewhere.connections == 0


def test_proxies_of_the_environment_are_not_used(
    sender: Sender, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert post(sender, receiver.url).status_code == 200
        assert proxy.connections == 0


# --- One deadline for everything -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(wait=60), id="silent"),
        pytest.param(Reply(drip=0.05, body=b"x" * 2000), id="dripping"),
        pytest.param(
            Reply(status=100, drip=0.004, body=b"HTTP/1.1 100 Continue\r\n\r\n" * 600), id="100 for ever"
        ),
    ],
)
def test_no_receiver_takes_more_than_the_deadline(sender: Sender, receiver: Receiver, reply: Reply) -> None:
    receiver.answer = reply
    started = time.monotonic()
    answer = post(sender, receiver.url, seconds=TIMEOUT)
    assert TIMEOUT <= time.monotonic() - started < LONG_SECONDS
    assert (answer.outcome, answer.cause) == (Outcome.FAILED, Cause("timeout", "no response within 0.4 s"))
    assert 400 <= answer.duration_ms < 1000 * LONG_SECONDS


def test_answer_that_drips_its_body_is_not_a_success(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over once half of it was read."""
    now, pieces = [1000.0], Answer.pieces

    def read_and_be_late(answer: Answer) -> Iterator[bytes]:
        for piece in pieces(answer):
            now[0] += 30
            yield piece

    monkeypatch.setattr(Answer, "pieces", read_and_be_late)
    monkeypatch.setattr(outbound, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        hold = threading.Event()
        threading.Thread(target=answer_half, args=(server, hold), daemon=True).start()
        answer = post(sender, f"http://127.0.0.1:{server.getsockname()[1]}/", seconds=30)
        hold.set()
    assert (answer.status_code, answer.body, answer.outcome) == (200, "half", Outcome.FAILED)
    assert answer.cause == Cause("timeout", "no response within 30 s")


def answer_half(server: socket.socket, hold: threading.Event) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        hold.wait(60)


def test_receiver_that_does_not_read_takes_no_more_than_the_deadline(sender: Sender) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        started = time.monotonic()
        answer = post(
            sender, f"http://127.0.0.1:{server.getsockname()[1]}/", b"x" * 50_000_000, seconds=TIMEOUT
        )
        assert TIMEOUT <= time.monotonic() - started < LONG_SECONDS
    assert answer.cause == Cause("timeout", "no response within 0.4 s")


# --- Where nobody answers --------------------------------------------------------------------------------------


def test_fault_of_our_own_is_an_answer_too(
    sender: Sender, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken: Callable[..., None] = lambda *_: 1 / 0  # type: ignore[return-value]  # noqa: E731
    monkeypatch.setattr("apps.common.outbound.connection.connect", broken)
    assert post(sender, receiver.url).cause == Cause("internal", "something failed on our side")
    assert "Sending a webhook failed on our side" in caplog.text


class Counting(socket.socket):
    """Counts what was read from it."""

    read = 0

    def recv_into(self, *args: Any, **more: Any) -> int:
        count = super().recv_into(*args, **more)
        Counting.read += count
        return count

    def recv(self, *args: Any) -> bytes:
        piece = super().recv(*args)
        Counting.read += len(piece)
        return piece


@pytest.mark.parametrize(
    ("head", "more", "status"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", None),
        (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", None),
        (b"HTTP/1.1 200 OK\r\nX: ", b"y" * 1000, None),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n", b"X: y\r\n", 200),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;", b"x" * 1000, 200),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"ok" * 1000, 200),
    ],
)
def test_no_receiver_is_listened_to_without_end(
    sender: Sender, monkeypatch: pytest.MonkeyPatch, head: bytes, more: bytes, status: int | None
) -> None:
    """It never ends; how much of it is read has its bound, and is over long before the time is."""
    monkeypatch.setattr(Counting, "read", 0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=talk, args=(server, head, more), daemon=True).start()
        monkeypatch.setattr("apps.common.outbound.connection.socket.socket", Counting)
        answer = post(sender, f"http://127.0.0.1:{server.getsockname()[1]}/", seconds=60)
    assert (answer.status_code, answer.duration_ms < 30_000) == (status, True)
    assert 0 < Counting.read <= MAX_BYTES + 8192


def talk(server: socket.socket, head: bytes, more: bytes) -> None:
    connection, _ = server.accept()
    with connection, contextlib.suppress(OSError):
        connection.recv(65536)
        connection.sendall(head)
        while True:
            connection.sendall(more * 100)


def test_first_8_kib_are_kept_and_the_rest_is_not_read(sender: Sender, receiver: Receiver) -> None:
    receiver.answer = Reply(body=b"x" * 20_000_000)
    answer = post(sender, receiver.url)
    assert (answer.outcome, answer.body) == (Outcome.ACCEPTED, "x" * 8192)


def test_answer_is_read_leniently_and_without_nul(sender: Sender, receiver: Receiver) -> None:
    receiver.answer = Reply(body=b"a\x00b\xff\xfec\xed\xa0\x80d")
    body = post(sender, receiver.url).body
    assert (body[:3], body[-1]) == ("a�b", "d")
    assert "\x00" not in body
    assert body.encode()
