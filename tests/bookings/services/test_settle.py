"""What is written at the end of an operation, beside its money."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.handlers import Accepted
from apps.bookings.models import Booking
from apps.bookings.services.settle import next_look, poll_soon
from apps.common import clock
from apps.suppliers.errors import Rejected
from tests.bookings.books import latest
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

SOON = timedelta(seconds=5)


def test_a_booking_that_its_supplier_took_on_is_pending_and_answered_so(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    supplier.spoil("book", Accepted("sim_7"))
    supplier.meanwhile("book", lambda: move_clock(minutes=1))
    offer = shop.offer()
    reply = shop.order(offer, "one-and-the-same")
    booking = latest().booking
    assert (reply.body["status"], booking.status, booking.supplier_reference) == (
        "pending",
        "pending",
        "sim_7",
    )
    assert clock.now() - booking.updated_at < SOON
    assert reply.body["updatedAt"] == clock.rfc3339(booking.updated_at)
    again = shop.order(offer, "one-and-the-same")
    assert (again.content, again.headers["Idempotent-Replayed"]) == (reply.content, "true")
    assert supplier.calls("book") == 1


def test_a_booking_that_failed_says_when(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    supplier.spoil("book", Rejected())
    supplier.meanwhile("book", lambda: move_clock(minutes=1))
    shop.order(shop.offer())
    operation = latest()
    assert (operation.state, operation.booking.status) == ("failed", "failed")
    assert clock.now() - operation.booking.updated_at < SOON
    assert operation.resolved_at is not None
    assert clock.now() - operation.resolved_at < SOON


@pytest.mark.parametrize(
    ("until", "asked"),
    [(None, False), (timedelta(0), False), (-SOON, False), (timedelta(microseconds=1), True)],
)
def test_a_booking_is_asked_for_until_its_journey_is_over(
    settings: object, until: timedelta | None, asked: bool
) -> None:
    settings.SUPPLIER_NEWS_SECONDS = 1_800  # type: ignore[attr-defined]
    now = clock.now()
    booking = Booking(
        product="flight", supplier_name="simulator", watched_until=None if until is None else now + until
    )
    assert next_look(booking, now) == (now + timedelta(minutes=30) if asked else None)


def test_a_booking_changed_by_its_supplier_is_asked_for_now_and_no_other(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    changed, other, over = (Booking.objects.get(pk=shop.ordered()["id"]) for _ in range(3))
    Booking.objects.filter(pk=over.pk).update(next_news_at=None)
    poll_soon(changed)
    poll_soon(over)
    due = dict(Booking.objects.values_list("pk", "next_news_at"))
    assert due[changed.pk] <= clock.now() < due[other.pk]
    assert due[over.pk] is None
    overdue = clock.now() - timedelta(hours=1)
    Booking.objects.filter(pk=changed.pk).update(next_news_at=overdue)
    poll_soon(changed)
    changed.refresh_from_db()
    assert changed.next_news_at == overdue  # its place in the line is kept
