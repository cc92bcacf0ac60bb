"""Promise W6: nothing is ever sent to an address that is not public. A listener counts what reaches it."""

import socket
import threading
from collections.abc import Iterator

import pytest

from apps.webhooks.causes import Cause
from apps.webhooks.sender import Sender
from tests.support.own_address import own_address
from tests.webhooks.sender.conftest import post

NOT_PUBLIC = Cause("address_not_public", "the address is not public")


class Listener:
    """Listens on all of this host's addresses, IPv4 and IPv6, and counts connections."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET6)
        self._socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        self._socket.bind(("::", 0))
        self._socket.listen(64)
        self.port = int(self._socket.getsockname()[1])
        self.connections = 0
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.close()


def test_the_listener_would_notice(listener: Listener) -> None:
    for address in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", own_address()):
        socket.create_connection((address, listener.port), timeout=2).close()
    assert post(Sender(allow_local=True), f"http://127.0.0.1:{listener.port}/").cause is not None
    assert listener.connections == 6


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0",
        "0.0.0.0",
        "localhost",
        "localhost.",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "user@127.0.0.1",
        "a.example@127.0.0.1",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_literal_is_refused_before_anything_is_sent(listener: Listener, scheme: str, host: str) -> None:
    answer = post(Sender(), f"{scheme}://{host}:{listener.port}/")
    assert answer.cause is not None
    assert (answer.cause.code, listener.connections) == ("url_refused", 0)


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["0.0.0.0"],
        ["169.254.169.254"],
        ["168.63.129.16"],
        ["100.64.0.1"],
        ["64:ff9b::7f00:1"],
        ["2002:7f00:1::"],
        ["8.8.8.8", "127.0.0.1"],
        ["127.0.0.1", "8.8.8.8"],
    ],
)
def test_name_with_one_address_that_is_not_public_is_refused(
    listener: Listener, addresses: list[str]
) -> None:
    sender = Sender(lookup=lambda host, port: addresses)
    answer = post(sender, f"https://hooks.partner.example:{listener.port}/")
    assert (answer.cause, listener.connections) == (NOT_PUBLIC, 0)


def test_this_hosts_own_address_is_refused(listener: Listener) -> None:
    sender = Sender(lookup=lambda host, port: [own_address()])
    assert post(sender, f"https://hooks.partner.example:{listener.port}/").cause == NOT_PUBLIC
    assert listener.connections == 0


@pytest.mark.parametrize("address", ["10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "100.64.0.1"])
def test_local_targets_admit_only_loopback_by_name_too(listener: Listener, address: str) -> None:
    sender = Sender(allow_local=True, lookup=lambda host, port: [address])
    assert post(sender, f"http://hooks.partner.example:{listener.port}/").cause == NOT_PUBLIC
    assert listener.connections == 0


def test_name_that_answers_otherwise_the_second_time_gains_nothing(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: public when checked, private right after. It is looked up once, and the checked one is used."""
    answers = iter([["198.41.0.4"], ["127.0.0.1"], ["127.0.0.1"]])
    connected_to: list[object] = []

    def refuse(sock: socket.socket, address: object) -> None:
        connected_to.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("socket.socket.connect", refuse)
    sender = Sender(lookup=lambda host, port: next(answers))
    answer = post(sender, f"https://hooks.partner.example:{listener.port}/")
    assert answer.cause == Cause("connection_refused", "connection refused")
    assert connected_to == [("198.41.0.4", listener.port)]
    assert next(answers) == ["127.0.0.1"]  # one look-up was made, no more
    assert listener.connections == 0


def test_connection_that_ends_elsewhere_is_dropped(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The peer is compared with the checked address after connecting, before a byte is sent."""
    monkeypatch.setattr("socket.socket.getpeername", lambda sock: ("127.0.0.2", listener.port))
    answer = post(Sender(allow_local=True), f"http://127.0.0.1:{listener.port}/")
    assert answer.cause == NOT_PUBLIC
