import socket
import threading
import time
from ipaddress import ip_address

import pytest

from apps.common.outbound import DeadlinePassed
from apps.common.outbound.addresses import (
    IPAddress,
    Lookup,
    NameNotResolved,
    NoThreadLeft,
    Resolver,
    system_lookup,
)

LONG = 60.0
"""Seconds: for what is answered at once, on however busy a machine."""


def resolve(host: str, seconds: float, lookup: Lookup) -> list[IPAddress]:
    return Resolver(threads=1, lookup=lookup).addresses_of(host, 443, seconds)


def test_addresses_come_once_each_in_the_resolvers_order() -> None:
    found = resolve("a.example", LONG, lambda host, port: ["1.1.1.1", "2606:4700::1", "1.1.1.1"])
    assert found == [ip_address("1.1.1.1"), ip_address("2606:4700::1")]


def test_unknown_name_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the system says it. A machine whose name server is away takes a while to."""

    def unknown(*asked: object, **named: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(NameNotResolved, match="Name or service not known"):
        resolve("no-such-name.invalid", LONG, system_lookup)


@pytest.mark.parametrize("answer", [[], ["not an address"]])
def test_answer_without_a_usable_address(answer: list[str]) -> None:
    with pytest.raises(NameNotResolved):
        resolve("a.example", LONG, lambda host, port: answer)


def test_hanging_name_server_takes_no_more_than_the_deadline() -> None:
    release, answered = threading.Event(), threading.Event()

    def hang(host: str, port: int) -> list[str]:
        release.wait(LONG)
        answered.set()
        return ["1.1.1.1"]

    started = time.monotonic()
    with pytest.raises(DeadlinePassed):
        resolve("a.example", 0.2, hang)
    assert time.monotonic() - started >= 0.2
    assert not answered.is_set()
    release.set()


def test_system_lookup_knows_this_host() -> None:
    assert "127.0.0.1" in system_lookup("localhost", 443)


@pytest.mark.parametrize("host", ["1.1.1.1", "2606:4700::1", "fe80::1%lo"])
def test_address_is_not_looked_up(host: str) -> None:
    def never(host: str, port: int) -> list[str]:
        raise AssertionError("looked up")

    assert resolve(host, LONG, never) == [ip_address(host)]


def test_no_more_threads_than_allowed_wait_for_a_silent_name_server() -> None:
    release = threading.Event()
    resolver = Resolver(threads=1, lookup=lambda host, port: ["1.1.1.1"] if release.wait(LONG) else [])
    for _ in range(2):
        with pytest.raises(DeadlinePassed):
            resolver.addresses_of("a.example", 443, 0.1)
    release.set()
    assert resolver.addresses_of("a.example", 443, LONG) == [ip_address("1.1.1.1")]


def test_look_up_without_another_thread_fails_and_frees_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    resolver = Resolver(threads=1, lookup=lambda host, port: ["1.1.1.1"])
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refused)
        with pytest.raises(NoThreadLeft):
            resolver.addresses_of("a.example", 443, LONG)
    assert resolver.addresses_of("a.example", 443, LONG) == [ip_address("1.1.1.1")]
