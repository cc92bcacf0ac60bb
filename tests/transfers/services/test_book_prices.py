"""What an order costs, where the price has changed, and where it is not covered."""

from apps.bookings.models import Operation, Settlement
from apps.onboarding.services.onboard_partner import Onboarded
from tests.support.api import Api
from tests.transfers.agency import (
    BALANCE_CENTS,
    Company,
    a_partner,
    an_offer,
    money,
    order,
)


def test_a_dearer_price_is_refused_and_nothing_is_held(
    api: Api, partner: Onboarded, company: Company
) -> None:
    offer = an_offer(api)
    company.at_percent(110)
    reply = order(api, offer["quoteId"])
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["previousTotalCents"] == offer["totalCents"]
    assert reply.error["currentTotalCents"] == an_offer(api)["totalCents"] > offer["totalCents"]
    assert money(partner) == (BALANCE_CENTS, 0)
    assert company.bookings == 0


def test_a_dearer_price_within_the_limit_is_booked_and_held_whole(
    api: Api, partner: Onboarded, company: Company
) -> None:
    offer = an_offer(api)
    company.at_percent(110)
    body = order(api, offer["quoteId"], maxTotalCents=offer["totalCents"] * 2).body
    assert body["totalCents"] == body["settlement"]["amountCents"] == an_offer(api)["totalCents"]
    assert money(partner) == (BALANCE_CENTS - body["totalCents"], body["totalCents"])


def test_a_cheaper_price_is_what_the_order_costs(api: Api, company: Company) -> None:
    offer = an_offer(api)
    company.at_percent(90)
    body = order(api, offer["quoteId"]).body
    assert body["totalCents"] == an_offer(api)["totalCents"] < offer["totalCents"]
    assert Settlement.objects.get().amount_cents == body["totalCents"]


def test_a_limit_below_the_quote_is_refused_at_once(api: Api, company: Company) -> None:
    offer = an_offer(api)
    total = offer["totalCents"]
    reply = order(api, offer["quoteId"], maxTotalCents=total - 1)
    assert (reply.error["previousTotalCents"], reply.error["currentTotalCents"]) == (total, total)
    assert (company.bookings, Operation.objects.count()) == (0, 0)


def test_an_uncovered_order_is_refused_before_the_supplier_is_asked(db: None, company: Company) -> None:
    api = Api(a_partner(balance_cents=100).test_secret)
    offer = an_offer(api)
    reply = order(api, offer["quoteId"])
    assert (reply.status, reply.error_type) == (402, "insufficient_funds")
    assert (reply.error["availableCents"], reply.error["requiredCents"]) == (100, offer["totalCents"])
    assert company.bookings == 0
