"""Which answers are looked at: a sample, and those that a connector could make nothing of."""

import queue
import random
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from pytest_django import Settings

from apps.suppliers import drift
from apps.suppliers.drift import Heard, heard, look_at, watched
from apps.suppliers.errors import OutcomeUnknown, Rejected, Unavailable
from apps.suppliers.http import SupplierHTTP
from apps.suppliers.models import SupplierDrift
from tests.support.supplier_stub import Answer, SupplierStub, route, serving
from tests.support.supplier_stub import Heard as Request

ORDER = ("duffel", "GET", "/air/orders/ord_1")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[Heard]:
    """What would be looked at; nothing is chosen by chance."""
    found: list[Heard] = []
    settings.SUPPLIER_DRIFT_EVERY = 20
    monkeypatch.setattr(drift, "offer", found.append)
    monkeypatch.setattr(random, "random", lambda: 0.99)
    return found


def fail(error: Exception, *answers: tuple[int, bytes]) -> None:
    """A call that heard these and then raised that."""
    with suppress(type(error)), watched():
        for status, body in answers:
            heard(*ORDER, status, body)
        raise error


def test_an_answer_that_comes_to_nothing_is_looked_at(offered: list[Heard]) -> None:
    fail(OutcomeUnknown(), (200, b"{}"))
    fail(Unavailable(), (200, b"{}"), (201, b"[]"))
    assert [one.body for one in offered] == [b"{}", b"[]"]


def test_a_refusal_is_none_of_drifts_business(offered: list[Heard]) -> None:
    fail(Unavailable(), (200, b"{}"), (503, b"{}"))
    fail(Rejected(), (200, b"{}"))
    fail(Unavailable())
    with watched():
        heard(*ORDER, 200, b"{}")
    assert offered == []


def test_one_in_so_many_is_looked_at_and_at_most_one_a_second(
    offered: list[Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [time.monotonic() + 100]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    chances = iter([0.049, 0.051, 0.01, 0.01])
    monkeypatch.setattr(random, "random", lambda: next(chances))
    for number in range(4):
        if number == 3:
            now[0] += 1
        heard(*ORDER, 200, str(number).encode())
    assert [one.body for one in offered] == [b"0", b"3"]


def test_none_is_looked_at_where_that_is_switched_off(offered: list[Heard], settings: Settings) -> None:
    settings.SUPPLIER_DRIFT_EVERY = 0
    fail(OutcomeUnknown(), (200, b"{}"))
    assert offered == []


@pytest.mark.django_db
def test_what_is_no_json_or_no_known_call_counts_nothing() -> None:
    look_at(Heard(*ORDER, b"<html>"))
    look_at(Heard("duffel", "GET", "/nowhere", b"{}"))
    look_at(Heard("nobody", "GET", "/air/orders/ord_1", b"{}"))
    assert not SupplierDrift.objects.exists()
    look_at(Heard(*ORDER, b'{"data": 7}'))
    assert SupplierDrift.objects.get().path == ".data"


class Orders(SupplierStub):
    @route("GET", "/base/air/orders/{order}")
    def order(self, heard: Request, order: str) -> Answer:
        return 200, {"data": 7}


@pytest.mark.django_db(transaction=True)
def test_a_thread_counts_beside_the_call(settings: Settings) -> None:
    """The whole way: answered over HTTP, chosen, compared and counted, whatever stands before the path."""
    settings.SUPPLIER_DRIFT_EVERY = 1
    drift._next_at = 0.0
    with serving(Orders()) as stub:
        SupplierHTTP("duffel", base_url=f"{stub.url}/base").read("GET", "/air/orders/ord_1")
    wait_until(lambda: SupplierDrift.objects.exists())
    found = SupplierDrift.objects.get()
    assert (found.supplier, found.call, found.path, found.kind) == (
        "duffel",
        "GET /air/orders/*",
        ".data",
        "type",
    )
    assert found.is_read


def test_what_finds_no_room_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drift, "_start", lambda: None)
    monkeypatch.setattr(drift, "_waiting", queue.Queue(1))
    drift.offer(Heard(*ORDER, b"1"))
    drift.offer(Heard(*ORDER, b"2"))
    assert drift._waiting.get_nowait().body == b"1"
    assert drift._waiting.empty()


def wait_until(happened: Callable[[], bool]) -> None:
    gives_up = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < gives_up
        time.sleep(0.01)
