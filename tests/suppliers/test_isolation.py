"""Breaker, bulkheads and figures: what keeps a failing supplier from costing the others anything."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

import certifi
import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from pytest_django import Settings

from apps.common.metrics import Reading
from apps.suppliers import isolation
from apps.suppliers.errors import Unavailable
from apps.suppliers.health import read_alerts
from apps.suppliers.http import Limits, SupplierHTTP
from apps.suppliers.isolation import FAILURES, Breaker, Bulkhead, BulkheadFull
from apps.suppliers.models import SupplierAlert
from tests.embedded.support import eventually
from tests.support.figures import Counted
from tests.support.receiver import receiving
from tests.support.wire import Wire, nobody, reply, wire
from tests.webhooks.sender.certificates import Authority


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


def test_half_open_it_lets_one_call_through_at_a_time(instant: list[float]) -> None:
    guard = opened()
    instant[0] += isolation.OPEN_SECONDS
    assert [guard.admits() for _ in range(3)] == [True, False, False]
    instant[0] += isolation.OPEN_SECONDS
    assert guard.admits()


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


def test_one_waits_for_a_place_and_the_others_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "WAIT_SECONDS", 60.0)
    taken = Bulkhead(1)
    with ThreadPoolExecutor(1) as threads:
        with taken.place(write=True):
            waiting = threads.submit(taken.place(write=True).__enter__)
            while taken._waiting == 0:
                pass
            with pytest.raises(BulkheadFull), taken.place(write=True):
                pass
        assert waiting.result() is None


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
        assert first_in == ["too many calls to acme are under way"] * 5
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


@pytest.mark.django_db
def test_alerts_that_wait_for_staff_are_told_by_supplier_and_kind() -> None:
    SupplierAlert.objects.create(supplier="hotelbeds", kind="quota_used_up", count=3)
    assert list(read_alerts()) == [
        Reading("supplier_alerts", 1, {"supplier": "hotelbeds", "kind": "quota_used_up"})
    ]


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Authority]:
    """Who vouches for suppliers here."""
    authority = Authority(tmp_path)
    file = tmp_path / "authority.pem"
    file.write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    monkeypatch.setattr(certifi, "where", lambda: str(file))
    isolation._context.cache_clear()
    isolation.forget_all()
    yield authority
    isolation._context.cache_clear()
    isolation.forget_all()


@pytest.mark.parametrize(
    ("days", "ended", "counted_as"),
    [(1, None, ("acme", "200")), (-1, Unavailable, ("acme", "certificate refused"))],
)
def test_a_certificate_that_has_expired_is_counted_apart(
    counted: Counted,
    authority: Authority,
    days: int,
    ended: type[Exception] | None,
    counted_as: tuple[str, str],
) -> None:
    expires = datetime.now(UTC) + timedelta(days=days)
    with (
        receiving(tls=authority.server_context("127.0.0.1", expires=expires)) as server,
        pytest.raises(ended) if ended else nullcontext(),
    ):
        SupplierHTTP("acme", base_url=server.url).write("POST", "/orders", json={})
    assert counted("supplier_calls_total") == {counted_as: 1}
