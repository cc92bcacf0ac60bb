"""The reconciliation worker on transfers: what a confirmed order's held funds become."""

import pytest
from django.core.management import call_command

from apps.bookings.flow.reconcile import settle, settle_owed
from apps.bookings.models import Settlement
from apps.common.clock import rfc3339
from apps.ledger.models import Hold
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from apps.transfers.services.book import OrderTransfer
from apps.transfers.suppliers.registry import VENDORS
from tests.support.api import Api
from tests.support.product_handlers import assert_stays_with_its_supplier
from tests.transfers.agency import (
    BALANCE_CENTS,
    Company,
    an_offer,
    an_order,
    events,
    money,
    order,
    read,
    steps,
)


def test_the_worker_captures_what_is_held(api: Api, partner: Onboarded) -> None:
    before = an_order(api)
    total = before["totalCents"]
    assert settle_owed() == 1
    after = read(api, before["id"])
    settled_at = Settlement.objects.get().settled_at
    assert settled_at is not None
    assert after["settlement"] == {
        "funds": "captured",
        "amountCents": total,
        "currency": "EUR",
        "resolvedAt": rfc3339(settled_at),
    }
    moved = {"settlement", "updatedAt"}
    assert {k: v for k, v in after.items() if k not in moved} == {
        k: v for k, v in before.items() if k not in moved
    }
    assert money(partner) == (BALANCE_CENTS - total, 0)
    assert steps(partner) == [("hold", -total), ("capture", -total)]
    assert check_ledger() == []


def test_a_settlement_is_carried_out_once(api: Api, partner: Onboarded) -> None:
    an_order(api)
    settlement = Settlement.objects.get()
    assert [settle(settlement.pk), settle(settlement.pk)] == [True, False]
    assert settle_owed() == 0
    assert [kind for kind, _ in steps(partner)] == ["hold", "capture"]


def test_a_capture_is_no_event_of_its_own(api: Api) -> None:
    body = an_order(api)
    settle_owed()
    assert [kind for kind, _ in events(body["id"])] == ["booking.confirmed"]


def test_what_was_held_above_the_price_booked_comes_back_with_the_capture(
    api: Api, partner: Onboarded, company: Company
) -> None:
    offer = an_offer(api)
    company.at_percent(90)
    body = order(api, offer["quoteId"]).body
    assert money(partner)[1] == offer["totalCents"] > body["totalCents"]
    settle_owed()
    assert money(partner) == (BALANCE_CENTS - body["totalCents"], 0)
    hold = Hold.objects.get()
    assert (hold.status, hold.captured_cents) == ("captured", body["totalCents"])


def test_the_oldest_are_settled_first_and_the_rest_later(api: Api) -> None:
    bodies = [an_order(api) for _ in range(3)]
    assert settle_owed(batch=2, seconds=0) == 2
    assert [read(api, body["id"])["settlement"]["funds"] for body in bodies] == [
        "captured",
        "captured",
        "still_held",
    ]
    assert settle_owed() == 1


def test_a_command_settles_without_celery(api: Api, capsys) -> None:
    body = an_order(api)
    call_command("settle_owed")
    assert capsys.readouterr().out == "1 settled\n"
    assert read(api, body["id"])["settlement"]["funds"] == "captured"


def test_an_order_stays_with_the_supplier_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_stays_with_its_supplier(OrderTransfer(), VENDORS, Company(), monkeypatch)
