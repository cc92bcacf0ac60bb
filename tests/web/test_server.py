"""The server over real connections: who is slow pays, and nobody else."""

import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest

from config.web import accepting, server
from tests.embedded.support import eventually
from tests.web.conftest import KEY, Shop, parsed, read_to_end, request

Opened = Callable[..., Shop]


def told(answer: bytes) -> str:
    message: str = orjson.loads(answer)["error"]["message"]
    return message


def test_a_connection_carries_many_requests(opened: Opened) -> None:
    with opened().connect() as sock:
        for number in range(3):
            sock.sendall(request("/v1/echo", body=b"%d" % number))
            status, body = parsed(sock.recv(65_536))
            assert (status, orjson.loads(body)["body"]) == (200, str(number))


def test_pipelined_requests_are_answered_in_order(opened: Opened) -> None:
    with opened().connect() as sock:
        sock.sendall(b"".join(request("/v1/echo", body=b"%d" % number) for number in range(5)))
        sock.sendall(request("/v1/echo", "Connection: close\r\n", b"last"))
        bodies = [
            piece.partition(b"\r\n\r\n")[2] for piece in read_to_end(sock).split(b"HTTP/1.1 200 OK\r\n")[1:]
        ]
    assert [orjson.loads(body)["body"] for body in bodies] == ["0", "1", "2", "3", "4", "last"]


def test_a_body_is_asked_for_where_the_client_waits_to_be_asked(opened: Opened) -> None:
    with opened().connect() as sock:
        sock.sendall(
            b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        )
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(b"ok")
        assert parsed(sock.recv(65_536))[0] == 200


def test_a_body_of_a_pipelined_request_is_asked_for_once_the_one_before_it_is_answered(
    opened: Opened,
) -> None:
    with opened().connect() as sock:
        asking = b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        sock.sendall(request("/v1/echo", body=b"first") + asking)
        came = b""
        while b"100 Continue" not in came and (piece := sock.recv(65_536)):
            came += piece
        assert came.startswith(b"HTTP/1.1 200 OK")
        assert came.endswith(b"HTTP/1.1 100 Continue\r\n\r\n")
        sock.sendall(b"ok")
        assert parsed(sock.recv(65_536))[0] == 200


@pytest.mark.parametrize(
    ("sent", "seconds"),
    [
        (b"POST /account/login/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx", "body_seconds"),
        (b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nX-Slow: ", "head_seconds"),
    ],
)
def test_half_a_request_ends_at_its_deadline_and_holds_no_thread(
    opened: Opened, sent: bytes, seconds: str
) -> None:
    shop = opened(**{seconds: 1.0})
    halves = [shop.connect() for _ in range(100)]
    for half in halves:
        half.sendall(sent)
    assert [shop.ask()[0] for _ in range(20)] == [200] * 20
    statuses = [parsed(read_to_end(half)) for half in halves]
    for half in halves:
        half.close()
    assert {status for status, _ in statuses} == {408}
    assert told(statuses[0][1]) == "The request did not arrive in time; send it whole, without pauses."


def test_a_body_that_drips_is_ended_before_its_deadline(opened: Opened) -> None:
    shop = opened(body_seconds=60, grace_seconds=0.5)
    with shop.connect() as sock:
        sock.sendall(b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        began = time.monotonic()
        sock.settimeout(0.1)
        answer = b""
        while not answer and time.monotonic() < began + 30:
            sock.sendall(b"x")
            try:
                answer = sock.recv(65_536)
            except TimeoutError:
                continue
    assert parsed(answer)[0] == 408


def test_a_connection_that_says_nothing_is_ended(opened: Opened) -> None:
    with opened(first_byte_seconds=0.3).connect() as silent:
        assert silent.recv(10) == b""
    with opened(idle_seconds=0.3).connect() as idle:
        idle.sendall(request("/v1/echo"))
        assert parsed(idle.recv(65_536))[0] == 200
        assert idle.recv(10) == b""


def test_a_reader_that_does_not_read_holds_no_thread_and_is_ended(opened: Opened) -> None:
    shop = opened(answer_seconds=3.0)
    readers = [shop.connect(SO_RCVBUF=4_096) for _ in range(30)]
    for reader in readers:
        reader.sendall(request("/portal/large?200"))  # 13 MB
    assert [shop.ask()[0] for _ in range(20)] == [200] * 20
    assert eventually(lambda: (len(shop.server._connections), shop.server._connections.unsent) == (0, 0))
    for reader in readers:
        reader.close()


def test_a_large_answer_arrives_whole_at_a_reader_that_takes_its_time(opened: Opened) -> None:
    shop = opened()
    with shop.connect(SO_RCVBUF=65_536) as sock:
        sock.sendall(request("/portal/large?100", "Connection: close\r\n"))
        found = 0
        while piece := sock.recv(1_000_000):
            found += piece.count(b"x")
            time.sleep(0.001)
    assert found == 100 * 65_536


def test_a_fault_of_the_application_ends_one_connection(
    opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    shop = opened()
    with shop.connect() as sock:
        sock.sendall(request("/v1/fault"))
        assert sock.recv(100) == b""
    assert [shop.ask()[0] for _ in range(30)] == [200] * 30
    assert "planted" in caplog.text


def test_an_answer_that_the_application_gives_up_ends_its_connection_without_a_byte(
    opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    shop = opened()
    with shop.connect() as sock:
        sock.sendall(request("/v1/echo") + request("/v1/lost") + request("/v1/echo"))
        assert read_to_end(sock).count(b"HTTP/1.1 ") == 1
    assert [shop.ask()[0] for _ in range(30)] == [200] * 30
    assert caplog.text == ""


def test_connections_of_one_address_and_of_all_are_bounded(opened: Opened) -> None:
    shop = opened(connections=20, connections_of_address=1_000)
    idle = [shop.connect() for _ in range(60)]
    assert shop.ask()[0] == 200
    assert eventually(lambda: len(shop.server._connections) <= 20)
    for sock in idle:
        sock.close()
    few = opened(connections_of_address=5)
    kept = [few.connect() for _ in range(5)]
    assert eventually(lambda: len(few.server._connections) == 5)
    with few.connect() as refused:
        assert refused.recv(10) == b""
    for sock in kept:
        sock.close()
    assert eventually(lambda: len(few.server._connections) == 0)
    assert few.ask()[0] == 200


def test_connections_are_welcomed_one_at_a_time(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads that look for room at the same time find the same place."""
    welcome, inside, most, another = accepting.Listeners._welcome, [0], [0], threading.Event()

    def noted(*arguments: Any) -> None:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        another.wait(0.2)
        welcome(*arguments)
        inside[0] -= 1

    monkeypatch.setattr(accepting.Listeners, "_welcome", noted)
    shop = opened(connections=3)
    waiting = [shop.connect() for _ in range(8)]
    assert eventually(lambda: len(shop.server._connections) == 3)
    another.set()
    assert shop.ask()[0] == 200
    assert (most, len(waiting)) == ([1], 8)
    assert eventually(lambda: len(shop.server._connections) <= 3)
    for sock in waiting:
        sock.close()


def test_unfinished_bodies_make_room_for_whole_requests(opened: Opened) -> None:
    shop = opened(connections=20)
    halves = [shop.connect() for _ in range(40)]
    for half in halves:
        half.sendall(b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx")
    assert [shop.ask()[0] for _ in range(5)] == [200] * 5
    assert eventually(lambda: len(shop.server._connections) <= 20)
    for half in halves:
        half.close()


def test_unfinished_bodies_together_are_bounded(opened: Opened) -> None:
    shop = opened(buffered_bytes=100_000)
    halves = [shop.connect() for _ in range(20)]
    half_a_body = b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n" + b"x" * 10_000
    for half in halves[:10]:
        half.sendall(half_a_body)
    assert eventually(lambda: shop.server._connections.buffered == 100_000)
    for half in halves[10:]:
        half.sendall(half_a_body)
        assert half.recv(65_536).startswith(b"HTTP/1.1 503 ")
    assert shop.ask()[0] == 200
    for half in halves:
        half.close()
    assert eventually(lambda: shop.server._connections.buffered == 0)


def test_what_cannot_be_read_is_refused_in_the_envelope(opened: Opened) -> None:
    with opened().connect() as sock:
        sock.sendall(b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nX_Forwarded_For: 1.2.3.4\r\n\r\n")
        status, body = parsed(read_to_end(sock))
    assert (status, told(body)) == (400, "Header names have no underscore: x_forwarded_for.")


def test_a_stop_lets_calls_end_and_answers_them(opened: Opened) -> None:
    shop = opened()
    idle = shop.connect()
    assert eventually(lambda: shop.server._connections)
    with ThreadPoolExecutor(1) as callers:
        call = callers.submit(shop.ask, "/v1/wait", KEY)
        assert eventually(lambda: not shop.server._shares.idle)
        shop.server.stop_accepting()
        assert idle.recv(10) == b""  # at the end of the time for a last call
        assert not shop.server.done
        shop.go_on.set()
        assert call.result()[0] == 200
    assert eventually(lambda: shop.server.done)
    idle.close()


def test_a_call_that_comes_as_the_process_stops_is_answered_and_the_last_of_its_connection(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LAST_CALL_SECONDS", 60.0)
    shop = opened()
    with shop.connect() as sock:
        assert eventually(lambda: shop.server._connections)
        shop.server.stop_accepting()
        assert not shop.server.done
        sock.sendall(b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
        answer = read_to_end(sock)
    assert parsed(answer)[0] == 200
    assert b"connection: close" in answer.lower()
    assert eventually(lambda: shop.server.done)


def test_a_refused_body_does_not_take_the_answer_with_it(opened: Opened) -> None:
    with opened(body_bytes=1_000, drain_seconds=60).connect() as sock:
        sock.sendall(b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
        for _ in range(30):
            sock.sendall(b"x" * 10_000)
        sock.shutdown(socket.SHUT_WR)
        assert parsed(read_to_end(sock))[0] == 200


def test_a_refused_body_is_thrown_away_in_as_many_turns_as_it_takes(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    drain, turns = server.Server._drain, list[object]()
    monkeypatch.setattr(server.Server, "_drain", lambda *given: (turns.append(given), drain(*given)))
    monkeypatch.setattr(server, "RECEIVE_BYTES", 5_000)
    monkeypatch.setattr(server, "DRAIN_READS", 1)
    with opened(body_bytes=1_000, drain_seconds=60).connect() as sock:
        sock.sendall(b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n" + b"x" * 50_000)
        assert eventually(lambda: len(turns) > 5)
        sock.shutdown(socket.SHUT_WR)
        assert parsed(read_to_end(sock))[0] == 200


def test_a_process_that_is_done_waits_for_no_idle_thread(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "POLL_SECONDS", 120.0)
    shop = opened()
    assert shop.ask()[0] == 200
    monkeypatch.setattr(server, "POLL_SECONDS", 10.0)  # twice that is how long it waits for its threads
    shop.server.close()
    assert [thread for thread in shop.server._threads if thread.is_alive()] == []
