"""What a refusal means over a real socket, the signature of each call, and the pause once the day's quota is used up.

Every documented code is in `test_documented_refusals.py`, as partners meet it.
"""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.common.redis import RedisUnavailable
from apps.suppliers.errors import (
    InvalidField,
    Missing,
    OutcomeUnknown,
    SupplierError,
    Unavailable,
)
from apps.suppliers.models import SupplierAlert
from apps.transfers.suppliers.base import TransferOffer
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from apps.transfers.suppliers.hotelbeds.client import HotelbedsClient, signature
from tests.support.supplier_stub import Trouble, refusal
from tests.transfers.suppliers.hotelbeds.stub import (
    AVAILABILITY,
    BOOKING,
    BOOKINGS,
    KEY,
    SECRET,
    HotelbedsStub,
    error_body,
)
from tests.transfers.suppliers.requests import HOTEL, a_search, an_order, new_ref

pytestmark = pytest.mark.django_db

BODIES: list[Any] = [{"error": "stub"}, b"<h1>stub</h1>", {"code": 7, "fieldErrors": "none"}]


@pytest.fixture(autouse=True)
def no_pause_between_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.suppliers.http.BACKOFF_SECONDS", (0.0, 0.0))


@pytest.fixture
def offer(hotelbeds: HotelbedsTransfers) -> TransferOffer:
    """Just re-priced: booked without another search."""
    return hotelbeds.reprice(a_search(), hotelbeds.search(a_search())[0])


@pytest.fixture
def reference(hotelbeds: HotelbedsTransfers, offer: TransferOffer) -> str:
    return hotelbeds.book(an_order(offer)).supplier_reference


def error_in(call: Callable[[], object]) -> type[SupplierError]:
    with pytest.raises(SupplierError) as raised:
        call()
    return type(raised.value)


@pytest.fixture
def cancel_into(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, reference: str
) -> Callable[[Trouble], Any]:
    """Cancels the order; the simulation goes well, and the cancellation itself meets the trouble."""
    quote = hotelbeds.quote_cancellation(reference)
    simulate = hotelbeds.client.simulated_cancellation

    def cancelled(trouble: Trouble) -> Any:
        def then_trouble(reference: str) -> dict[str, Any]:
            answer = simulate(reference)
            stub.trouble("DELETE", BOOKING, trouble)
            return answer

        hotelbeds.client.simulated_cancellation = then_trouble  # type: ignore[method-assign]
        return hotelbeds.cancel(new_ref(), reference, quote)

    return cancelled


def test_a_code_inside_the_field_errors_counts_and_the_most_telling_one_does(hotelbeds, stub):
    stub.fail("GET", AVAILABILITY, "E_REQUEST_ATLEASTONEADULT", inside=True)
    body = {**error_body("E_REQUEST_PASTDATE", inside=True), "code": "E_REQUEST_INVALID"}
    for field, trouble in (("adults", None), ("outbound", refusal(400, body))):
        if trouble:
            stub.trouble("GET", AVAILABILITY, trouble)
        with pytest.raises(InvalidField) as raised:
            hotelbeds.search(a_search())
        assert raised.value.field == field


def test_the_end_that_is_meant_is_named(hotelbeds, stub):
    stub.fail("GET", AVAILABILITY, "E_REQUEST_INVALIDTERMINALCODE", times=2)
    for asked, field in ((a_search(), "from"), (a_search(start=HOTEL, end=a_search().start), "to")):
        with pytest.raises(InvalidField) as raised:
            hotelbeds.search(asked)
        assert raised.value.field == field


@pytest.mark.parametrize(
    ("status", "read", "book", "cancelled"),
    [
        (401, Unavailable, Unavailable, Unavailable),
        (403, Unavailable, Unavailable, Unavailable),
        (404, Missing, Missing, Missing),
        (408, Unavailable, OutcomeUnknown, OutcomeUnknown),
        (429, Unavailable, Unavailable, Unavailable),
        (301, Unavailable, OutcomeUnknown, OutcomeUnknown),
        (500, Unavailable, OutcomeUnknown, OutcomeUnknown),
        (503, Unavailable, OutcomeUnknown, OutcomeUnknown),
        (596, Unavailable, OutcomeUnknown, OutcomeUnknown),
    ],
)
def test_a_status_without_a_code(
    hotelbeds, stub, reference, offer, cancel_into, status, read, book, cancelled
):
    body = BODIES[status % len(BODIES)]
    stub.trouble("GET", BOOKING, refusal(status, body, times=3))
    stub.trouble("POST", BOOKINGS, refusal(status, body))
    stub.trouble("DELETE", BOOKING, Trouble())  # the simulation
    assert error_in(lambda: hotelbeds.read_order(reference)) is read
    assert error_in(lambda: hotelbeds.book(an_order(offer))) is book
    assert error_in(lambda: cancel_into(refusal(status, body))) is cancelled


def test_a_refused_cancellation_is_read_and_what_is_read_counts(hotelbeds, stub, reference, cancel_into):
    """It says no, and has done it all the same; and while it cannot be read nobody knows."""
    refused = error_body("E_BOOKING_CANCELLATIONERROR")
    stub.trouble("GET", BOOKING, refusal(503, times=3))
    assert error_in(lambda: cancel_into(refusal(409, refused))) is OutcomeUnknown
    assert cancel_into(Trouble(status=409, body=refused)).penalty_cents == 0
    assert stub.bookings[reference]["status"] == "CANCELLED"


def test_each_call_is_signed_by_key_secret_and_second(hotelbeds, stub):
    expected = "fbec7942bca6a31316fc1d0a293bed29ed6ae59faed6cd5963bd643425b1a116"
    assert signature("k", "s", 1_700_000_000) == expected
    for ahead in (0, 240):
        stub.ahead = ahead
        assert hotelbeds.search(a_search())[0].total_cents == 975
    for ahead in (-400, 400):  # a clock that is minutes off
        stub.ahead = ahead
        assert error_in(lambda: hotelbeds.search(a_search())) is Unavailable


# --- The day's quota -----------------------------------------------------------------------------------------------------
def seconds_to_midnight() -> float:
    now = clock.now()
    return (datetime.combine(now.date() + timedelta(days=1), time(), UTC) - now).total_seconds()


def assert_refused(hotelbeds: HotelbedsTransfers) -> None:
    assert error_in(lambda: hotelbeds.search(a_search())) is Unavailable


@pytest.mark.parametrize("text", ["Developer Over Rate", "403 ERR: DEVELOPER_OVER_RATE", "Quota exceeded"])
def test_a_used_up_quota_pauses_every_process_until_the_next_utc_day(hotelbeds, stub, later, text):
    stub.over_rate(text)
    assert_refused(hotelbeds)
    alert = SupplierAlert.objects.get()
    assert (alert.supplier, alert.kind) == ("hotelbeds", "quota_used_up")
    stub.calm()
    another_process = HotelbedsTransfers(HotelbedsClient(key=KEY, secret=SECRET, base_url=stub.host))
    assert_refused(another_process)
    later(seconds_to_midnight() - 60)
    assert_refused(hotelbeds)
    assert len(stub.heard) == 1
    later(61)
    assert hotelbeds.search(a_search()) != []
    assert SupplierAlert.objects.get().count == 1


def test_without_redis_the_process_remembers(hotelbeds, stub, monkeypatch):
    def away(*args: Any, **kwargs: Any) -> None:
        raise RedisUnavailable

    monkeypatch.setattr("apps.common.cache.run", away)
    assert hotelbeds.search(a_search()) != []
    stub.over_rate()
    assert_refused(hotelbeds)
    assert_refused(hotelbeds)
    assert len(stub.heard) == 2
