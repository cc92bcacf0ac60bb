"""How a call that goes wrong on the way ends: the difference between "not done" and "not known"."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pytest_django import Settings

from apps.suppliers import errors
from apps.suppliers.errors import Missing, OutcomeUnknown, SupplierError, Unavailable
from tests.judge.client import RemoteSimulator
from tests.judge.wire import error_from_json, error_to_json
from tests.support.wire import nobody

Call = Callable[[RemoteSimulator], object]
READ: Call = lambda remote: remote.read_order("ord_1")  # noqa: E731
FIND: Call = lambda remote: remote.find_cancellation("F-1", "ord_1", "a quote")  # noqa: E731
WRITE: Call = lambda remote: remote.cancel("F-1", "ord_1", "a quote")  # noqa: E731


@contextmanager
def answering(raw: bytes | None) -> Iterator[RemoteSimulator]:
    """A server that answers its one call with these bytes and hangs up; None: it stays silent."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        over = threading.Event()

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65_536)
                if raw is None:
                    over.wait(10)
                else:
                    connection.sendall(raw)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield RemoteSimulator(f"http://127.0.0.1:{server.getsockname()[1]}", "flights")
        finally:
            over.set()
            thread.join()


def http(status: str, body: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


def ends(call: Call, remote: RemoteSimulator) -> type[SupplierError]:
    with pytest.raises(SupplierError) as raised:
        call(remote)
    return type(raised.value)


def test_a_lookup_may_find_nothing() -> None:
    with answering(http("200 OK", '{"result": null}')) as remote:
        assert FIND(remote) is None


def test_a_refusal_is_raised_as_it_was_meant() -> None:
    with answering(http("422 No", '{"error": {"type": "Missing", "message": "gone"}}')) as remote:
        assert ends(WRITE, remote) is Missing


@pytest.mark.parametrize("call", [READ, FIND, WRITE], ids=["read", "find", "write"])
def test_a_refused_connection_is_certainly_nothing(call: Call) -> None:
    assert ends(call, RemoteSimulator(nobody(), "flights")) is Unavailable


LOST = {
    "silence": None,
    "hang-up": b"",
    "half an answer": b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{",
    "not JSON": http("200 OK", "<html>"),
    "no result": http("200 OK", "{}"),
    "another type": http("200 OK", '{"result": "seven"}'),
    "a crash": http("500 Oops", "{}"),
    "an unknown error": http("422 No", '{"error": {"type": "Sulking", "message": ""}}'),
}


@pytest.mark.parametrize("raw", LOST.values(), ids=LOST)
def test_a_lost_answer_leaves_a_write_unknown_and_a_read_unavailable(
    raw: bytes | None, settings: Settings
) -> None:
    settings.SUPPLIER_CALL_SECONDS = 0.2
    for call, expected in ((READ, Unavailable), (FIND, Unavailable), (WRITE, OutcomeUnknown)):
        with answering(raw) as remote:
            assert ends(call, remote) is expected


# Those that adapters may raise; what a connector uses within itself crosses no wire.
PUBLIC = [cls for cls in errors.SupplierError.__subclasses__() if cls.__module__ == errors.__name__]


@pytest.mark.parametrize("cls", [cls for cls in PUBLIC if cls is not errors.PriceChanged])
def test_every_supplier_error_crosses_with_its_words(cls: type[errors.SupplierError]) -> None:
    crossed = error_from_json(error_to_json(cls("sold out")))
    assert (type(crossed), str(crossed)) == (cls, "sold out")


def test_a_changed_price_crosses_with_the_price() -> None:
    crossed = error_from_json(error_to_json(errors.PriceChanged(12_345)))
    assert isinstance(crossed, errors.PriceChanged)
    assert crossed.current_cents == 12_345
