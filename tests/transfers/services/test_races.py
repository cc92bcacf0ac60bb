"""The reconciliation worker against cancellations, with real transactions: every cent ends where it belongs."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from apps.bookings.flow.reconcile import settle, settle_owed
from apps.bookings.models import Settlement
from apps.ledger.consistency import check_ledger
from apps.ledger.models import LedgerTransaction
from tests.support.api import Api, Reply
from tests.transfers.agency import BALANCE_CENTS, FEE, a_partner, an_offer, cancel, events, money, order, read

pytestmark = pytest.mark.django_db(transaction=True)

ORDERS = 40


def test_of_a_capture_and_a_cancellation_at_once_each_order_ends_with_its_exact_money() -> None:
    partner = a_partner()
    api = Api(partner.test_secret)
    quote = an_offer(api, FEE)["quoteId"]
    orders = [order(api, quote).body for _ in range(ORDERS)]
    settlements = dict(Settlement.objects.values_list("booking_id", "pk"))
    both_are_first_once = Barrier(2, timeout=60)

    def captures() -> list[bool]:
        try:
            first, *others = [settlements[body["id"]] for body in orders]
            captured = settle(first)
            both_are_first_once.wait()
            return [captured, *[settle(pk) for pk in others]]
        finally:
            connection.close()

    def cancellations() -> list[Reply]:
        try:
            # From the other end: the two meet on the way.
            first, *others = [body["id"] for body in reversed(orders)]
            reply = cancel(Api(partner.test_secret), first)
            both_are_first_once.wait()
            return [reply, *[cancel(Api(partner.test_secret), order_id) for order_id in others]]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        captured, replies = threads.submit(captures), threads.submit(cancellations)
        by_worker = dict(zip((body["id"] for body in orders), captured.result(), strict=True))
        assert {reply.status for reply in replies.result()} == {200}

    assert set(by_worker.values()) == {True, False}
    for body in orders:
        check_one(api, body, captured=by_worker[body["id"]])
    penalties = sum(body["cancellationPolicy"][0]["amountCents"] for body in orders)
    assert money(partner) == (BALANCE_CENTS - penalties, 0)
    assert check_ledger() == []
    assert settle_owed() == 0


def check_one(api: Api, body: dict, *, captured: bool) -> None:
    """Captured first: refunded but for the penalty. Cancelled first: the penalty captured, and the rest released."""
    total, penalty = body["totalCents"], body["cancellationPolicy"][0]["amountCents"]
    after = read(api, body["id"])
    assert after["status"] == "cancelled"
    assert after["settlement"]["funds"] == ("refunded" if captured else "released")
    assert after["settlement"]["amountCents"] == total - penalty
    lines = LedgerTransaction.objects.filter(booking_reference=body["reference"]).order_by("created_at")
    moved = [(line.type, line.amount_cents, line.held_delta_cents) for line in lines]
    end = (
        [("capture", 0, -total), ("refund", total - penalty, 0)]
        if captured
        else [("capture", 0, -penalty), ("release", total - penalty, -(total - penalty))]
    )
    assert moved == [("hold", -total, total), *end]
    told = [kind for kind, _ in events(body["id"])]
    assert told == ["booking.confirmed", "booking.cancelled", "payment.refunded"]


def test_two_cancellations_at_once_move_money_once() -> None:
    partner = a_partner()
    api = Api(partner.test_secret)
    body = order(api, an_offer(api, FEE)["quoteId"]).body
    replies = at_once(*[lambda: cancel(Api(partner.test_secret), body["id"])] * 4)
    assert sorted(reply.status for reply in replies) == [200, 409, 409, 409]
    check_one(api, body, captured=False)
    assert check_ledger() == []


def test_four_workers_settle_every_order_once() -> None:
    partner = a_partner()
    api = Api(partner.test_secret)
    quote = an_offer(api)["quoteId"]
    orders = [order(api, quote).body for _ in range(20)]
    assert sum(at_once(*[settle_owed] * 4)) == len(orders)
    total = sum(body["totalCents"] for body in orders)
    assert money(partner) == (BALANCE_CENTS - total, 0)
    assert {read(api, body["id"])["settlement"]["funds"] for body in orders} == {"captured"}
    assert check_ledger() == []


def at_once(*calls):
    """The results of all calls, begun together in threads of their own."""
    start = Barrier(len(calls))

    def begin(call):
        start.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(begin, calls))
