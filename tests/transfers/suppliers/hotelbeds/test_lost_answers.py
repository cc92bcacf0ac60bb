"""Live orders whose answer does not come, through the whole booking flow: none lost, none doubled, all resolved."""

from collections.abc import Callable

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from tests.support.api import Api
from tests.support.supplier_stub import Trouble
from tests.transfers.agency import BALANCE_CENTS, an_offer, money, order
from tests.transfers.suppliers.hotelbeds.stub import BOOKINGS, HotelbedsStub

pytestmark = pytest.mark.django_db

Later = Callable[[float], None]
FLIGHT = {"flightNumber": "TP1234"}
GIVEN_UP = 7_200


def a_lost_order(api: Api, stub: HotelbedsStub, trouble: Trouble) -> str:
    """The key of an order that is answered 503."""
    before = len(stub.heard_by("POST", BOOKINGS))
    stub.trouble("POST", BOOKINGS, trouble)
    key = f"lost-order-{len(stub.heard)}"
    reply = order(api, an_offer(api)["quoteId"], key=key, **FLIGHT)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    stub.await_heard("POST", BOOKINGS, times=before + 1)
    return key


def recover_all(later: Later, *, until: float) -> None:
    """Look whenever it is time to, up to `until` seconds after the call."""
    passed = 0
    for at in (31, 121, 601, 3_601, 7_201, 7_262):
        if at <= until:
            later(at - passed)
            passed = at
            recover_due(batch=200)


@pytest.mark.parametrize(("charge", "status"), [(0, "failed"), (10, "confirmed")])
def test_an_order_that_they_cancelled_before_it_was_found_is_one_only_where_it_costs_something(
    api: Api,
    partner: Onboarded,
    stub: HotelbedsStub,
    later: Later,
    short_bookings: None,
    charge: int,
    status: str,
) -> None:
    """What it costs comes with the news of its end, as of any other order."""
    a_lost_order(api, stub, Trouble(end="reset"))
    (booking,) = stub.bookings.values()
    stub.call_off(booking["reference"])
    booking["totalAmount"] = charge
    recover_all(later, until=GIVEN_UP + 100)
    assert Booking.objects.get().status == status
    settle_owed()
    later(86_401)
    poll_suppliers()
    assert money(partner, "live") == (BALANCE_CENTS - charge * 100, 0)
    assert check_ledger() == []
