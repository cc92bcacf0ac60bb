"""Flights: every seat and lap taken, there and back, on the longest ways."""

import uuid
from datetime import date, timedelta
from itertools import cycle

from apps.common import clock
from apps.flights.serializers import FURTHEST, MAX_PASSENGERS
from apps.gateway import sandbox
from tests.bench.costs.partner import LISTED, NAMES, TEXT, Asks, Body, Partner, Request
from tests.support.flight_shop import CONTACT, PASSENGER

ROUTES = cycle(
    (("LHR", "SYD"), ("JFK", "SIN"), ("CDG", "AKL"), ("LIS", "NRT"), ("BER", "EZE"), ("MAD", "PER"))
)
PARTY = f"{2 * MAX_PASSENGERS} travellers"


def search() -> Body:
    origin, destination = next(ROUTES)
    last = clock.today() + FURTHEST
    return {
        "origin": origin,
        "destination": destination,
        "departureDate": (last - timedelta(days=30)).isoformat(),
        "returnDate": last.isoformat(),
        "passengers": {"adults": MAX_PASSENGERS, "infants": MAX_PASSENGERS},
        "maxConnections": 3,
        "limit": 100,
    }


def order(offer_id: str) -> Body:
    adult = {**PASSENGER, **NAMES}
    infant = {**adult, "type": "infant", "dateOfBirth": (date.today() - timedelta(days=100)).isoformat()}
    return {
        "offerId": offer_id,
        "passengers": [*[adult] * MAX_PASSENGERS, *[infant] * MAX_PASSENGERS],
        "contact": CONTACT,
        "externalReference": uuid.uuid4().hex,
    }


def other_day(ordered: Body) -> Body:
    leg = ordered["slices"][0]
    day = date.fromisoformat(leg["departureAt"][:10]) - timedelta(days=7)
    added = {"origin": leg["origin"], "destination": leg["destination"], "departureDate": day.isoformat()}
    return {"removeSliceId": leg["sliceId"], "add": added}


def asks(partner: Partner) -> Asks:
    offers = partner.answer("searchFlights", search())["offers"]
    offer = next(offer["offerId"] for offer in offers if offer["conditions"]["changeable"])
    trip = partner.booked("createFlightOrder", order(offer))

    def new_order() -> Body:
        return partner.answer("createFlightOrder", order(offer))

    def change() -> Request:
        ordered = new_order()
        options = partner.answer("listFlightChangeOptions", other_day(ordered), id=ordered["id"])["options"]
        return partner.request("changeFlightOrder", {"changeId": options[0]["changeId"]}, id=ordered["id"])

    def change_options() -> Request:
        ordered = new_order()
        return partner.request("listFlightChangeOptions", other_day(ordered), id=ordered["id"])

    yield partner.ask("searchFlights", f"there and back, {PARTY}, limit 100", search)

    def accept() -> Request:
        made = partner.answer("createFlightOrder", order(offer), trigger=sandbox.SCHEDULE_CHANGED)
        (moved,) = partner.answer("getFlightOrder", id=made["id"])["scheduleChanges"]
        return partner.request("acceptFlightScheduleChange", id=made["id"], also=moved["changeId"])

    yield partner.reading("repriceFlightOffer", PARTY, id=offer)
    yield partner.ask("createFlightOrder", f"{PARTY}, longest names", lambda: order(offer))
    yield partner.reading("getFlightOrder", f"{PARTY}, longest names", id=trip["id"])
    yield partner.reading("listFlightOrders", f"limit {LISTED}, {PARTY} each", query="limit=100")
    yield partner.sending("listFlightChangeOptions", PARTY, change_options)
    yield partner.sending("changeFlightOrder", PARTY, change)
    yield partner.sending("acceptFlightScheduleChange", PARTY, accept)
    yield partner.sending(
        "cancelFlightOrder",
        f"{PARTY}, longest reason",
        lambda: partner.request("cancelFlightOrder", {"reason": TEXT}, id=new_order()["id"]),
    )
