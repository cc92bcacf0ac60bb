"""The order that a supplier's webhook names is read again: that one alone, and not over an operation of the partner's."""

import pytest

from apps.bookings.models import Booking, Operation
from apps.flights.services import airline_changes
from apps.flights.services.airline_changes import read_again
from apps.suppliers.errors import Unavailable
from tests.flights.desk import Desk


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The references of our orders that are read again."""
    found: list[str] = []
    monkeypatch.setattr(airline_changes, "poll", lambda booking: found.append(booking.reference))
    return found


def test_the_order_that_is_named_is_read_and_no_other(desk: Desk, read: list[str]) -> None:
    order, other = desk.ordered(), desk.ordered()
    named = order["supplier"]["reference"]
    read_again("simulator", named)
    assert read == [order["reference"]]
    read_again("another", named)
    read_again("simulator", "unheard of")
    Booking.objects.filter(pk=other["id"]).update(product="hotel")
    read_again("simulator", other["supplier"]["reference"])
    assert read == [order["reference"]]


@pytest.mark.parametrize("status", ["cancelled", "failed"])
def test_an_order_that_no_longer_stands_is_not_read(desk: Desk, read: list[str], status: str) -> None:
    order = desk.ordered()
    Booking.objects.update(status=status)
    read_again("simulator", order["supplier"]["reference"])
    assert read == []


def test_an_order_that_is_being_altered_is_read_later(desk: Desk, read: list[str]) -> None:
    order = desk.ordered()
    Operation.objects.update(state="review")
    with pytest.raises(Unavailable):
        read_again("simulator", order["supplier"]["reference"])
    assert read == []
