"""Reads of bookings: a partner sees its own, of one environment and product."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from apps.bookings.models import Booking
from apps.bookings.selectors import booking_of, bookings_of, filtered
from apps.common.errors import NotFound
from apps.keys import authentication
from apps.keys.partner import Partner
from tests.bookings.rows import a_booking
from tests.factories.keys import issued_key

Book = Callable[..., Booking]
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)


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


def test_one_booking_is_read_by_its_id(partner: Partner, book: Book) -> None:
    first, second = book(), book()
    assert [booking_of(partner, "hotel", one.id) for one in (first, second)] == [first, second]


def test_what_is_unknown_malformed_or_of_others_is_not_found(
    partner: Partner, book: Book, others: list[Booking]
) -> None:
    book()
    odd = book(id="not well formed")
    for id in ("hbk_unknown", odd.id, *(other.id for other in others)):
        with pytest.raises(NotFound):
            booking_of(partner, "hotel", id)
