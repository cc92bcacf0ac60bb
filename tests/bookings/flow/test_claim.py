"""A retry with the same Idempotency-Key after an answer that was none: one booking, never a second blind call."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings.flow import call, claim
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.gateway.models import IdempotencyRecord
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected, Unavailable
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.api import Reply
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.usefixtures("still_clock")
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


class Died(BaseException):
    """The process ends here: nothing below this frame is answered, released or written down."""


@pytest.fixture
def die_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`die_in(module, "name")`: the next call of it ends the process, `after` it or before."""

    def arm(module: Any, name: str, *, after: bool = False) -> None:
        real = getattr(module, name)

        def dying(*args: Any, **kwargs: Any) -> Any:
            monkeypatch.setattr(module, name, real)
            if after:
                real(*args, **kwargs)
            raise Died

        monkeypatch.setattr(module, name, dying)

    return arm


def dies(shop: FlightShop, offer: dict[str, Any]) -> None:
    with pytest.raises(Died):
        shop.order(offer, KEY)


def test_a_process_that_died_holding_funds_is_continued(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()
    die_in(claim, "perform")
    dies(shop, offer)
    assert (latest().state, supplier.calls("book")) == ("held", 0)
    assert shop.order(offer, KEY).error_type == "idempotency_key_in_progress"
    move_clock(seconds=46)
    reply = shop.order(offer, KEY)
    assert (reply.status, Operation.objects.count()) == (201, 1)
    assert violations(supplier.report()) == []


@pytest.mark.parametrize(("name", "after"), [("call_supplier", True), ("record", False)])
def test_a_process_that_died_after_the_supplier_accepted_is_looked_up(
    shop: FlightShop,
    supplier: ScriptedFlights,
    die_in: Callable[..., None],
    move_clock: Callable[..., None],
    name: str,
    after: bool,
) -> None:
    offer = shop.offer()
    die_in(call, name, after=after)
    dies(shop, offer)
    assert (latest().state, supplier.calls("book")) == ("calling", 1)
    move_clock(seconds=46)
    reply = shop.order(offer, KEY)
    assert (reply.status, reply.body["status"], supplier.calls("book")) == (201, "ticketed", 1)
    assert violations(supplier.report()) == []


def test_a_process_that_died_before_it_could_call_is_not_called_again_blindly(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()
    die_in(call, "mark_calling", after=True)
    dies(shop, offer)
    move_clock(seconds=46)
    assert shop.order(offer, KEY).status == 503  # the supplier knows nothing of it, and is not believed yet
    move_clock(seconds=120)
    assert shop.order(offer, KEY).status == 503
    move_clock(seconds=60)
    assert shop.order(offer, KEY).status == 503  # given up; a new attempt may begin
    assert (latest().state, latest().failure) == ("failed", "NotFoundAtSupplier")
    assert shop.order(offer, KEY).status == 201
    assert [op.state for op in Operation.objects.order_by("id")] == ["failed", "confirmed"]
    assert violations(supplier.report()) == []


def test_a_process_that_died_after_recording_left_its_answer(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None]
) -> None:
    offer = shop.offer()
    die_in(call, "record", after=True)
    dies(shop, offer)
    reply = shop.order(offer, KEY)
    assert (reply.status, reply.headers["Idempotent-Replayed"]) == (201, "true")
    assert reply.body == shop.read(reply.body["id"])
    assert violations(supplier.report()) == []


def test_an_operation_still_in_other_hands_is_in_progress_and_that_is_not_stored(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    """The key was claimed before the operation's lease began, so the key is free a moment earlier."""
    offer = shop.offer()
    supplier.meanwhile("reprice", lambda: move_clock(seconds=20))
    die_in(call, "call_supplier", after=True)
    dies(shop, offer)
    move_clock(seconds=26)
    early = shop.order(offer, KEY)
    assert (early.status, early.error_type) == (409, "idempotency_key_in_progress")
    assert IdempotencyRecord.objects.get(key=KEY).state == "released"
    move_clock(seconds=20)
    reply = shop.order(offer, KEY)
    assert (reply.status, supplier.calls("book")) == (201, 1)
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("dies_in", ["mark_calling", "call_supplier"])
def test_a_key_is_free_a_minute_after_the_death_however_slow_the_price_was(
    shop: FlightShop,
    supplier: ScriptedFlights,
    die_in: Callable[..., None],
    move_clock: Callable[..., None],
    dies_in: str,
) -> None:
    """Although its call began forty seconds late, and with a lease of its own."""
    offer = shop.offer()
    supplier.meanwhile("reprice", lambda: move_clock(seconds=40))
    die_in(call, dies_in, after=True)
    dies(shop, offer)
    move_clock(seconds=44)
    assert shop.order(offer, KEY).error_type == "idempotency_key_in_progress"
    move_clock(seconds=2)
    assert shop.order(offer, KEY).status == (201 if dies_in == "call_supplier" else 503)
    assert supplier.calls("find_order") == 1


def test_a_dead_call_is_not_in_progress_while_recovery_waits_for_the_supplier(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()
    die_in(call, "call_supplier", after=True)
    dies(shop, offer)
    move_clock(seconds=46)
    replies = []
    supplier.meanwhile("find_order", lambda: replies.append(shop.order(offer, KEY)))
    assert recover_due() == 1
    assert [(reply.status, reply.error_type) for reply in replies] == [(503, "upstream_unavailable")]
    assert (shop.order(offer, KEY).status, supplier.calls("find_order")) == (201, 1)
    assert violations(supplier.report()) == []


Pause = Callable[..., list[Reply]]


@pytest.fixture
def pause(monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]) -> Pause:
    """`pause(meanwhile)`: the next call stands still as it looks for what its key began, and `meanwhile` is what its successor
    sends, whose reply is in the list. With `having_looked` it has seen that there was nothing yet.
    """
    look = claim.begun_by

    def arm(meanwhile: Callable[[], Reply], *, having_looked: bool = False) -> list[Reply]:
        replies: list[Reply] = []

        def paused(caller: Any) -> Operation | None:
            seen = look(caller)
            monkeypatch.setattr(claim, "begun_by", look)
            move_clock(seconds=46)
            replies.append(meanwhile())
            return seen if having_looked else look(caller)

        monkeypatch.setattr(claim, "begun_by", paused)
        return replies

    return arm


def test_it_does_not_book_beside_its_successor(
    shop: FlightShop, supplier: ScriptedFlights, pause: Pause
) -> None:
    offer = shop.offer()
    replies = pause(lambda: shop.order(offer, KEY), having_looked=True)
    late = shop.order(offer, KEY)
    assert (late.status, late.error_type) == (409, "idempotency_key_in_progress")
    assert [reply.status for reply in replies] == [201]
    assert shop.order(offer, KEY).body == replies[0].body
    assert (supplier.calls("book"), Booking.objects.count()) == (1, 1)
    assert violations(supplier.report()) == []


def test_it_does_not_book_what_its_successor_was_refused(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, pause: Pause
) -> None:
    offer = shop.offer()
    supplier.spoil("book", Rejected())
    replies = pause(lambda: shop.order(offer, KEY))
    late = shop.order(offer, KEY)
    assert [reply.status for reply in replies] == [502]
    assert (late.status, late.error_type) == (409, "idempotency_key_in_progress")
    assert (supplier.calls("book"), funds(onboarded)) == (1, (BALANCE_CENTS, 0))
