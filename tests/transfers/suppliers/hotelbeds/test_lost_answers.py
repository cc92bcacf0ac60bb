"""Live orders whose answer does not come, through the whole booking flow: none lost, none doubled, all resolved."""

from collections.abc import Callable

import pytest

from apps.bookings.flow import cancel as cancellation
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.common.errors import UpstreamUnavailable
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.suppliers.models import SupplierAlert
from tests.support.api import Api
from tests.support.invariants import violations
from tests.support.supplier_stub import TOO_LATE, Trouble
from tests.transfers.agency import BALANCE_CENTS, an_offer, money, order
from tests.transfers.suppliers.hotelbeds.stub import BOOKING, BOOKINGS, HotelbedsStub

pytestmark = pytest.mark.django_db

Later = Callable[[float], None]
FLIGHT = {"flightNumber": "TP1234"}
GIVEN_UP = 7_200


@pytest.fixture
def runs(request: pytest.FixtureRequest) -> int:
    return 100 if request.config.getoption("--chaos-runs") else 10


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


def test_orders_accepted_and_never_answered_are_all_found_once(
    api: Api, partner: Onboarded, stub: HotelbedsStub, later: Later, short_bookings: None, runs: int
) -> None:
    for _ in range(runs):
        a_lost_order(api, stub, Trouble(end="hang"))
    assert len(stub.bookings) == runs
    assert money(partner, "live") == (BALANCE_CENTS - runs * 3_850, runs * 3_850)
    recover_all(later, until=31)
    settle_owed()
    assert violations(stub.store()) == []
    found = Booking.objects.filter(status="confirmed").values_list("supplier_reference", flat=True)
    assert sorted(found) == sorted(stub.bookings)
    assert money(partner, "live") == (BALANCE_CENTS - runs * 3_850, 0)
    assert SupplierAlert.objects.count() == 0


def test_orders_that_never_arrived_fail_after_two_hours_and_staff_are_told(
    api: Api, partner: Onboarded, stub: HotelbedsStub, later: Later, short_bookings: None
) -> None:
    a_lost_order(api, stub, Trouble(end="hang", accept=False))
    recover_all(later, until=GIVEN_UP - 600)
    assert Operation.objects.get().state == "uncertain"
    assert money(partner, "live") == (BALANCE_CENTS - 3_850, 3_850)
    later(GIVEN_UP)
    recover_due()
    operation = Operation.objects.select_related("booking").get()
    assert (operation.state, operation.failure, operation.booking.status) == (
        "failed",
        "NotFoundAtSupplier",
        "failed",
    )
    assert money(partner, "live") == (BALANCE_CENTS, 0)
    assert SupplierAlert.objects.get().kind == "unresolved"
    assert violations(stub.store()) == []


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


def test_a_page_waits_for_the_price_of_a_cancellation_no_longer_either(api, stub, monkeypatch):
    order(api, an_offer(api, "comfort")["quoteId"], **FLIGHT)
    stub.trouble("GET", BOOKING, Trouble(wait=TOO_LATE))
    monkeypatch.setattr(cancellation, "MOST_SECONDS", 0.5)
    with pytest.raises(UpstreamUnavailable):
        cancellation.preview_cancellation(Booking.objects.get())
    assert stub.heard_by("DELETE", BOOKING) == []
