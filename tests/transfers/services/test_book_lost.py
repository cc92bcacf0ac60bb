"""Orders that the supplier refuses, and orders whose answer is lost."""

from dataclasses import replace
from typing import Any

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Operation
from apps.onboarding.partners import Onboarded
from apps.transfers.services.book import OrderTransfer
from apps.transfers.suppliers.base import OrderRequest
from tests.support.api import Api
from tests.transfers.agency import (
    BALANCE_CENTS,
    an_offer,
    an_order,
    events,
    money,
    order,
    the_booking,
)


def test_a_failed_orders_funds_were_released_and_its_reference_is_free(api: Api, partner: Onboarded) -> None:
    offer = an_offer(api)
    refused = order(api, offer["quoteId"], ref="sbx_supplier_error", externalReference="R-4")
    assert (refused.status, refused.error_type) == (502, "upstream_error")
    assert money(partner) == (BALANCE_CENTS, 0)
    (failed,) = api.get("/v1/transfers/orders?status=failed").body["data"]
    assert failed["settlement"] == {
        "funds": "released",
        "amountCents": offer["totalCents"],
        "currency": "EUR",
        "resolvedAt": failed["updatedAt"],
    }
    assert failed["pickup"] is None
    assert order(api, offer["quoteId"], externalReference="R-4").status == 201


def test_a_lost_answer_is_looked_up_and_never_booked_twice(api, partner, company):
    offer = an_offer(api)
    company.loses_answers = True
    lost = order(api, offer["quoteId"], key="lost-answer-1")
    assert (lost.status, lost.error_type) == (503, "upstream_unavailable")
    (pending,) = api.get("/v1/transfers/orders?status=pending").body["data"]
    assert pending["settlement"]["funds"] == "still_held"
    assert money(partner)[1] == offer["totalCents"]
    again = order(api, offer["quoteId"], key="lost-answer-1")
    assert (again.status, again.body["id"], again.body["status"]) == (201, pending["id"], "confirmed")
    assert company.bookings == 1
    assert events(pending["id"])[0][0] == "booking.confirmed"


def test_an_order_that_is_another_bookings_is_no_answer(api, company, monkeypatch, move_clock):
    other = the_booking(an_order(api)["id"])
    other.supplier_name = "vendor"
    other.save()
    company.loses_answers = True
    assert order(api, an_offer(api)["quoteId"]).status == 503
    find = company.find_order

    def finding_the_other(*asked: Any) -> Any:
        return replace(find(*asked), supplier_reference=other.supplier_reference)

    with monkeypatch.context() as patched:
        patched.setattr(company, "find_order", finding_the_other)
        move_clock(seconds=60)
        recover_due()
    operation = Operation.objects.latest("id")
    assert (operation.state, operation.booking.status) == ("uncertain", "pending")
    move_clock(seconds=60)
    recover_due()
    assert Operation.objects.latest("id").state == "confirmed"


def test_a_look_up_says_when_the_order_was_sent_and_which_ones_it_is_not(live, former, monkeypatch):
    like = the_booking(an_order(live)["id"])
    former.loses_answers = True
    assert order(live, an_offer(live)["quoteId"]).status == 503
    operation = Operation.objects.latest("id")
    asked: list[OrderRequest] = []
    monkeypatch.setattr(former, "find_order", lambda client_ref, request: asked.append(request))
    assert OrderTransfer().find(operation) is None
    assert [(request.sent_at, request.others) for request in asked] == [
        (operation.call_started_at, (like.supplier_reference,))
    ]
