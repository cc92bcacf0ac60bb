"""What a booking becomes as an operation ends, whom that is told, and when it is polled next."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.flow.settle import emit_events, next_look, poll_soon, write_booking
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.webhooks.events import Fact
from apps.webhooks.models import Event
from tests.bookings.services.settling import SOON, ended
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")


@pytest.mark.parametrize("watched", [None, timedelta(days=1)])
@pytest.mark.parametrize("cancellation", [None, {"penaltyCents": 5}])
def test_a_booking_becomes_what_the_outcome_says(
    settings: object, watched: timedelta | None, cancellation: dict[str, int] | None
) -> None:
    settings.SUPPLIER_NEWS_SECONDS = 1_800  # type: ignore[attr-defined]
    until = None if watched is None else clock.now() + watched
    booking = Booking(product="flight", supplier_name="simulator", updated_at=clock.now() - timedelta(days=1))
    write_booking(booking, ended(cancellation=cancellation, watched_until=until))
    assert (booking.status, booking.total_cents) == ("confirmed", 900)
    assert (booking.supplier_reference, booking.details) == ("their-7", {"seats": 2})
    assert booking.cancellation == cancellation
    assert clock.now() - booking.updated_at < SOON
    assert booking.watched_until == until
    assert booking.next_news_at == (None if until is None else booking.updated_at + timedelta(minutes=30))


def test_what_was_cancelled_stays_so_where_an_outcome_says_nothing_of_it() -> None:
    booking = Booking(product="flight", supplier_name="simulator", cancellation={"penaltyCents": 5})
    write_booking(booking, ended())
    assert booking.cancellation == {"penaltyCents": 5}


def test_who_would_spare_reading_the_details_again_is_given_the_booking_once_it_has_them() -> None:
    given: list[object] = []
    booking = Booking(product="flight", supplier_name="simulator", details={"seats": 1})
    write_booking(booking, ended(remember=lambda booking: given.append(booking.details)))
    assert given == [{"seats": 2}]
    assert given[0] is booking.details


def test_events_bear_what_every_event_of_a_booking_bears(
    calling: Operation, django_assert_num_queries: Callable[..., object]
) -> None:
    booking = calling.booking
    booking.external_reference = "PO-1"
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        emit_events(booking, "req_1", ())
    emit_events(booking, "req_1", (Fact("payment.refunded", {"refundCents": 7}),))
    event = Event.objects.get()
    assert (event.account_id, event.environment, event.type) == (
        booking.account_id,
        "test",
        "payment.refunded",
    )
    assert (event.booking_id, event.booking_reference, event.request_id) == (
        booking.id,
        booking.reference,
        "req_1",
    )
    for part in (
        '"bookingType":"flight"',
        f'"bookingId":"{booking.id}"',
        f'"bookingReference":"{booking.reference}"',
        '"externalReference":"PO-1"',
        '"refundCents":7',
    ):
        assert part in event.payload


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
