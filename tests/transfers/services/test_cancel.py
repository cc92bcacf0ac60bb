from collections.abc import Callable
from dataclasses import replace

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.suppliers.models import SupplierAlert
from apps.transfers.services.cancel import CancelTransfer
from apps.transfers.suppliers.base import Cancellation
from tests.support.api import Api
from tests.transfers.agency import (
    BALANCE_CENTS,
    FEE,
    FREE,
    NOTHING_BACK,
    Company,
    an_order,
    cancel,
    events,
    money,
    read,
    steps,
    the_booking,
)


def penalty_of(order: dict) -> int:
    """What the order's policy says that cancelling costs today."""
    first = order["cancellationPolicy"][0]
    return first["amountCents"] if first["from"] is None else 0


@pytest.mark.parametrize(
    ("category", "captured", "funds"),
    [
        (FREE, False, "released"),
        (FEE, False, "released"),
        (NOTHING_BACK, False, "captured"),
        (FREE, True, "refunded"),
        (FEE, True, "refunded"),
        (NOTHING_BACK, True, "captured"),
    ],
)
def test_a_cancellation_returns_all_but_the_penalty(api, partner, category: str, captured: bool, funds: str):
    order = an_order(api, category)
    total, penalty = order["totalCents"], penalty_of(order)
    if captured:
        assert settle_owed() == 1
    before = read(api, order["id"])["settlement"]
    reply = cancel(api, order["id"], {"reason": "Plans changed"})
    assert (reply.status, reply.body["status"]) == (200, "cancelled")
    assert reply.body["cancellation"] == {
        "cancelledAt": reply.body["cancellation"]["cancelledAt"],
        "penaltyCents": penalty,
        "refundCents": total - penalty,
        "currency": "EUR",
        "reason": "Plans changed",
    }
    settlement = reply.body["settlement"]
    returned = total if funds == "captured" else total - penalty
    assert (settlement["funds"], settlement["amountCents"]) == (funds, returned)
    assert settlement == before if captured and funds == "captured" else settlement["resolvedAt"]
    assert money(partner) == (BALANCE_CENTS - penalty, 0)
    moved = [("hold", -total), ("capture", -total if captured else -penalty)]
    moved.append(("refund" if captured else "release", total - penalty))
    assert steps(partner) == [(kind, cents) for kind, cents in moved if cents]
    assert check_ledger() == []
    assert settle_owed() == 0
    assert read(api, order["id"]) == reply.body


@pytest.mark.parametrize("captured", [False, True], ids=["held", "captured"])
def test_money_that_comes_back_is_told(api: Api, captured: bool) -> None:
    order = an_order(api, FEE)
    if captured:
        settle_owed()
    cancel(api, order["id"])
    refund = order["totalCents"] - penalty_of(order)
    told = events(order["id"])
    assert [kind for kind, _ in told] == ["booking.confirmed", "booking.cancelled", "payment.refunded"]
    common = {
        "bookingType": "transfer",
        "bookingId": order["id"],
        "bookingReference": order["reference"],
        "externalReference": None,
    }
    assert told[1][1] == {**common, "refunded": True, "refundCents": refund, "currency": "EUR"}
    assert told[2][1] == {**common, "refundCents": refund, "currency": "EUR"}


def test_no_refund_is_told_where_nothing_comes_back(api: Api) -> None:
    order = an_order(api, NOTHING_BACK)
    cancel(api, order["id"])
    told = events(order["id"])
    assert [kind for kind, _ in told] == ["booking.confirmed", "booking.cancelled"]
    assert (told[1][1]["refunded"], told[1][1]["refundCents"]) == (False, 0)


def test_a_penalty_above_the_limit_cancels_nothing(api: Api, partner: Onboarded) -> None:
    order = an_order(api, FEE)
    reply = cancel(api, order["id"], {"maxPenaltyCents": penalty_of(order) - 1})
    assert (reply.status, reply.error_type) == (409, "conflict")
    assert reply.error["penaltyCents"] == penalty_of(order)
    assert read(api, order["id"]) == order
    assert money(partner)[1] == order["totalCents"]
    assert cancel(api, order["id"], {"maxPenaltyCents": penalty_of(order)}).status == 200


def test_a_penalty_above_what_was_paid_is_what_was_paid(api, partner, company, monkeypatch):
    """Where the supplier took more than it had said, the partner did not pay that."""
    order = an_order(api, NOTHING_BACK)
    total = order["totalCents"]
    dearer = Cancellation(total + 100, 0, "EUR")
    monkeypatch.setattr(company, "quote_cancellation", lambda supplier_reference: dearer)
    reply = cancel(api, order["id"], {"maxPenaltyCents": total})
    assert (reply.status, reply.body["cancellation"]["penaltyCents"]) == (200, total)
    assert money(partner) == (BALANCE_CENTS - total, 0)


def test_a_lost_cancellation_is_looked_up_and_settled_once(api, partner, company):
    order = an_order(api, FEE)
    company.loses_answers = True
    lost = cancel(api, order["id"], key="lost-cancel-1")
    assert (lost.status, lost.error_type) == (503, "upstream_unavailable")
    assert read(api, order["id"])["status"] == "confirmed"
    again = cancel(api, order["id"], key="lost-cancel-1")
    assert (again.status, again.body["status"]) == (200, "cancelled")
    assert money(partner) == (BALANCE_CENTS - penalty_of(order), 0)


def test_a_lost_cancellation_costs_no_more_than_was_quoted(api, partner, company, monkeypatch):
    order = an_order(api, FEE)
    total, penalty = order["totalCents"], penalty_of(order)
    company.loses_answers = True
    assert cancel(api, order["id"], {"maxPenaltyCents": penalty}, key="lost-cancel-2").status == 503
    dearer = Cancellation(total, 0, "EUR")
    monkeypatch.setattr(company, "find_cancellation", lambda client_ref, supplier_reference: dearer)
    again = cancel(api, order["id"], {"maxPenaltyCents": penalty}, key="lost-cancel-2")
    assert (again.status, again.body["cancellation"]["penaltyCents"]) == (200, penalty)
    assert money(partner) == (BALANCE_CENTS - penalty, 0)
    told = f"{order['supplier']['reference']}: cancelled for more than was quoted"
    assert list(SupplierAlert.objects.values_list("kind", "detail")) == [("price_above_quote", told)]


@pytest.mark.parametrize(("share", "captured"), [(0, False), (3, False), (1, True), (1, False)])
def test_an_order_that_the_company_cancelled_by_itself_costs_what_it_says(
    api: Api,
    partner: Onboarded,
    company: Company,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: Callable[..., None],
    share: int,
    captured: bool,
) -> None:
    """Nobody agreed to a price beforehand; no more is kept than was paid."""
    order = an_order(api)
    if captured:
        settle_owed()
    total, said = order["totalCents"], share * order["totalCents"] // 2
    stands = company.read_order
    cost = Cancellation(said, total - said, "EUR")
    monkeypatch.setattr(
        company, "read_order", lambda reference: replace(stands(reference), cancellation=cost)
    )
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1
    kept = min(said, total)
    ended = read(api, order["id"])["cancellation"]
    assert (ended["penaltyCents"], ended["refundCents"]) == (kept, total - kept)
    assert money(partner) == (BALANCE_CENTS - kept, 0)
    assert check_ledger() == []


def test_a_supplier_s_own_cancellation_whose_cost_is_in_another_currency_costs_nothing(
    api: Api, company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = an_order(api)
    stands, cost = company.read_order, Cancellation(1_000, 0, "JPY")
    monkeypatch.setattr(
        company, "read_order", lambda reference: replace(stands(reference), cancellation=cost)
    )
    told = CancelTransfer().cancelled_by_supplier(the_booking(order["id"]))
    assert told == Cancellation(0, order["totalCents"], "EUR")
    assert SupplierAlert.objects.get().kind == "full_credit"


def test_a_capture_between_a_lost_cancellation_and_its_recovery_is_refunded(
    api: Api, partner: Onboarded, company: Company, move_clock: Callable[..., None]
) -> None:
    order = an_order(api, FEE)
    company.loses_answers = True
    assert cancel(api, order["id"]).status == 503
    assert settle_owed() == 1
    move_clock(seconds=60)
    recover_due()
    found = read(api, order["id"])
    assert (found["status"], found["settlement"]["funds"]) == ("cancelled", "refunded")
    assert money(partner) == (BALANCE_CENTS - penalty_of(order), 0)
    assert check_ledger() == []
