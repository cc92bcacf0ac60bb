"""What a receiver can answer, and how much of it is read: servers on loopback that say too little, too much or something else."""

import contextlib
import gzip
import socket
import threading
from typing import Any

import pytest

from apps.webhooks.causes import Cause
from apps.webhooks.retry_schedule import Outcome
from apps.webhooks.sender import MAX_BYTES, Sender, readable
from tests.support.receiver import Receiver, Reply
from tests.webhooks.sender.conftest import post


def before(final: Reply, *interim: int) -> Reply:
    """`final` behind answers of these statuses, over a connection that is kept."""
    first, *others = interim
    heads = b"".join(b"HTTP/1.1 %d Reply\r\nLink: </a.css>\r\n\r\n" % status for status in others)
    last = b"HTTP/1.1 %d Reply\r\nContent-Length: %d\r\n\r\n" % (final.status, len(final.body)) + final.body
    return Reply(status=first, headers={"Content-Length": "", "Link": "</a.css>"}, body=heads + last)


@pytest.mark.parametrize("interim", [[100], [102], [103], [100, 103, 103], [103] * 10])
@pytest.mark.parametrize("status", [200, 410, 500])
def test_answers_before_the_last_are_skipped(
    sender: Sender, receiver: Receiver, interim: list[int], status: int
) -> None:
    receiver.answer = before(Reply(status=status, body=b"done"), *interim)
    answers = [post(sender, receiver.url) for _ in range(3)]
    assert {(answer.status_code, answer.body) for answer in answers} == {(status, "done")}
    assert receiver.connections == 1


@pytest.mark.parametrize("interim", [100, 103])
def test_answers_before_the_last_have_their_number(sender: Sender, receiver: Receiver, interim: int) -> None:
    receiver.answer = before(Reply(), *[interim] * 11)
    answer = post(sender, receiver.url)
    assert (answer.status_code, answer.cause) == (None, Cause("not_http", "what came back is not HTTP"))


def test_another_protocol_is_an_answer_and_no_success(sender: Sender, receiver: Receiver) -> None:
    receiver.answer = Reply(raw=b"HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
    answer = post(sender, receiver.url)
    assert (answer.status_code, answer.outcome) == (101, Outcome.FAILED)


def test_nothing_after_an_answer_before_the_last_is_no_answer(sender: Sender, receiver: Receiver) -> None:
    receiver.answer = Reply(raw=b"HTTP/1.1 100 Continue\r\n\r\n")
    answer = post(sender, receiver.url)
    assert (answer.status_code, answer.outcome) == (None, Outcome.FAILED)


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


def test_greeting_of_another_protocol_is_not_waited_for(sender: Sender) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        hold = threading.Event()
        threading.Thread(target=greet, args=(server, hold), daemon=True).start()
        answer = post(sender, f"http://127.0.0.1:{server.getsockname()[1]}/", seconds=60)
        hold.set()
    assert answer.cause == Cause("not_http", "what came back is not HTTP")
    assert answer.duration_ms < 30_000


def greet(server: socket.socket, hold: threading.Event) -> None:
    connection, _ = server.accept()
    with connection:
        connection.sendall(b"220 mail.partner.example ESMTP\r\n")
        hold.wait(60)


def test_compressed_answer_is_kept_as_it_came(sender: Sender, receiver: Receiver) -> None:
    """Fifty megabytes of zeros, packed twice, are some hundred bytes: nobody unpacks it."""
    bomb = gzip.compress(gzip.compress(bytes(50_000_000)))
    receiver.answer = Reply(body=bomb, headers={"Content-Encoding": "gzip, gzip"})
    answer = post(sender, receiver.url)
    assert (answer.outcome, answer.body) == (Outcome.ACCEPTED, readable(bomb))
    assert "accept-encoding" not in {name.lower() for name in receiver.requests[0].headers}


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


def test_answer_cut_short_counts_by_its_status(sender: Sender, receiver: Receiver) -> None:
    receiver.answer = Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    answer = post(sender, receiver.url)
    assert (answer.outcome, answer.body) == (Outcome.ACCEPTED, "half")


@pytest.mark.parametrize(
    ("raw", "cause"),
    [
        (b"", Cause("connection_closed", "the connection was closed without an answer")),
        (b"SSH-2.0-OpenSSH_9.6\r\n", Cause("not_http", "what came back is not HTTP")),
        (b"HTTP/1.1 abc\r\n\r\n", Cause("not_http", "what came back is not HTTP")),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000, Cause("not_http", "what came back is not HTTP")),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000, Cause("not_http", "what came back is not HTTP")),
    ],
)
def test_what_is_no_answer(sender: Sender, receiver: Receiver, raw: bytes, cause: Cause) -> None:
    receiver.answer = Reply(raw=raw)
    answer = post(sender, receiver.url)
    assert (answer.status_code, answer.outcome, answer.cause) == (None, Outcome.FAILED, cause)
