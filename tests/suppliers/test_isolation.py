"""Breaker, bulkheads and figures: what keeps a failing supplier from costing the others anything."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytest_django import Settings

from apps.suppliers import isolation
from apps.suppliers.errors import Unavailable
from apps.suppliers.http import Limits, SupplierHTTP
from apps.suppliers.isolation import FAILURES, Breaker, Bulkhead, BulkheadFull
from tests.embedded.support import eventually
from tests.support.figures import Counted
from tests.support.wire import Wire, nobody, reply, wire


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The breaker's clock; `instant[0] += 10` moves it."""
    now = [1000.0]
    monkeypatch.setattr("apps.suppliers.isolation.time.monotonic", lambda: now[0])
    return now


@pytest.fixture
def open_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """An open breaker stays open, however slow the machine."""
    monkeypatch.setattr(isolation, "OPEN_SECONDS", 600)


def opened() -> Breaker:
    guard = Breaker()
    for _ in range(FAILURES):
        guard.failed()
    return guard


def test_the_breaker_opens_after_failures_in_a_row(instant: list[float]) -> None:
    guard = Breaker()
    for _ in range(FAILURES - 1):
        guard.failed()
    guard.succeeded()
    for _ in range(FAILURES - 1):
        guard.failed()
    assert guard.admits()
    guard.failed()
    assert not guard.admits()


def test_a_success_closes_it_and_a_failure_keeps_it_open(instant: list[float]) -> None:
    guard = opened()
    instant[0] += isolation.OPEN_SECONDS
    assert guard.admits()
    guard.failed()
    assert not guard.admits()
    instant[0] += isolation.OPEN_SECONDS
    assert guard.admits()
    guard.succeeded()
    assert guard.admits()


@pytest.mark.usefixtures("open_for_long")
def test_a_supplier_that_is_down_is_left_alone(server: Wire) -> None:
    server.acts.append(server.serves(reply("500 Down")))
    client = SupplierHTTP("acme", base_url=server.url)
    for _ in range(FAILURES):
        assert client.read("GET", "/a").status == 500
    for verb in (client.read, client.write):
        with pytest.raises(Unavailable, match="left alone"):
            verb("GET", "/a")
    assert len(server.heard) == FAILURES
    other = SupplierHTTP("other", base_url=server.url)
    assert other.read("GET", "/a").status == 500


@pytest.mark.usefixtures("open_for_long")
def test_what_becomes_of_writes_says_nothing_of_searches_but_refused_connections_do(server: Wire) -> None:
    server.acts.append(server.serves(reply("500 Down")))
    client = SupplierHTTP("acme", base_url=server.url)
    for _ in range(FAILURES + 1):
        assert client.write("POST", "/a").status == 500
    gone = SupplierHTTP("acme", base_url=nobody())
    for _ in range(FAILURES):
        with pytest.raises(Unavailable, match="before sending"):
            gone.write("POST", "/a")
    with pytest.raises(Unavailable, match="left alone"):
        gone.write("POST", "/a")


@pytest.mark.parametrize(("places", "reads"), [(1, 1), (2, 2), (3, 2), (6, 4)])
def test_reads_leave_every_third_place_to_writes(
    places: int, reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation, "WAIT_SECONDS", 0.0)
    taken = Bulkhead(places)
    held = [taken.place(write=False) for _ in range(reads)]
    held += [taken.place(write=True) for _ in range(places - reads)]
    for place in held:
        place.__enter__()
    for write in (False, True):
        with pytest.raises(BulkheadFull), taken.place(write=write):
            pass
    held[0].__exit__(None, None, None)
    with taken.place(write=False):
        pass


def test_a_supplier_that_hangs_keeps_only_so_many_threads(server: Wire, settings: Settings) -> None:
    settings.WEB_THREADS = 8
    server.acts.append(server.hangs)
    calls, limits = 8, Limits(read=60)
    refused, first_in = threading.Semaphore(0), []

    def search() -> None:
        try:
            SupplierHTTP("acme", base_url=server.url).read("GET", "/search", limits=limits)
        except Unavailable as error:
            first_in.append(str(error))
            refused.release()

    with ThreadPoolExecutor(calls) as threads:
        for _ in range(calls):
            threads.submit(search)
        for _ in range(5):
            refused.acquire()
        assert first_in == ["too many calls to acme are in progress"] * 5
        assert eventually(
            lambda: len(server.heard) == 3
        )  # half of eight threads, less the place that is left to bookings
        server.close()


@pytest.fixture
def counted() -> Counted:
    return Counted()


def test_answers_are_counted_by_their_status(counted: Counted) -> None:
    with wire() as server:
        for status in ("200 OK", "404 Not Found"):
            server.acts.append(server.serves(reply(status, b"{}")))
            SupplierHTTP("acme", base_url=server.url).write("POST", "/orders", json={})
    assert counted("supplier_calls_total") == {("acme", "200"): 1, ("acme", "404"): 1}
    assert counted("supplier_call_seconds_count") == {("acme",): 2}


def test_a_supplier_that_is_away_is_counted_and_then_left_alone(counted: Counted) -> None:
    http = SupplierHTTP("acme", base_url=nobody())
    for _ in range(FAILURES + 2):
        with pytest.raises(Unavailable):
            http.write("POST", "/orders", json={})
    assert counted("supplier_calls_total") == {
        ("acme", "no answer"): FAILURES,
        ("acme", "not sent: breaker open"): 2,
    }
    assert counted("supplier_call_seconds_count") == {("acme",): FAILURES}
