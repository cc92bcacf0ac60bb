"""Live orders whose answer does not come, through the whole booking flow: none lost, none doubled, all resolved."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from apps.bookings.flow import cancel as cancellation
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.common.errors import UpstreamUnavailable
from apps.ledger.selectors import balance_of
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.models import SupplierAlert
from tests.support.api import Api
from tests.support.forgotten import forget_suppliers
from tests.support.invariants import violations
from tests.support.supplier_stub import TOO_LATE, Trouble
from tests.transfers.agency import BALANCE_CENTS, a_partner, cancel, order, read, search
from tests.transfers.suppliers.hotelbeds.stub import BOOKING, BOOKINGS, LIST, HotelbedsStub

pytestmark = pytest.mark.django_db

Later = Callable[[float], None]
FLIGHT = {"flightNumber": "TP1234"}
GIVEN_UP = 7_200


@pytest.fixture
def runs(request: pytest.FixtureRequest) -> int:
    return 100 if request.config.getoption("--chaos-runs") else 10


def a_quote(api: Api, category: str = "economy") -> str:
    (offer,) = search(api, vehicleClass=category)["offers"]
    return str(offer["quoteId"])


def a_lost_order(api: Api, stub: HotelbedsStub, trouble: Trouble) -> str:
    """The key of an order that is answered 503."""
    before = len(stub.heard_by("POST", BOOKINGS))
    stub.trouble("POST", BOOKINGS, trouble)
    key = f"lost-order-{len(stub.heard)}"
    reply = order(api, a_quote(api), key=key, **FLIGHT)
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


def money(partner: Onboarded) -> tuple[int, int]:
    balance = balance_of(partner.account.id, "live")
    return balance.available_cents, balance.held_cents


def test_orders_accepted_and_never_answered_are_all_found_once(
    api: Api, partner: Onboarded, stub: HotelbedsStub, later: Later, short_bookings: None, runs: int
) -> None:
    for _ in range(runs):
        a_lost_order(api, stub, Trouble(end="hang"))
    assert len(stub.bookings) == runs
    assert money(partner) == (BALANCE_CENTS - runs * 3_850, runs * 3_850)
    recover_all(later, until=31)
    settle_owed()
    assert violations(stub.store()) == []
    found = Booking.objects.filter(status="confirmed").values_list("supplier_reference", flat=True)
    assert sorted(found) == sorted(stub.bookings)
    assert money(partner) == (BALANCE_CENTS - runs * 3_850, 0)
    assert SupplierAlert.objects.count() == 0


def test_where_nothing_repeats_our_reference_like_orders_are_told_apart(
    api: Api, stub: HotelbedsStub, later: Later, short_bookings: None
) -> None:
    stub.list_names_reference = stub.detail_names_reference = False
    for _ in range(3):
        a_lost_order(api, stub, Trouble(end="reset"))
    recover_all(later, until=31)
    assert violations(stub.store()) == ["unfinished: 3 settlements"]
    settle_owed()
    assert violations(stub.store()) == []


def test_an_order_that_is_another_bookings_is_not_taken_for_the_lost_one(
    api: Api, stub: HotelbedsStub, later: Later, short_bookings: None
) -> None:
    """Of another account, for the same traveller and ride; and nothing that they tell is ours."""
    other = a_partner(live=True)
    assert (
        order(Api(other.live_secret or ""), a_quote(api=Api(other.live_secret or "")), **FLIGHT).status == 201
    )
    stub.list_names_reference = stub.detail_names_reference = False
    (theirs,) = stub.bookings.values()
    theirs["transfers"][0].pop("rateKey")
    a_lost_order(api, stub, Trouble(end="reset", accept=False))
    recover_all(later, until=GIVEN_UP + 100)
    assert Operation.objects.get(booking__supplier_reference="").state == "uncertain"
    assert Booking.objects.filter(status="confirmed").count() == 1


def test_orders_that_never_arrived_fail_after_two_hours_and_staff_are_told(
    api: Api, partner: Onboarded, stub: HotelbedsStub, later: Later, short_bookings: None
) -> None:
    a_lost_order(api, stub, Trouble(end="hang", accept=False))
    recover_all(later, until=GIVEN_UP - 600)
    assert Operation.objects.get().state == "uncertain"
    assert money(partner) == (BALANCE_CENTS - 3_850, 3_850)
    later(GIVEN_UP)
    recover_due()
    operation = Operation.objects.select_related("booking").get()
    assert (operation.state, operation.failure, operation.booking.status) == (
        "failed",
        "NotFoundAtSupplier",
        "failed",
    )
    assert money(partner) == (BALANCE_CENTS, 0)
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
    assert money(partner) == (BALANCE_CENTS - charge * 100, 0)
    assert check_ledger() == []


def test_a_retry_with_the_same_key_finds_the_order_instead_of_a_second_one(
    api: Api, stub: HotelbedsStub, short_bookings: None
) -> None:
    quote = a_quote(api)
    stub.trouble("POST", BOOKINGS, Trouble(end="reset"))
    assert order(api, quote, key="one-and-the-same", **FLIGHT).status == 503
    reply = order(api, quote, key="one-and-the-same", **FLIGHT)
    assert (reply.status, reply.body["status"]) == (201, "confirmed")
    assert len(stub.heard_by("POST", BOOKINGS)) == 1
    settle_owed()
    assert violations(stub.store()) == []


@pytest.mark.slow
def test_a_retry_waits_for_slow_lists_no_longer_than_its_lease_and_recovery_waits_them_out(
    api: Api, stub: HotelbedsStub, later: Later, short_bookings: None, settings: Any
) -> None:
    quote = a_quote(api)
    stub.trouble("POST", BOOKINGS, Trouble(end="reset"))
    assert order(api, quote, key="one-and-the-same", **FLIGHT).status == 503
    stub.trouble("GET", LIST, Trouble(wait=0.7, times=-1))
    settings.OPERATION_LEASE_SECONDS = 1
    assert order(api, quote, key="one-and-the-same", **FLIGHT).status == 503
    assert (Operation.objects.get().state, Operation.objects.get().lookups) == ("uncertain", 1)
    settings.OPERATION_LEASE_SECONDS = 45
    later(121)
    recover_due()
    assert Operation.objects.get().state == "confirmed"


@pytest.mark.slow
def test_a_cancellation_whose_price_takes_longer_than_the_lease_is_refused_before_anything_happens(
    api: Api, stub: HotelbedsStub, settings: Any
) -> None:
    body = order(api, a_quote(api, "comfort"), **FLIGHT).body
    stub.trouble("GET", BOOKING, Trouble(wait=0.3))
    stub.trouble("DELETE", BOOKING, Trouble(wait=1.6))
    settings.OPERATION_LEASE_SECONDS = 2  # nine tenths of which neither of them takes alone
    reply = cancel(api, body["id"], key="cancel-it-once")
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert Operation.objects.get(kind="cancel").failure == "Unavailable"
    settings.OPERATION_LEASE_SECONDS = 45
    stub.calm()
    assert cancel(api, body["id"], key="cancel-it-once").body["status"] == "cancelled"
    simulated = [bool(heard.query) for heard in stub.heard_by("DELETE", BOOKING)]
    assert simulated[-3:] == [True, True, False]  # twice before it was done
    assert simulated[:-3] in ([], [True])  # and before, where a busy machine had the time left to ask


def test_a_page_waits_for_the_price_of_a_cancellation_no_longer_either(
    api: Api, stub: HotelbedsStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    order(api, a_quote(api, "comfort"), **FLIGHT)
    stub.trouble("GET", BOOKING, Trouble(wait=TOO_LATE))
    monkeypatch.setattr(cancellation, "MOST_SECONDS", 0.5)
    with pytest.raises(UpstreamUnavailable):
        cancellation.preview_cancellation(Booking.objects.get())
    assert stub.heard_by("DELETE", BOOKING) == []


def test_while_the_list_is_not_answered_nothing_is_given_up(
    api: Api, stub: HotelbedsStub, later: Later, short_bookings: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.suppliers.http.BACKOFF_SECONDS", (0.0, 0.0))
    a_lost_order(api, stub, Trouble(end="reset"))
    stub.trouble("GET", LIST, Trouble(accept=False, status=503, times=-1))
    recover_all(later, until=GIVEN_UP + 600)
    assert Operation.objects.get().state == "uncertain"
    stub.calm()
    forget_suppliers()  # the breaker, which waits by the clock on the wall
    later(3_601)
    recover_due()
    assert Operation.objects.get().state == "confirmed"


@pytest.mark.parametrize("accepted", [True, False])
def test_a_lost_cancellation_is_read_from_the_order(
    api: Api,
    partner: Onboarded,
    stub: HotelbedsStub,
    later: Later,
    short_cancellations: None,
    monkeypatch: pytest.MonkeyPatch,
    accepted: bool,
) -> None:
    body = order(api, a_quote(api, "comfort"), **FLIGHT).body
    lose_the_cancellation(stub, monkeypatch, Trouble(end="hang", accept=accepted))
    reply = cancel(api, body["id"])
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    stub.await_heard("DELETE", BOOKING, times=3)  # two of them simulated
    assert read(api, body["id"])["status"] == "confirmed"
    recover_all(later, until=31 if accepted else 2 * GIVEN_UP)
    expected = ("cancelled", BALANCE_CENTS - 944) if accepted else ("confirmed", BALANCE_CENTS - 4_720)
    settle_owed()
    assert (read(api, body["id"])["status"], money(partner)[0]) == expected
    assert len(stub.store()["standing"]) == (not accepted)
    deletions = [heard for heard in stub.heard_by("DELETE", BOOKING) if not heard.query]
    assert len(deletions) == 1


def lose_the_cancellation(stub: HotelbedsStub, monkeypatch: pytest.MonkeyPatch, trouble: Trouble) -> None:
    """The real one: simulations are answered."""
    take = stub._take_trouble

    def of_writes(heard: Any) -> Trouble:
        if heard.method == "DELETE" and not heard.query:
            return replace(trouble)
        return take(heard)

    monkeypatch.setattr(stub, "_take_trouble", of_writes)
