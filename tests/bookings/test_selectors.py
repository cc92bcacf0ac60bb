"""Reads of bookings: a partner sees its own, of one environment and product."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation
from apps.bookings.selectors import (
    booking_of,
    bookings_of,
    filtered,
    ids_of_bookings_called,
    stuck_operations,
)
from apps.common.errors import NotFound
from apps.keys import authentication
from apps.keys.partner import Partner
from tests.bookings.rows import a_booking, an_operation
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import issued_key
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
Book = Callable[..., Booking]


@pytest.fixture
def partner(db: None) -> Partner:
    return authentication.look_up(issued_key()[1])


@pytest.fixture
def others(partner: Partner) -> list[Booking]:
    """What the partner's reads of its hotels in the sandbox leave out, each for one reason."""
    key, _ = issued_key()
    own = {"account_id": partner.account_id, "product": "hotel"}
    return [
        a_booking(key, product="hotel"),
        a_booking(key, **own, environment="live"),
        a_booking(key, **{**own, "product": "flight"}),
    ]


@pytest.fixture
def book(partner: Partner) -> Book:
    """`book(status="failed")`: a hotel of the partner's."""
    key, _ = issued_key()

    def make(**columns: object) -> Booking:
        return a_booking(key, **{"account_id": partner.account_id, "product": "hotel", **columns})

    return make


def test_bookings_are_the_accounts_own_of_one_environment_and_product(
    partner: Partner, book: Book, others: list[Booking]
) -> None:
    own = {book(), book()}
    assert set(bookings_of(partner.account_id, "test", "hotel")) == own
    assert set(filtered(partner, "hotel", {})) == own


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"status": "failed"}, ["b"]),
        ({"externalReference": "PO-1"}, ["a"]),
        ({"status": "failed", "externalReference": "PO-1"}, []),
    ],
)
def test_filters_narrow(partner: Partner, book: Book, filters: dict[str, str], found: list[str]) -> None:
    made = {"a": book(external_reference="PO-1"), "b": book(status="failed", external_reference="PO-2")}
    assert list(filtered(partner, "hotel", filters)) == [made[name] for name in found]


def test_what_is_unknown_malformed_or_of_others_is_not_found(
    partner: Partner, book: Book, others: list[Booking]
) -> None:
    book()
    odd = book(id="not well formed")
    for id in ("hbk_unknown", odd.id, *(other.id for other in others)):
        with pytest.raises(NotFound):
            booking_of(partner, "hotel", id)


@pytest.fixture
def booking() -> Booking:
    order = FlightShop(api_of_new_partner(cents=50_000_000)).ordered()
    found = Booking.objects.get(pk=order["id"])
    found.external_reference = "A-7/Lisboa"
    found.save()
    return found


def test_it_finds_none_of_another_account_or_environment(booking: Booking):
    other = api_of_new_partner()
    for account_id, environment in ((booking.account_id, "live"), ("acc_of_another", "test")):
        for text in (booking.pk, booking.reference, "A-7"):
            assert ids_of_bookings_called(account_id, environment, text) == ()
    assert other is not None


NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def held_booking(db: None) -> Booking:
    return a_booking(issued_key()[0])


def begun(held_booking: Booking, ago: timedelta, state: str, **columns: Any) -> Operation:
    return an_operation(held_booking, state=state, created_at=NOW - ago, **columns)


@pytest.mark.parametrize(
    ("state", "stuck"),
    [
        ("held", False),
        ("calling", False),
        ("uncertain", True),
        ("review", True),
        ("confirmed", False),
        ("failed", False),
    ],
)
def test_what_is_uncertain_or_with_staff_is_stuck_at_once(
    held_booking: Booking, state: str, stuck: bool
) -> None:
    operation = begun(held_booking, timedelta(0), state)
    assert list(stuck_operations(NOW)) == [operation] * stuck
