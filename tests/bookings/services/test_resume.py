"""A retry with the same Idempotency-Key, whatever state the first call left behind: one booking, never a second blind call."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation, OperationState
from apps.bookings.services import perform, resume
from apps.bookings.services.lease import LeaseLost
from apps.bookings.services.recover import recover_due
from apps.common import clock
from apps.common.errors import IdempotencyKeyInProgress, UpstreamUnavailable
from apps.gateway.call import Caller
from apps.gateway.idempotency import Claim
from apps.gateway.models import IdempotencyRecord
from apps.keys.partner import Partner
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected, Unavailable
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

KEY = "order-of-monday-1"


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


def test_a_process_that_died_holding_funds_is_continued(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()
    die_in(resume, "perform")
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
    die_in(perform, name, after=after)
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
    die_in(perform, "mark_calling", after=True)
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
    die_in(perform, "record", after=True)
    dies(shop, offer)
    reply = shop.order(offer, KEY)
    assert (reply.status, reply.headers["Idempotent-Replayed"]) == (201, "true")
    assert reply.body == shop.read(reply.body["id"])
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


def test_an_operation_still_in_other_hands_is_in_progress_and_that_is_not_stored(
    shop: FlightShop, supplier: ScriptedFlights, die_in: Callable[..., None], move_clock: Callable[..., None]
) -> None:
    """The key was claimed before the operation's lease began, so the key is free a moment earlier."""
    offer = shop.offer()
    supplier.meanwhile("reprice", lambda: move_clock(seconds=20))
    die_in(perform, "call_supplier", after=True)
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
    die_in(perform, dies_in, after=True)
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
    die_in(perform, "call_supplier", after=True)
    dies(shop, offer)
    move_clock(seconds=46)
    replies = []
    supplier.meanwhile("find_order", lambda: replies.append(shop.order(offer, KEY)))
    assert recover_due() == 1
    assert [(reply.status, reply.error_type) for reply in replies] == [(503, "upstream_unavailable")]
    assert (shop.order(offer, KEY).status, supplier.calls("find_order")) == (201, 1)
    assert violations(supplier.report()) == []


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


RECORD = 4_711


def caller_with(*, taken_over: bool | None) -> Caller:
    """Without a claim where `taken_over` is None."""
    claim = None if taken_over is None else Claim(RECORD, uuid.UUID(int=7), clock.now(), taken_over)
    return Caller(
        Partner("acct_1", "active", "key_1", "test", frozenset(), (), "EUR", 0), "req_1", claim=claim
    )


@pytest.fixture
def begun(onboarded: Onboarded) -> Callable[..., Operation]:
    """`begun(state="failed")`: an operation of RECORD, and a booking of its own."""

    def make(**columns: Any) -> Operation:
        columns = {"idempotency_record_id": RECORD, "hold_id": "", **columns}
        return an_operation(a_booking(onboarded.test_key, status="pending"), **columns)

    return make


def test_a_retry_finds_the_latest_attempt_of_its_own_key(begun: Callable[..., Operation]) -> None:
    begun(state="failed")
    latest_own = begun(state="uncertain")
    begun(state="confirmed", idempotency_record_id=RECORD + 1)
    assert resume.begun_by(caller_with(taken_over=True)) == latest_own


@pytest.mark.parametrize("taken_over", [None, False])
def test_the_first_call_with_a_key_looks_for_nothing(
    begun: Callable[..., Operation],
    django_assert_num_queries: Callable[..., Any],
    taken_over: bool | None,
) -> None:
    begun(state="uncertain")
    with django_assert_num_queries(0):
        assert resume.begun_by(caller_with(taken_over=taken_over)) is None


@pytest.mark.parametrize(
    ("earlier", "carried_on"), [(None, False), ("failed", False), ("uncertain", True), ("confirmed", True)]
)
def test_only_what_has_not_failed_is_carried_on(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch, earlier: str | None, carried_on: bool
) -> None:
    caller = caller_with(taken_over=True)
    before = begun(state=earlier) if earlier else None
    anew = Operation()
    monkeypatch.setattr(resume, "perform", lambda operation, *, caller: ("anew", operation, caller))
    monkeypatch.setattr(resume, "resume", lambda operation, *, caller: ("on", operation, caller))
    assert resume.carry_out(caller=caller, begin=lambda: anew) == (
        ("on", before, caller) if carried_on else ("anew", anew, caller)
    )


@pytest.mark.parametrize(
    ("state", "refusal"),
    [("uncertain", LeaseLost), ("calling", IdempotencyKeyInProgress), ("held", IdempotencyKeyInProgress)],
)
def test_what_another_process_is_at_work_on_is_left_to_it(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch, state: str, refusal: type[Exception]
) -> None:
    operation = begun(state=state, lease_until=clock.now() + timedelta(seconds=5))
    monkeypatch.setattr(resume, "perform", pytest.fail)
    monkeypatch.setattr(resume, "look_up", pytest.fail)
    with pytest.raises(refusal) as refused:
        resume.resume(operation, caller=caller_with(taken_over=True))
    assert type(refused.value) is refusal


@pytest.mark.parametrize("state", ["calling", "uncertain"])
@pytest.mark.parametrize("has_it", [True, False])
def test_what_the_supplier_may_have_is_looked_up_and_never_called(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch, state: str, has_it: bool
) -> None:
    operation = begun(state=state)
    monkeypatch.setattr(resume, "perform", pytest.fail)
    monkeypatch.setattr(resume, "look_up", lambda operation: has_it)
    if has_it:
        assert resume.resume(operation, caller=caller_with(taken_over=True)) is operation.booking
        return
    with pytest.raises(UpstreamUnavailable) as refused:
        resume.resume(operation, caller=caller_with(taken_over=True))
    assert type(refused.value) is UpstreamUnavailable


def test_what_was_never_called_is_called_under_a_lease_of_ones_own(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = begun(state="held")
    before, caller = operation.lease_token, caller_with(taken_over=True)
    monkeypatch.setattr(resume, "perform", lambda operation, *, caller: (operation.lease_token, caller))
    monkeypatch.setattr(resume, "look_up", pytest.fail)
    assert resume.resume(operation, caller=caller) == (latest().lease_token, caller)
    assert latest().lease_token != before


def test_what_is_with_staff_is_said_in_words_that_may_be_kept(begun: Callable[..., Operation]) -> None:
    operation = begun(state="review")
    with pytest.raises(UpstreamUnavailable) as refused:
        resume.resume(operation, caller=caller_with(taken_over=True))
    assert refused.value.own_texts == {"Our staff are clarifying this booking with the supplier."}


def test_a_lease_lost_while_looking_is_no_broken_look_up(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(operation: Operation) -> bool:
        raise LeaseLost

    monkeypatch.setattr(resume, "look_up", lost)
    monkeypatch.setattr(resume, "wait_anyway", pytest.fail)
    with pytest.raises(LeaseLost):
        resume.found(begun(state="uncertain"))


def test_a_look_up_that_breaks_found_nothing_and_waits(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(operation: Operation) -> bool:
        raise KeyError("an answer that nobody foresaw")

    monkeypatch.setattr(resume, "look_up", broken)
    assert resume.found(begun(state="uncertain")) is False
    assert (latest().state, latest().lookups) == ("uncertain", 1)
