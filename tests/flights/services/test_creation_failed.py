"""The word of a supplier that an order was never created: believed where it can be about one order only, and none is there."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings

from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.services.book import believe_failed_creation
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.http import at_most
from tests.flights.desk import BALANCE_CENTS, Desk, funds, told
from tests.support.scripted_flights import ScriptedFlights

OFFER = "off_1"


def lost(desk: Desk, airline: ScriptedFlights, *, accepted: bool = False) -> Operation:
    """An order of the offer whose answer was lost."""
    airline.spoil("book", OutcomeUnknown(), accepted=accepted)
    assert desk.order(desk.offer()).status == 503
    operation = Operation.objects.latest("id")
    operation.request["offer"]["supplier_data"]["offer_id"] = OFFER
    operation.save(update_fields=["request"])
    return operation


def hear(offer_id: str = OFFER) -> None:
    believe_failed_creation("simulator", offer_id)


def end_of(operation: Operation) -> tuple[str, str, str]:
    operation = Operation.objects.select_related("booking").get(pk=operation.pk)
    return operation.state, operation.failure, operation.booking.status


WAITING = ("uncertain", "", "pending")
FAILED = ("failed", "CreationFailed", "failed")


def test_an_order_that_is_not_there_has_failed_and_its_funds_are_free(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    operation = lost(desk, airline)
    assert funds(partner) == (BALANCE_CENTS - operation.amount_cents, operation.amount_cents)
    hear()
    assert end_of(operation) == FAILED
    assert funds(partner) == (BALANCE_CENTS, 0)
    released = {"reason": "The airline did not make the order.", "releasedCents": operation.amount_cents}
    assert told() == [("booking.rejected", released)]


def test_an_order_that_is_there_is_believed_before_the_word(desk: Desk, airline: ScriptedFlights) -> None:
    operation = lost(desk, airline, accepted=True)
    hear()
    assert end_of(operation) == ("confirmed", "", "ticketed")


def test_a_word_about_another_offer_ends_nothing(desk: Desk, airline: ScriptedFlights) -> None:
    operation = lost(desk, airline)
    hear("off_2")
    assert (end_of(operation), airline.calls("find_order")) == (WAITING, 0)


def test_of_two_orders_that_it_may_be_about_neither_is_ended(desk: Desk, airline: ScriptedFlights) -> None:
    waiting = [lost(desk, airline), lost(desk, airline)]
    hear()
    assert [end_of(each) for each in waiting] == [WAITING, WAITING]


@pytest.mark.parametrize(
    ("operation", "booking"),
    [
        ({"state": "failed"}, {}),
        ({"kind": "change"}, {}),
        ({}, {"product": "hotel"}),
        ({}, {"supplier_name": "vendor"}),
    ],
    ids=str,
)
def test_it_is_about_an_order_of_this_supplier_whose_end_is_not_known(
    desk: Desk, airline: ScriptedFlights, operation: dict[str, Any], booking: dict[str, Any]
) -> None:
    other, waiting = lost(desk, airline), lost(desk, airline)
    Operation.objects.filter(pk=other.pk).update(**{"state": other.state, **operation})
    Booking.objects.filter(pk=other.booking_id).update(**{"status": "pending", **booking})
    before = end_of(other)
    hear()
    assert (end_of(waiting), end_of(other)) == (FAILED, before)


def test_an_order_that_somebody_is_looking_up_waits_for_the_next_time(
    desk: Desk, airline: ScriptedFlights
) -> None:
    operation = lost(desk, airline)
    Operation.objects.update(lease_until=clock.now() + timedelta(seconds=45))
    with pytest.raises(Unavailable):
        hear()
    assert (end_of(operation), airline.calls("find_order")) == (WAITING, 0)


def test_the_look_up_has_longer_than_one_that_a_partner_waits_for(
    desk: Desk, airline: ScriptedFlights, settings: LazySettings
) -> None:
    lost(desk, airline)
    left: list[float] = []
    airline.meanwhile("find_order", lambda: left.append(at_most(100_000)))
    hear()
    assert len(left) == 1
    assert settings.OPERATION_LEASE_SECONDS < left[0] < 100_000
