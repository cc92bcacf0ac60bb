import threading
import time
from ipaddress import ip_address

import pytest

from apps.common.outbound import DeadlinePassed, addresses
from apps.common.outbound.addresses import (
    IPAddress,
    Lookup,
    NameNotResolved,
    NoThreadLeft,
    Resolver,
    is_public,
    may_connect,
)
from tests.support.own_address import own_address

NOT_PUBLIC = """
    0.0.0.0 0.1.2.3 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255
    169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1
    198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 100.100.100.200 161.26.0.10
    166.8.0.1 166.11.255.255 168.63.129.16 192.0.0.192 199.36.153.4 199.36.153.11 240.0.0.1
    255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::8.8.8.8 64:ff9b::808:808 64:ff9b:1::1
    100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:20::1 2001:db8::1
    2002:0808:0808::1 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 2606:4700::1%eth0
    fec0::1 ff02::1 2600:2d00:2:1000::1 2600:2d00:2:20ff::1 2606:4700::5efe:10.0.0.1
    2606:4700::5efe:168.63.129.16 2606:4700::200:5efe:127.0.0.1
"""
PUBLIC = """
    1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 161.27.0.0
    166.12.0.0 168.63.129.15 168.63.129.17 199.36.153.3 199.36.153.12 223.255.255.255
    2001:4860:4860::8888 2606:4700:4700::1111 2606:4700::5efe:8.8.8.8 2a00:1450::1
"""


@pytest.mark.parametrize("address", NOT_PUBLIC.split())
def test_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC.split())
def test_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    ("address", "allow_local", "may"),
    [
        ("127.0.0.1", False, False),
        ("127.0.0.1", True, True),
        ("::1", False, False),
        ("::1", True, True),
        ("::ffff:127.0.0.1", True, False),
        ("10.0.0.1", True, False),
        ("169.254.169.254", True, False),
        ("100.64.0.1", True, False),
        ("1.1.1.1", True, True),
        ("1.1.1.1", False, True),
    ],
)
def test_local_targets_admit_loopback_and_nothing_else(address: str, allow_local: bool, may: bool) -> None:
    assert may_connect(ip_address(address), allow_local=allow_local) is may


def test_an_address_of_this_host_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # As if this host's private address were a public one: it can be bound to, and that gives it away.
    own = ip_address(own_address())
    monkeypatch.setattr(addresses, "REFUSED_V4", ())
    assert is_public(own)
    assert not may_connect(own, allow_local=False)


LONG = 60.0
"""Seconds: for what is answered at once, on however busy a machine."""


def resolve(host: str, seconds: float, lookup: Lookup) -> list[IPAddress]:
    return Resolver(threads=1, lookup=lookup).addresses_of(host, 443, seconds)


def test_addresses_come_once_each_in_the_resolvers_order() -> None:
    found = resolve("a.example", LONG, lambda host, port: ["1.1.1.1", "2606:4700::1", "1.1.1.1"])
    assert found == [ip_address("1.1.1.1"), ip_address("2606:4700::1")]


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
