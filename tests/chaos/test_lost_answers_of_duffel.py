"""Duffel takes orders and does not say so: none is lost, none is made twice, every one ends."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_django import Settings

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.flights.suppliers.duffel import client
from apps.flights.suppliers.duffel.client import DuffelClient
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.suppliers.http import Limits
from apps.suppliers.models import SupplierAlert
from tests.chaos.beat import wait_until_none
from tests.flights.desk import BALANCE_CENTS, Desk, a_partner, desk_of, funds, refusal
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.live import live_keys_at_duffel
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.support.supplier_stub import Trouble

LOST_CENTS = 4_000 + 2_500
"""The fare's penalty, and the fee of the change, which Duffel returns with no cancellation."""

pytestmark = pytest.mark.django_db(transaction=True)

UNAVAILABLE = (503, "upstream_unavailable")
IN_THE_SUITE = 10


@pytest.fixture
def stub(transactional_db: None) -> Iterator[DuffelStub]:
    with live_keys_at_duffel() as stub:
        yield stub


@pytest.fixture
def partner(stub: DuffelStub) -> Onboarded:
    return a_partner()


@pytest.fixture
def seller(partner: Onboarded) -> Desk:
    return desk_of(partner.live_secret)


@pytest.fixture
def impatient(stub: DuffelStub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who hangs is given up after a moment, once it was heard; who does not is waited for."""
    write = DuffelClient._write

    def give_up_who_hangs(duffel: DuffelClient, *told: Any) -> Any:
        if not any(trouble.end == "hang" and trouble.times for trouble in stub._troubles.values()):
            return write(duffel, *told)
        before = len(stub.heard)
        with monkeypatch.context() as hurried:
            hurried.setattr(client, "BOOKING", Limits(read=0.2))
            try:
                return write(duffel, *told)
            finally:
                wait_until_none(lambda: max(0, before + 1 - len(stub.heard)))

    monkeypatch.setattr(DuffelClient, "_write", give_up_who_hangs)


@pytest.fixture
def bookings(chaos_runs: int) -> int:
    """How many are made: 100 in `make chaos`."""
    return 10 * chaos_runs or IN_THE_SUITE


def recover_all(move_clock: Callable[..., None]) -> None:
    """Let the hours pass that the look-ups take."""
    for _ in range(30):
        move_clock(minutes=10)
        while recover_due():
            pass


def resolved(stub: DuffelStub, partner: Onboarded, count: int) -> None:
    """Each of `count` orders was sent once, exists once, is ticketed here, and was paid once."""
    references = set(Booking.objects.values_list("reference", flat=True))
    assert len(references) == count
    assert stub.booked() == dict.fromkeys(references, 1)
    assert stub.sent() == dict.fromkeys(references, 1)
    assert set(Booking.objects.values_list("status", flat=True)) == {"ticketed"}
    assert set(Operation.objects.values_list("state", flat=True)) == {"confirmed"}
    paid = sum(Booking.objects.values_list("total_cents", flat=True))
    assert paid == sum(int(order["total_amount"].replace(".", "")) for order in stub.orders.values())
    assert funds(partner, "live") == (BALANCE_CENTS - paid, 0)
    assert check_ledger() == []


@pytest.mark.usefixtures("impatient")
def test_orders_accepted_in_silence_are_found_and_made_once(
    stub: DuffelStub,
    partner: Onboarded,
    seller: Desk,
    bookings: int,
    move_clock: Callable[..., None],
    figure: Callable[[str], None],
) -> None:
    """Every second partner asks again at once, with the same key; the first look-ups come too early to see anything."""
    stub.unseen = bookings
    for number in range(bookings):
        offer = seller.offer()
        stub.trouble("POST", paths.ORDERS, Trouble(end="reset" if number % 3 == 2 else "hang"))
        assert refusal(seller.order(offer, f"order-number-{number}")) == UNAVAILABLE
        if number % 2:
            assert refusal(seller.order(offer, f"order-number-{number}")) == UNAVAILABLE
    assert funds(partner, "live")[1] == sum(Operation.objects.values_list("amount_cents", flat=True))
    recover_all(move_clock)
    resolved(stub, partner, bookings)
    figure(f"duffel: {bookings} orders accepted in silence, {len(stub.orders)} made, 0 lost, 0 doubled")


@pytest.mark.usefixtures("impatient")
def test_orders_that_never_arrived_are_given_up_and_told(
    stub: DuffelStub, partner: Onboarded, seller: Desk, move_clock: Callable[..., None]
) -> None:
    stub.trouble("POST", paths.ORDERS, Trouble(end="hang", accept=False))
    assert refusal(seller.order(seller.offer())) == UNAVAILABLE
    (reference,) = stub.sent()
    move_clock(hours=2, minutes=55)
    recover_due()
    assert Booking.objects.get().status == "pending"
    recover_all(move_clock)
    assert (Booking.objects.get().status, stub.booked()) == ("failed", {})
    assert funds(partner, "live") == (BALANCE_CENTS, 0)
    assert list(SupplierAlert.objects.values_list("supplier", "kind", "detail")) == [
        ("duffel", "unresolved", reference)
    ]


def test_an_answer_that_comes_after_the_partner_was_told_503_is_written_down(
    stub: DuffelStub,
    partner: Onboarded,
    seller: Desk,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, create = threading.Event(), DuffelClient.create_order

    def answer_late(*order: Any, **more: Any) -> Any:
        answer = create(*order, **more)
        assert told.wait(60)
        return answer

    monkeypatch.setattr(DuffelClient, "create_order", answer_late)
    offer = seller.offer()
    settings.SUPPLIER_CALL_SECONDS = 0.2
    assert refusal(seller.order(offer, "late-answer")) == UNAVAILABLE
    told.set()
    wait_until_none(Booking.objects.filter(status="pending").count)
    again = seller.order(offer, "late-answer")
    assert (again.status, again.body["status"]) == (201, "ticketed")
    resolved(stub, partner, 1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("end", ["hang", "reset"])
def test_a_change_and_a_cancellation_confirmed_in_silence_are_found_by_what_was_kept(
    stub: DuffelStub, partner: Onboarded, seller: Desk, move_clock: Callable[..., None], end: Any
) -> None:
    order = seller.ordered(seller.flexible())
    dearer = seller.options_of(order)[-1]
    stub.trouble("POST", paths.CONFIRM_CHANGE, Trouble(end=end))
    assert refusal(seller.confirm(order, dearer)) == UNAVAILABLE
    recover_all(move_clock)
    changed = seller.read(order["id"])
    assert (changed["totalCents"], changed["slices"]) == (dearer["newTotalCents"], [dearer["slice"]])

    stub.trouble("POST", paths.CONFIRM_CANCELLATION, Trouble(end=end))
    assert refusal(seller.cancel(order["id"])) == UNAVAILABLE
    recover_all(move_clock)
    cancelled = seller.read(order["id"])
    assert (cancelled["status"], cancelled["cancellation"]["penaltyCents"]) == ("cancelled", LOST_CENTS)
    assert (
        len(stub.heard_by("POST", paths.CONFIRM_CHANGE)),
        stub.orders[order["supplier"]["reference"]]["version"],
    ) == (1, 1)
    assert len(stub.heard_by("POST", paths.CONFIRM_CANCELLATION)) == 1
    assert funds(partner, "live") == (BALANCE_CENTS - LOST_CENTS, 0)
    assert check_ledger() == []
