"""Re-pricing: the airline's price of this moment, which is the quoted price from then on."""

from collections.abc import Callable

import pytest

from apps.common.money import with_markup
from apps.flights.models import FlightSearch
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Expired, Rejected, SupplierError, Unavailable
from tests.flights.desk import BALANCE_CENTS, Desk, funds, refusal, search_body
from tests.journeys.other_currency.journey import MOVED_TO, store_rate
from tests.support.scripted_flights import ScriptedFlights


def test_a_price_that_stands_is_answered_as_it_was(desk: Desk, airline: ScriptedFlights) -> None:
    offer = desk.offer()
    reply = desk.reprice(offer)
    same = {"previousTotalCents": offer["totalCents"], "priceChanged": False}
    assert (reply.status, reply.body) == (200, {**offer, **same})
    assert reply.headers["X-Search-Billable"] == "true"
    assert FlightSearch.objects.get().repriced == {}


@pytest.mark.parametrize("percent", [87, 113])
def test_a_price_that_moved_is_answered_with_the_one_before(
    desk: Desk, airline: ScriptedFlights, percent: int
) -> None:
    offer = desk.offer()
    before = offer["totalCents"]
    airline.ask(percent)
    now = desk.flexible()
    total = now["totalCents"]
    assert (total > before) is (percent > 100)
    (until, after), (until_now, after_now) = offer["cancellationSteps"], now["cancellationSteps"]
    assert desk.reprice(offer).body == {
        **offer,
        "cancellationSteps": [{**until_now, "from": until["from"]}, {**after_now, "from": after["from"]}],
        "totalCents": total,
        "baseCents": now["baseCents"],
        "taxCents": now["taxCents"],
        "suggestedRetailCents": with_markup(total, 1000),
        "conditions": now["conditions"],
        "previousTotalCents": before,
        "priceChanged": True,
    }
    assert now["baseCents"] + now["taxCents"] == total
    again = desk.reprice(offer).body
    assert (again["baseCents"], again["taxCents"]) == (now["baseCents"], now["taxCents"])
    assert (again["totalCents"], again["previousTotalCents"], again["priceChanged"]) == (total, total, False)


def test_a_fare_that_returns_nothing_costs_its_whole_new_price(desk: Desk, airline: ScriptedFlights) -> None:
    offer = desk.offer(refundable=False)
    assert offer["conditions"]["penaltyCents"] == offer["totalCents"]
    airline.ask(120)
    repriced = desk.reprice(offer).body
    assert repriced["conditions"]["penaltyCents"] == repriced["totalCents"] > offer["totalCents"]


def test_the_new_price_is_what_an_order_compares_with_and_costs(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    offer = desk.offer()
    airline.ask(110)
    refused = desk.order(offer)
    assert refusal(refused) == (409, "price_changed")
    assert refused.error["previousTotalCents"] == offer["totalCents"]
    total = desk.reprice(offer).body["totalCents"]
    assert refused.error["currentTotalCents"] == total
    below = desk.order(offer, maxTotalCents=total - 1)
    assert below.error["previousTotalCents"] == below.error["currentTotalCents"] == total
    assert desk.order(offer, maxTotalCents=total).body["totalCents"] == total
    assert funds(partner) == (BALANCE_CENTS - total, 0)


def test_a_replay_of_the_search_still_shows_the_first_price(desk: Desk, airline: ScriptedFlights) -> None:
    first = desk.api.post("/v1/flights/searches", search_body(), "search-once")
    airline.ask(125)
    for offer in first.body["offers"]:
        assert desk.reprice(offer).body["priceChanged"] is True
    assert desk.api.post("/v1/flights/searches", search_body(), "search-once").content == first.content


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (Expired, (410, "offer_expired")),
        (Rejected, (502, "upstream_error")),
        (Unavailable, (503, "upstream_unavailable")),
    ],
)
def test_an_airline_that_gives_no_price_leaves_the_quoted_one(
    desk: Desk, airline: ScriptedFlights, error: type[SupplierError], refused: tuple[int, str]
) -> None:
    offer = desk.offer()
    airline.ask(130)
    airline.spoil("reprice", error())
    reply = desk.reprice(offer)
    assert (refusal(reply), reply.headers["X-Search-Billable"]) == (refused, "false")
    assert FlightSearch.objects.get().repriced == {}
    assert desk.reprice(offer).body["previousTotalCents"] == offer["totalCents"]


def test_an_offer_expires_where_the_sandbox_is_asked_for_it_and_nobody_else_is(
    desk: Desk, airline: ScriptedFlights
) -> None:
    reply = desk.reprice(desk.offer(), X_Partner_Customer_Ref="sbx_offer_expired")
    assert (refusal(reply), airline.calls("reprice")) == ((410, "offer_expired"), 0)
    assert reply.headers["X-Sandbox-Trigger"] == "sbx_offer_expired"


def test_who_made_the_offer_is_asked_in_the_currency_and_at_the_rate_that_it_was_made_at(
    live: Desk, former: ScriptedFlights, another_sells: Callable[[], None]
) -> None:
    offer = live.offer()
    another_sells()
    store_rate(MOVED_TO)
    reply = live.reprice(offer)
    assert (reply.status, reply.body["totalCents"]) == (200, offer["totalCents"])
    assert (reply.body["priceChanged"], former.calls("reprice")) == (False, 1)
