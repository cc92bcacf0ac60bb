"""The steps that every call to a supplier passes, and the faults that a sandbox can ask for."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from apps.suppliers import registry
from apps.suppliers.errors import PriceChanged, Rejected, Unavailable
from apps.suppliers.registry import GuardedAdapter, InsideTransaction, fault_named


class Acme:
    name = "acme"

    def __init__(self) -> None:
        self.asked = 0

    def ask(self) -> str:
        self.asked += 1
        return "answer"

    def refuse(self) -> None:
        raise PriceChanged(300)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_asked_inside_a_transaction_not_even_for_a_fault() -> None:
    acme = Acme()
    with transaction.atomic(), pytest.raises(InsideTransaction):
        GuardedAdapter(acme, fault=fault_named("supplier_error")).ask()
    assert acme.asked == 0
    assert GuardedAdapter(acme).ask() == "answer"


class Parrot:
    name = "parrot"

    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, word: str, *, times: int = 1) -> str:
        self.heard.append(word)
        return word * times


def with_fault(parrot: Parrot, name: str) -> Any:
    return GuardedAdapter(parrot, fault=fault_named(name))


def test_supplier_error_refuses_every_call_before_it_arrives() -> None:
    parrot = Parrot()
    faulty = with_fault(parrot, "supplier_error")
    for _ in range(2):
        with pytest.raises(Rejected):
            faulty.say("hello")
    assert parrot.heard == []
    assert faulty.name == "parrot"


def test_slow_answers_late_once_and_then_as_usual(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SANDBOX_SLOW_SECONDS = 0.2
    waits = sleeps(monkeypatch, time.sleep)
    faulty = with_fault(Parrot(), "slow")
    began = time.monotonic()
    assert faulty.say("ha", times=2) == "haha"
    assert time.monotonic() - began >= 0.2
    assert faulty.say("ho") == "ho"
    assert waits == [0.2]


def test_only_half_of_the_threads_may_be_late_at_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEB_THREADS = 8
    refused, all_refused = Barrier(3), Event()
    waits = sleeps(monkeypatch, lambda _: all_refused.wait(60))
    heard: list[str] = []

    def say() -> None:
        try:
            heard.append(with_fault(Parrot(), "slow").say("ha"))
        except Unavailable:
            heard.append("too many")
            refused.wait(60)

    with ThreadPoolExecutor(6) as threads:
        for _ in range(6):
            threads.submit(say)
        refused.wait(60)
        all_refused.set()
    assert heard == ["too many"] * 2 + ["ha"] * 4
    say()
    assert heard[-1] == "ha"
    assert len(waits) == 5


def sleeps(monkeypatch: pytest.MonkeyPatch, sleep: Callable[[float], object]) -> list[float]:
    """Grows by the seconds of each wait of a late call, which `sleep` waits."""
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        sleep(seconds)

    monkeypatch.setattr(registry, "time", SimpleNamespace(sleep=wait))
    return waits
