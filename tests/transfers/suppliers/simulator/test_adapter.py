"""What is particular to the simulator; the promise that it shares with all suppliers is in `test_contract.py`."""

from datetime import UTC, datetime

import pytest

from apps.suppliers.errors import NotPossible
from apps.transfers.suppliers.base import Cancellation, TransferOrder
from apps.transfers.suppliers.simulator.adapter import TransferSimulator
from tests.judge.books import Books
from tests.transfers.suppliers.requests import a_search, an_order, new_ref


class Company(TransferSimulator):
    """A simulator in memory whose clock a test sets."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 20, tzinfo=UTC)
        super().__init__(Books(), now=lambda: self.time)

    def booked(self, category: str) -> TransferOrder:
        (offer,) = self.search(a_search(vehicle_class=category))
        return self.book(an_order(offer))


@pytest.mark.parametrize(
    ("category", "moment", "percent"),
    [
        ("economy", "2027-02-02T13:29:59", 0),
        ("economy", "2027-02-02T13:30:00", 100),
        ("comfort", "2026-11-20T00:00:00", 20),
        ("comfort", "2027-02-02T13:30:00", 100),
        ("business", "2026-11-20T00:00:00", 100),
        ("minibus", "2027-01-27T13:29:59", 0),
        ("minibus", "2027-01-27T13:30:00", 30),
        ("minibus", "2027-01-31T13:30:00", 60),
        ("minibus", "2027-02-02T13:30:00", 100),
        ("minibus", "2028-01-01T00:00:00", 100),
    ],
)
def test_cancelling_costs_what_the_begun_step_says(category: str, moment: str, percent: int) -> None:
    company = Company()
    order = company.booked(category)
    company.time = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    penalty = (order.total_cents * percent + 50) // 100
    expected = Cancellation(penalty, order.total_cents - penalty, "EUR")
    assert company.quote_cancellation(order.supplier_reference) == expected


def test_a_step_that_begins_after_the_quote_is_not_charged_behind_the_callers_back() -> None:
    company = Company()
    order = company.booked("economy")
    quote = company.quote_cancellation(order.supplier_reference)
    company.time = datetime(2027, 2, 3, tzinfo=UTC)
    with pytest.raises(NotPossible, match="costs more by now"):
        company.cancel(new_ref(), order.supplier_reference, quote)
    assert company.read_order(order.supplier_reference) == order
