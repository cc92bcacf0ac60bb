"""What a search asks of an airline, keeps, and answers again to the byte."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.common import clock
from apps.common.money import with_markup
from apps.flights.models import FlightSearch
from apps.flights.suppliers.base import FlightOffer, Passengers
from apps.flights.suppliers.base import FlightSearch as Request
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Expired, Rejected, SupplierError, Unavailable
from apps.suppliers.results import Found, Withheld
from tests.flights.desk import BALANCE_CENTS, Desk, funds, in_days, refusal, search_body
from tests.flights.suppliers.requests import a_journey
from tests.journeys.other_currency.journey import MOVED_TO, store_rate
from tests.support.scripted_flights import ScriptedFlights


def asked(airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, **answer: Any) -> list[Request]:
    """The questions put to the airline, whose offers from now on are as `answer` says."""
    questions: list[Request] = []
    search = airline.simulator.search

    def asking(request: Request) -> Found[FlightOffer]:
        questions.append(request)
        return Found(replace(offer, **answer) for offer in search(request))

    monkeypatch.setattr(airline.simulator, "search", asking)
    return questions


def test_the_airline_is_asked_once_for_exactly_what_was_asked_for(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = asked(airline, monkeypatch)
    desk.searched()
    desk.searched(
        returnDate=75,
        passengers={"adults": 2, "children": 1, "infants": 2},
        cabin="business",
        maxConnections=0,
        limit=3,
    )
    out, back = date.fromisoformat(in_days(60)), date.fromisoformat(in_days(75))
    plain = Request(a_journey("LIS", "BER", out), "EUR")
    assert questions == [
        plain,
        replace(
            plain,
            slices=a_journey("LIS", "BER", out, back),
            passengers=Passengers(2, 1, 2),
            cabin="business",
            max_connections=0,
            limit=3,
        ),
    ]


def test_every_offer_says_what_it_is_and_until_when(desk: Desk) -> None:
    offers = desk.searched(returnDate=70, cabin="business")["offers"]
    expires_at = clock.rfc3339(FlightSearch.objects.get().expires_at)
    handles = [offer["offerId"] for offer in offers] + [leg["sliceId"] for o in offers for leg in o["slices"]]
    assert len(set(handles)) == len(handles) == 3 * len(offers)
    for offer in offers:
        common = (offer["currency"], offer["priceBasis"], offer["cabin"], offer["expiresAt"])
        assert common == ("EUR", "net", "business", expires_at)
        assert offer["suggestedRetailCents"] == with_markup(offer["totalCents"], 1000)
        ways = [(leg["origin"], leg["destination"], leg["departureAt"][:10]) for leg in offer["slices"]]
        assert ways == [("LIS", "BER", in_days(60)), ("BER", "LIS", in_days(70))]
        for leg in offer["slices"]:
            first, last = leg["segments"][0], leg["segments"][-1]
            assert (first["departureAt"], last["arrivalAt"]) == (leg["departureAt"], leg["arrivalAt"])
            assert (first["origin"], last["destination"]) == (leg["origin"], leg["destination"])
        carrier = offer["slices"][0]["segments"][0]["carrier"]
        terms = f"https://{carrier['code'].lower()}.example/conditions-of-carriage"
        assert offer["carrier"] == {**carrier, "conditionsOfCarriageUrl": terms}
    assert [offer["totalCents"] for offer in offers] == sorted(offer["totalCents"] for offer in offers)


@pytest.mark.parametrize(("minutes", "lives"), [(5, 5), (20, 20), (60, 20)])
def test_an_offer_lives_as_long_as_the_airline_says_and_twenty_minutes_at_most(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, minutes: int, lives: int
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    asked(airline, monkeypatch, expires_at=now + timedelta(minutes=minutes))
    ends = {offer["expiresAt"] for offer in desk.searched()["offers"]}
    assert ends == {clock.rfc3339(now + timedelta(minutes=lives))}
    assert FlightSearch.objects.get().expires_at == now + timedelta(minutes=20)


def test_what_is_withheld_is_counted_kept_and_replayed(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three offers the airline no longer sells one."""
    search = airline.simulator.search

    def withholding(request: Request) -> Found[FlightOffer]:
        expired, *others = search(replace(request, limit=3))
        return Found([replace(expired, expires_at=clock.now()), *others], Withheld(1, 0, 2, 3))

    monkeypatch.setattr(airline.simulator, "search", withholding)
    first, again = (desk.api.post("/v1/flights/searches", search_body(), "search-once") for _ in range(2))
    counts = {"documentsRequired": 1, "noLongerSold": 1, "unsupported": 2, "unreadable": 3}
    assert (len(first.body["offers"]), first.body["withheld"]) == (2, counts)
    assert again.content == first.content


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


def test_who_made_the_offer_is_asked_in_the_currency_and_at_the_rate_that_it_was_made_at(
    live: Desk, former: ScriptedFlights, another_sells: Callable[[], None]
) -> None:
    offer = live.offer()
    another_sells()
    store_rate(MOVED_TO)
    reply = live.reprice(offer)
    assert (reply.status, reply.body["totalCents"]) == (200, offer["totalCents"])
    assert (reply.body["priceChanged"], former.calls("reprice")) == (False, 1)


def test_an_order_shows_what_its_offer_showed_and_an_old_one_nothing(desk: Desk) -> None:
    """Of each flight and leg. Release 1.2 stored none of it, and wrote null for what nobody says."""
    offer = desk.flexible(returnDate=70)
    order = desk.ordered(offer)
    shown = ("operatingFlightNumber", "cabin", "distanceKm", "stops", "amenities")
    assert order["carrier"] == offer["carrier"]
    for leg, sold in zip(order["slices"], offer["slices"], strict=True):
        assert leg["conditions"] == sold["conditions"]
        assert set(leg["conditions"]) == {"advanceSeatSelection", "priorityBoarding", "priorityCheckIn"}
        for flight, offered in zip(leg["segments"], sold["segments"], strict=True):
            assert flight == offered
            assert flight["cabin"] == "economy"
            assert flight["distanceKm"] > 0
    booking = Booking.objects.get()
    del booking.details["conditions_url"]
    for one in booking.details["slices"]:
        del one["leg"]["conditions"]
        stored = ("operating_flight_number", "cabin", "distance_km", "stops", "amenities")
        whole = dict.fromkeys(("operating_carrier", "aircraft", "origin_terminal", "destination_terminal"))
        one["leg"]["segments"] = [
            {**whole, **{name: value for name, value in flight.items() if name not in stored}}
            for flight in one["leg"]["segments"]
        ]
    booking.save()
    old = desk.read(order["id"])
    assert old["carrier"]["conditionsOfCarriageUrl"] is None
    for leg in old["slices"]:
        assert set(leg["conditions"].values()) == {None}
        for flight in leg["segments"]:
            assert [flight[name] for name in shown[1:]] == [None, None, [], None]
            flies_itself = flight["operatingCarrier"]["code"] == flight["carrier"]["code"]
            assert flight["operatingFlightNumber"] == (flight["flightNumber"] if flies_itself else None)
    assert desk.options_of(old)
