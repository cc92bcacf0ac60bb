"""A retry with the same Idempotency-Key after an answer that was none: one booking, never a second blind call."""

from collections.abc import Callable

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation, OperationState
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected, Unavailable
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

KEY = "order-of-monday-1"


def test_an_unknown_outcome_is_looked_up_by_the_retry(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    assert shop.order(offer, KEY).status == 503
    reply = shop.order(offer, KEY)
    usual = shop.ordered(offer)
    assert (reply.status, reply.body["status"]) == (201, "ticketed")
    assert reply.body.keys() == usual.keys()
    assert "Idempotent-Replayed" not in reply.headers
    again = shop.order(offer, KEY)
    assert (again.body, again.headers["Idempotent-Replayed"]) == (reply.body, "true")
    assert supplier.calls("book") == 2  # one for each order
    assert funds(onboarded) == (BALANCE_CENTS - 2 * offer["totalCents"], 0)
    assert violations(supplier.report()) == []


def test_a_retry_that_learns_nothing_is_503_again_and_books_nothing(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    supplier.spoil("find_order", Unavailable(), times=2)
    for _ in range(3):
        assert shop.order(offer, KEY).status == 503
    assert (latest().state, latest().lookups) == ("uncertain", 2)
    assert funds(onboarded)[1] == offer["totalCents"]
    assert shop.order(offer, KEY).status == 201
    assert supplier.calls("book") == 1


def test_a_retry_whose_look_up_breaks_is_503_and_the_next_one_looks_again(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    supplier.spoil("find_order", KeyError("an answer that nobody foresaw"))
    assert shop.order(offer, KEY).status == 503
    reply = shop.order(offer, KEY)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert (latest().state, latest().lookups) == ("uncertain", 1)
    assert shop.order(offer, KEY).status == 201
    assert violations(supplier.report()) == []


def test_an_early_not_found_is_not_believed(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    supplier.hide(1)
    assert [shop.order(offer, KEY).status for _ in range(2)] == [503, 503]
    assert funds(onboarded)[1] == offer["totalCents"]
    assert shop.order(offer, KEY).status == 201
    assert violations(supplier.report()) == []


def test_after_a_definite_refusal_the_retry_is_a_new_attempt(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.spoil("book", Rejected())
    first = shop.order(offer, KEY, externalReference="PO-1")
    second = shop.order(offer, KEY, externalReference="PO-1")
    assert (first.status, second.status) == (502, 201)
    assert [op.state for op in Operation.objects.order_by("id")] == ["failed", "confirmed"]
    assert sorted(Booking.objects.values_list("status", flat=True)) == ["failed", "ticketed"]
    assert set(supplier.report()["callsByRef"]) >= set(Operation.objects.values_list("client_ref", flat=True))
    assert violations(supplier.report()) == []


def test_a_retry_continues_the_latest_attempt_not_the_first(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.spoil("book", Rejected())
    assert shop.order(offer, KEY).status == 502
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    assert shop.order(offer, KEY).status == 503
    reply = shop.order(offer, KEY)
    assert (reply.status, supplier.calls("book"), supplier.calls("find_order")) == (201, 2, 1)
    assert [op.state for op in Operation.objects.order_by("id")] == ["failed", "confirmed"]
    assert funds(onboarded) == (BALANCE_CENTS - offer["totalCents"], 0)
    assert violations(supplier.report()) == []


def test_what_recovery_confirmed_answers_the_retry(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    shop.order(offer, KEY)
    move_clock(seconds=11)
    assert recover_due() == 1
    reply = shop.order(offer, KEY)
    assert (reply.status, reply.body["status"]) == (201, "ticketed")
    assert (supplier.calls("find_order"), events()) == (1, ["booking.confirmed"])


def test_what_staff_are_clarifying_stays_unclear(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown())
    shop.order(offer, KEY)
    Operation.objects.update(state=OperationState.REVIEW, next_attempt_at=None)
    reply = shop.order(offer, KEY)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert (supplier.calls("find_order"), supplier.calls("book")) == (0, 1)
    assert funds(onboarded)[1] == offer["totalCents"]


def test_the_key_of_an_interrupted_cancellation_finds_the_cancellation(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    order = shop.ordered()
    supplier.spoil("cancel", OutcomeUnknown(), accepted=True)
    first = shop.cancel(order["id"], KEY, reason="ill")
    second = shop.cancel(order["id"], KEY, reason="ill")
    assert (first.status, second.status) == (503, 200)
    penalty = order["conditions"]["penaltyCents"]
    assert second.body["status"] == "cancelled"
    assert second.body["cancellation"]["penaltyCents"] == penalty
    assert second.body["cancellation"]["reason"] == "ill"
    assert funds(onboarded) == (BALANCE_CENTS - penalty, 0)
    assert supplier.calls("cancel") == 1
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("which", [0, -1], ids=["cheaper", "dearer"])
def test_the_key_of_an_interrupted_change_finds_the_change(
    shop: FlightShop, supplier: ScriptedFlights, which: int
) -> None:
    order = shop.ordered()
    option = shop.options(order)[which]
    supplier.spoil("change", OutcomeUnknown(), accepted=True)
    first, second = (shop.change(order["id"], option, KEY) for _ in range(2))
    assert (first.status, second.status) == (503, 200)
    assert (second.body["changeId"], second.body["settled"]) == (option["changeId"], which == -1)
    assert second.body["order"]["totalCents"] == option["newTotalCents"]
    assert supplier.calls("change") == 1
