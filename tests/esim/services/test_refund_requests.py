"""A refund request of an eSIM: sent once, and what becomes of it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from apps.bookings.flow import call, claim
from apps.bookings.flow.polling import has_ended, poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.common.errors import Conflict
from apps.esim.models import Plan, RefundRequest
from apps.esim.services.refunds import end_request
from apps.esim.suppliers.base import Usage
from apps.gateway.models import IdempotencyRecord
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import NotPossible, OutcomeUnknown, Rejected, SupplierError, Unavailable
from apps.suppliers.models import SimulatedWrite
from tests.esim.shop import (
    BALANCE_CENTS,
    VALID_UNTIL,
    Meter,
    Shop,
    a_top_up,
    an_order,
    events,
    money,
    the_order,
)
from tests.support.api import Api, Reply
from tests.support.threads import all_at_once

MoveClock = Callable[..., None]
KEY = "refund-of-monday-1"
PRICE = 411
WHY = {"reason": "trip_cancelled", "notes": "The conference was called off."}


def ask(api: Api, order: dict[str, Any], key: str | None = None, body: Any = None, **headers: str) -> Reply:
    path = f"/v1/esim/orders/{order['id']}/refund-requests"
    return api.post(path, WHY if body is None else body, key=key, **headers)


def shown(api: Api, order: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
    body = api.get(f"/v1/esim/orders/{order['id']}").body
    return body["status"], body["refundRequest"]


def state(api: Api, order: dict[str, Any]) -> tuple[str, str | None, int | None]:
    """Of the order and of its request, and what came back."""
    status, asked = shown(api, order)
    return status, asked and asked["status"], asked and asked["refundedCents"]


def asked_of_the_simulator() -> int:
    return SimulatedWrite.objects.filter(kind="refund").count()


def decisions(order: dict[str, Any]) -> list[tuple[str, int]]:
    return [
        (data["decision"], data["refundedCents"])
        for kind, data in events(order["id"])
        if kind == "esim.refund_decided"
    ]


@pytest.fixture(autouse=True)
def balanced(books_that_balance: None) -> None:
    """Whatever happens, nothing is wrong in the ledger."""


def test_what_was_not_used_is_granted_and_paid_back_once(api, partner, order, move_clock) -> None:
    assert order["refundRequest"] is None
    reply = ask(api, order)
    asked = reply.body["refundRequest"]
    assert (reply.status, reply.body["status"]) == (202, "provisioned")
    assert asked == {
        "status": "requested",
        **WHY,
        "requestedAt": asked["requestedAt"],
        "decidedAt": None,
        "refundedCents": None,
        "currency": "EUR",
    }
    assert shown(api, order) == ("provisioned", asked)
    assert money(partner) == (BALANCE_CENTS - PRICE, 0)
    move_clock(hours=23)
    poll_suppliers()
    assert state(api, order) == ("provisioned", "requested", None)
    move_clock(hours=2)
    poll_suppliers()
    assert state(api, order) == ("cancelled", "granted", PRICE)
    assert money(partner) == (BALANCE_CENTS, 0)
    kinds = [kind for kind, _ in events(order["id"])]
    assert sorted(kinds) == [
        "booking.cancelled",
        "esim.provisioned",
        "esim.refund_decided",
        "payment.refunded",
    ]
    assert decisions(order) == [("granted", PRICE)]
    move_clock(days=2)
    assert poll_suppliers() == 0
    assert (decisions(order), money(partner)) == ([("granted", PRICE)], (BALANCE_CENTS, 0))
    assert RefundRequest.objects.get().status == "granted"
    assert ask(api, order).status == 409


BAD: dict[str, tuple[Any, list[str]]] = {
    "nothing": ({}, ["reason"]),
    "no such reason": ({"reason": "rain"}, ["reason"]),
    "a reason of theirs": ({"reason": "TRIP_CANCELLATION"}, ["reason"]),
    "no text": ({"reason": 7}, ["reason"]),
    "other without notes": ({"reason": "other"}, ["notes"]),
    "other with null": ({"reason": "other", "notes": None}, ["notes"]),
    "blank notes": ({"reason": "other", "notes": "  "}, ["notes"]),
    "long notes": ({"reason": "other", "notes": "x" * 256}, ["notes"]),
    "notes of a number": ({"reason": "no_coverage", "notes": 7}, ["notes"]),
    "notes with a NUL": ({"reason": "other", "notes": "a\0"}, []),
    "an unknown field": ({"reason": "no_coverage", "amount": 7}, ["amount"]),
    "a list": ([], []),
}


@pytest.mark.parametrize(("body", "fields"), BAD.values(), ids=BAD)
def test_bad_input_names_its_field_and_asks_nobody(api, order, body, fields) -> None:
    reply = ask(api, order, body=body)
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    assert [detail["field"] for detail in reply.error.get("details", []) if detail["field"]] == fields
    assert (asked_of_the_simulator(), Operation.objects.count()) == (0, 1)


@pytest.mark.parametrize("body", [{"reason": "no_coverage"}, {"reason": "other", "notes": "x" * 255}])
def test_notes_are_for_other_reasons_or_left_out(api, order, body) -> None:
    asked = ask(api, order, body=body).body["refundRequest"]
    assert (asked["reason"], asked["notes"]) == (body["reason"], body.get("notes"))


@pytest.mark.parametrize(
    ("reading", "status"),
    [
        (Usage("not_installed", 1024, 0, None), 202),
        (Usage("active", 1024, 0, VALID_UNTIL), 202),
        (Usage("active", None, 0, VALID_UNTIL), 202),
        (Unavailable("away"), 202),
        (Usage("active", 1024, 1, VALID_UNTIL), 409),
        (Usage("depleted", 1024, 1024, VALID_UNTIL), 409),
        (Usage("expired", 1024, 0, VALID_UNTIL), 409),
    ],
)
def test_a_plan_that_was_used_or_is_over_is_refused(api, order, meter: Meter, reading, status) -> None:
    meter.reading = reading
    reply = ask(api, order)
    assert (reply.status, asked_of_the_simulator()) == (status, int(status == 202))
    if status == 409:
        assert (reply.error_type, shown(api, order)[1]) == ("conflict", None)


@pytest.mark.parametrize("status", ["pending", "cancelled", "failed"])
def test_an_order_that_does_not_stand_is_refused(api, order, status) -> None:
    Booking.objects.filter(pk=order["id"]).update(status=status)
    reply = ask(api, order)
    assert (reply.status, reply.error_type, asked_of_the_simulator()) == (409, "conflict", 0)


def test_a_pending_order_is_refused(api: Api, late_plan: Plan) -> None:
    assert ask(api, an_order(api, late_plan)).status == 409


def test_a_top_up_is_no_order_that_could_be_refunded(api: Api, order) -> None:
    top_up = a_top_up(api, order)
    assert ask(api, top_up).status == 404
    assert asked_of_the_simulator() == 0


def test_one_request_is_open_at_a_time_and_its_key_is_replayed(api: Api, order) -> None:
    assert ask(api, order, KEY).status == 202
    refused = ask(api, order)
    assert (refused.status, refused.error_type) == (409, "conflict")
    again = ask(api, order, KEY)
    assert (again.status, again.headers["Idempotent-Replayed"]) == (202, "true")
    assert asked_of_the_simulator() == 1


class Scripted(Shop):
    """The simulator, which raises `fault` at a request: before it is written, or after (`heard`)."""

    def __init__(self, fault: Exception | None = None, *, heard: bool = False) -> None:
        super().__init__()
        self.fault, self.heard = fault, heard

    def request_refund(self, *asked: str) -> str:
        if self.fault is None or self.heard:
            reference = super().request_refund(*asked)
        if self.fault is not None:
            raise self.fault
        return reference


@pytest.mark.parametrize(
    ("error", "status"),
    [(Rejected("no"), 502), (Unavailable("away"), 503), (NotPossible("It was refunded."), 409)],
    ids=["rejected", "away", "not possible"],
)
def test_a_refusal_leaves_nothing_open_and_the_retry_is_a_new_attempt(
    api: Api, order, supplier_is, error: SupplierError, status: int
) -> None:
    scripted = Scripted(error)
    supplier_is(scripted)
    assert ask(api, order, KEY).status == status
    assert (shown(api, order)[1], RefundRequest.objects.count()) == (None, 0)
    scripted.fault = None
    assert ask(api, order, KEY if status >= 500 else None).status == 202
    assert asked_of_the_simulator() == 1


@pytest.mark.parametrize(("heard", "end"), [(True, "granted"), (False, "declined")])
def test_a_lost_answer_counts_as_requested_and_is_never_sent_again(
    api, order, supplier_is, move_clock, heard: bool, end: str
) -> None:
    supplier_is(Scripted(OutcomeUnknown("lost"), heard=heard))
    assert ask(api, order, KEY).status == 202
    assert ask(api, order, KEY).headers["Idempotent-Replayed"] == "true"
    assert RefundRequest.objects.get().is_certain is False
    assert asked_of_the_simulator() == int(heard)
    for _ in range(3):
        move_clock(hours=25)
        recover_due()
        poll_suppliers()
    assert state(api, order)[1] == end
    assert asked_of_the_simulator() == int(heard)


class Died(BaseException):
    """The process ends here."""


WHERE = {
    "before it holds the operation": (claim, "perform", False, 0),
    "before it calls": (call, "mark_calling", True, 0),
    "after the supplier has it": (call, "call_supplier", True, 1),
    "before it writes": (call, "confirm", False, 1),
    "after it has written": (call, "confirm", True, 1),
}


@pytest.mark.parametrize("by_itself", [True, False], ids=["recovered", "retried"])
@pytest.mark.parametrize(("module", "name", "after", "sent"), WHERE.values(), ids=WHERE)
def test_a_process_that_dies_never_sends_it_twice(
    api, order, monkeypatch, move_clock, module: Any, name: str, after: bool, sent: int, by_itself: bool
) -> None:
    real = getattr(module, name)

    def dying(*given: Any, **named: Any) -> Any:
        if after:
            real(*given, **named)
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr(module, name, dying)
        with pytest.raises(Died):
            ask(api, order, KEY)
    was_never_called = Operation.objects.get(kind="refund").state == "held"
    assert asked_of_the_simulator() == sent
    move_clock(seconds=120)
    stale = the_order(order["id"]).created_at
    IdempotencyRecord.objects.filter(key=KEY, completed_at=None).update(lease_until=stale)
    if by_itself:
        for _ in range(3):
            recover_due()
            move_clock(seconds=120)
    reply = ask(api, order, KEY)
    assert (reply.status, reply.body["refundRequest"]["status"]) == (202, "requested")
    assert asked_of_the_simulator() == (1 if was_never_called else sent)
    assert Operation.objects.filter(kind="refund", state="confirmed").count() == 1


# --- What becomes of it ---------------------------------------------------------------------------------------------------
def decide(order: dict[str, Any], status: str, cents: int = 0) -> None:
    asked = RefundRequest.objects.get(booking=order["id"])
    end_request(booking_id=order["id"], client_ref=asked.client_ref, status=status, amount_cents=cents)


def test_a_part_is_refunded_once_and_the_order_goes_on(api, partner, order, move_clock) -> None:
    ask(api, order)
    decide(order, "granted", 100)
    assert state(api, order) == ("provisioned", "granted", 100)
    assert money(partner) == (BALANCE_CENTS - PRICE + 100, 0)
    assert decisions(order) == [("granted", 100)]
    with pytest.raises(Conflict):
        decide(order, "granted", 100)
    assert ask(api, order).status == 409
    move_clock(hours=25)  # the supplier gives back the rest by itself
    poll_suppliers()
    assert state(api, order) == ("cancelled", "granted", 100)
    assert money(partner) == (BALANCE_CENTS, 0)
    assert decisions(order) == [("granted", 100)]
    refunds = [data["refundCents"] for kind, data in events(order["id"]) if kind == "payment.refunded"]
    assert refunds == [100, PRICE - 100]


def test_what_is_declined_may_be_asked_for_again(api, partner, order) -> None:
    ask(api, order)
    decide(order, "declined")
    assert state(api, order) == ("provisioned", "declined", 0)
    assert (decisions(order), money(partner)) == ([("declined", 0)], (BALANCE_CENTS - PRICE, 0))


def test_the_sandbox_lets_a_request_lie_when_asked_to_and_declines_it(api, order, move_clock) -> None:
    reply = ask(api, order, X_Partner_Customer_Ref="sbx_pending")
    assert (reply.status, reply.headers["X-Sandbox-Trigger"]) == (202, "sbx_pending")
    move_clock(hours=24)
    poll_suppliers()
    assert state(api, order)[1] == "requested"
    move_clock(hours=2)
    poll_suppliers()
    assert (state(api, order), decisions(order)) == (("provisioned", "declined", 0), [("declined", 0)])
    assert ask(api, order).status == 409  # it was used meanwhile


def test_it_is_polled_although_the_plan_is_long_over(api: Api, plan: Plan, move_clock) -> None:
    order = an_order(api, plan)
    Booking.objects.update(watched_until=None, next_news_at=None)
    ask(api, order)
    booking = the_order(order["id"])
    assert booking.watched_until is not None
    assert (booking.watched_until - booking.created_at).days == 60
    move_clock(hours=25)
    assert poll_suppliers() == 1


@pytest.mark.django_db(transaction=True)
def test_of_several_at_once_one_is_sent(api: Api, order) -> None:
    replies = all_at_once([partial(ask, api, order)] * 4)
    assert sorted(reply.status for reply in replies) == [202, 409, 409, 409]
    assert asked_of_the_simulator() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("cents", [PRICE, 100])
def test_staff_and_the_poll_refund_it_once(
    api: Api, partner: Onboarded, plan: Plan, move_clock, cents: int
) -> None:
    for _ in range(4):
        order = an_order(api, plan)
        before = sum(money(partner))
        assert ask(api, order).status == 202
        move_clock(hours=24, minutes=30)

        def by_staff(order: dict[str, Any] = order) -> None:
            try:
                decide(order, "granted", cents)
            except Conflict:
                return

        poll = partial(has_ended, the_order(order["id"]))
        all_at_once([by_staff, poll, by_staff, poll])
        has_ended(the_order(order["id"]))
        assert state(api, order)[:2] == ("cancelled", "granted")
        assert sum(money(partner)) == before + PRICE
        assert len(decisions(order)) == 1
        assert check_ledger() == []
