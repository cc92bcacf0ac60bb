import threading
import time
from ipaddress import ip_address

import pytest

from apps.common.outbound.addresses import IPAddress
from apps.common.outbound.deadline import DeadlinePassed
from apps.common.outbound.name_lookup import Lookup, NameNotResolved, NoThreadLeft, Resolver, system_lookup


def resolve(host: str, seconds: float, lookup: Lookup) -> list[IPAddress]:
    return Resolver(threads=1, lookup=lookup).addresses_of(host, 443, seconds)


def test_addresses_come_once_each_in_the_resolvers_order() -> None:
    found = resolve("a.example", 1, lambda host, port: ["1.1.1.1", "2606:4700::1", "1.1.1.1"])
    assert found == [ip_address("1.1.1.1"), ip_address("2606:4700::1")]


def test_unknown_name_is_said_so() -> None:
    with pytest.raises(NameNotResolved):
        resolve("no-such-name.invalid", 5, system_lookup)


@pytest.mark.parametrize("answer", [[], ["not an address"]])
def test_answer_without_a_usable_address(answer: list[str]) -> None:
    with pytest.raises(NameNotResolved):
        resolve("a.example", 1, lambda host, port: answer)


def test_hanging_name_server_takes_no_more_than_the_deadline() -> None:
    release = threading.Event()

    def hang(host: str, port: int) -> list[str]:
        release.wait(10)
        return ["1.1.1.1"]

    started = time.monotonic()
    with pytest.raises(DeadlinePassed):
        resolve("a.example", 0.2, hang)
    assert 0.15 < time.monotonic() - started < 0.5
    release.set()


def test_system_lookup_knows_this_host() -> None:
    assert "127.0.0.1" in system_lookup("localhost", 443)


@pytest.mark.parametrize("host", ["1.1.1.1", "2606:4700::1", "fe80::1%lo"])
def test_address_is_not_looked_up(host: str) -> None:
    def never(host: str, port: int) -> list[str]:
        raise AssertionError("looked up")

    assert resolve(host, 1, never) == [ip_address(host)]


def test_no_more_threads_than_allowed_wait_for_a_silent_name_server() -> None:
    release = threading.Event()
    resolver = Resolver(threads=1, lookup=lambda host, port: ["1.1.1.1"] if release.wait(10) else [])
    for _ in range(2):
        with pytest.raises(DeadlinePassed):
            resolver.addresses_of("a.example", 443, 0.1)
    release.set()
    assert resolver.addresses_of("a.example", 443, 5) == [ip_address("1.1.1.1")]


def test_look_up_without_another_thread_fails_and_frees_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    resolver = Resolver(threads=1, lookup=lambda host, port: ["1.1.1.1"])
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refused)
        with pytest.raises(NoThreadLeft):
            resolver.addresses_of("a.example", 443, 1)
    assert resolver.addresses_of("a.example", 443, 1) == [ip_address("1.1.1.1")]
