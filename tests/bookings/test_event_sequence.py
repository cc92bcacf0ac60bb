"""Each event of a booking has its number: 1, 2, 3 and so on, whoever writes them at once and whatever is rolled back."""

import threading
from contextlib import suppress
from random import Random

import orjson
import pytest
from django.db import connection, transaction

from apps.bookings.flow.lease import LeaseLost
from apps.bookings.flow.settle import emit_events, end
from apps.bookings.models import Booking
from apps.onboarding.services.onboard_partner import Onboarded
from apps.webhooks.events import Fact
from apps.webhooks.models import Event
from tests.bookings.rows import a_booking, an_operation
from tests.bookings.services.settling import ended
from tests.support.flight_shop import FlightShop

REFUNDED = Fact("payment.refunded", {"refundCents": 7})
WRITERS, TURNS = 6, 12


class RolledBack(Exception):
    """What was to be told did not happen."""


def told(booking_id: str) -> list[tuple[int | None, int]]:
    """The sequence in the row and in the payload, in the order of writing."""
    rows = Event.objects.filter(booking_id=booking_id).order_by("arrival")
    return [(row.sequence, orjson.loads(row.payload)["sequence"]) for row in rows]


@pytest.mark.django_db
def test_a_journey_is_numbered_from_one(shop: FlightShop) -> None:
    order = shop.order(shop.offer()).body
    shop.cancel(order["id"])
    assert told(order["id"]) == [(1, 1), (2, 2), (3, 3)]
    types = Event.objects.order_by("sequence").values_list("type", flat=True)
    assert list(types) == ["booking.confirmed", "booking.cancelled", "payment.refunded"]
    assert Booking.objects.get().event_count == 3


@pytest.mark.django_db
def test_a_booking_of_before_begins_with_one(onboarded: Onboarded) -> None:
    booking = a_booking(onboarded.test_key)
    Event.objects.create(
        account_id=booking.account_id,
        environment="test",
        type="booking.confirmed",
        payload='{"id":"evt_1"}',
        booking_id=booking.id,
        booking_reference=booking.reference,
    )
    emit_events(booking, "", (REFUNDED, REFUNDED))
    assert told_since(booking) == [1, 2]


def told_since(booking: Booking) -> list[int | None]:
    rows = Event.objects.filter(booking_id=booking.id, sequence__isnull=False)
    return list(rows.order_by("arrival").values_list("sequence", flat=True))


@pytest.mark.django_db
def test_what_was_not_ended_is_not_counted(onboarded: Onboarded) -> None:
    """Another process has the lease by now."""
    operation = an_operation(a_booking(onboarded.test_key), state="confirmed")
    operation.state = "calling"
    with pytest.raises(LeaseLost):
        end(operation, ended(events=(REFUNDED,)), None)
    assert Booking.objects.get().event_count == 0


@pytest.mark.django_db(transaction=True)
def test_numbers_have_no_gaps_though_many_write_at_once_and_some_undo(onboarded: Onboarded) -> None:
    booking = a_booking(onboarded.test_key)
    operation = an_operation(booking, state="calling", kind="change", hold_id="", amount_cents=0)

    def write(chance: Random) -> None:
        for _ in range(TURNS):
            with suppress(RolledBack), transaction.atomic():
                emit_events(booking, "", (REFUNDED,) * chance.randint(0, 3))
                if chance.random() < 0.3:
                    raise RolledBack
        connection.close()

    def settle() -> None:
        for _ in range(TURNS):
            with suppress(RolledBack), transaction.atomic():
                end(operation, ended(events=(REFUNDED, REFUNDED)), None)
                raise RolledBack
        end(operation, ended(events=(REFUNDED, REFUNDED)), None)
        connection.close()

    threads = [threading.Thread(target=write, args=(Random(number),)) for number in range(WRITERS)]
    threads.append(threading.Thread(target=settle))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = told(booking.id)
    assert len(numbers) > WRITERS
    assert numbers == [(number, number) for number in range(1, len(numbers) + 1)]
    assert Booking.objects.get().event_count == len(numbers)
