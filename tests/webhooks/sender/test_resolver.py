import threading
import time
from ipaddress import ip_address

import pytest

from apps.webhooks.sender.deadline import Deadline, DeadlinePassed
from apps.webhooks.sender.resolver import NameNotResolved, resolve, system_lookup


def test_addresses_come_once_each_in_the_resolvers_order() -> None:
    found = resolve("a.example", 443, Deadline(1), lambda host, port: ["1.1.1.1", "2606:4700::1", "1.1.1.1"])
    assert found == [ip_address("1.1.1.1"), ip_address("2606:4700::1")]


def test_unknown_name_is_said_so() -> None:
    with pytest.raises(NameNotResolved):
        resolve("no-such-name.invalid", 443, Deadline(5), system_lookup)


@pytest.mark.parametrize("answer", [[], ["not an address"]])
def test_answer_without_a_usable_address(answer: list[str]) -> None:
    with pytest.raises(NameNotResolved):
        resolve("a.example", 443, Deadline(1), lambda host, port: answer)


def test_hanging_name_server_takes_no_more_than_the_deadline() -> None:
    release = threading.Event()

    def hang(host: str, port: int) -> list[str]:
        release.wait(10)
        return ["1.1.1.1"]

    started = time.monotonic()
    with pytest.raises(DeadlinePassed):
        resolve("a.example", 443, Deadline(0.2), hang)
    assert 0.15 < time.monotonic() - started < 0.5
    release.set()


def test_system_lookup_knows_this_host() -> None:
    assert "127.0.0.1" in system_lookup("localhost", 443)
