"""A journey of several cities with a live key, from search to cancellation."""

from apps.onboarding.partners import Onboarded
from tests.flights.desk import BALANCE_CENTS, Desk, funds, in_days, slices_body
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub

ROUTE = [("LON", "FCO", 60), ("FCO", "ATH", 63), ("SKG", "LON", 70)]


def test_three_cities_are_bought_changed_and_cancelled(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded
) -> None:
    slices = [
        {"origin": origin, "destination": destination, "departureDate": day}
        for origin, destination, day in ROUTE
    ]
    slices[0]["departBetween"] = {"to": "13:00"}
    found = seller.api.post("/v1/flights/searches", slices_body(slices, sort="departure")).body
    (heard,) = at_duffel.heard_by("POST", paths.OFFER_REQUESTS)
    assert [(one["origin"], one["destination"]) for one in heard.json["data"]["slices"]] == [
        (origin, destination) for origin, destination, _ in ROUTE
    ]
    assert [one.get("departure_time") for one in heard.json["data"]["slices"]] == [
        {"from": "00:00", "to": "13:00"},
        None,
        None,
    ]
    offer = next(one for one in found["offers"] if one["conditions"]["refundable"])
    flown = [("LHR", "FCO"), ("FCO", "ATH"), ("SKG", "LHR")]
    assert [(leg["origin"], leg["destination"]) for leg in offer["slices"]] == flown
    assert seller.reprice(offer).status == 200

    order = seller.ordered(offer)
    assert [(leg["origin"], leg["destination"]) for leg in order["slices"]] == flown
    option = seller.options_of(order, leg=1, days=65)[-1]
    changed = seller.changed(order, option)
    assert [leg["departureAt"][:10] for leg in changed["slices"]] == [in_days(day) for day in (60, 65, 70)]
    assert [leg["sliceId"] for leg in changed["slices"]][::2] == [leg["sliceId"] for leg in order["slices"]][
        ::2
    ]
    cancelled = seller.api.post(f"/v1/flights/orders/{order['id']}/cancel").body["cancellation"]
    assert cancelled["penaltyCents"] + cancelled["refundCents"] == changed["totalCents"]
    assert funds(partner, "live") == (BALANCE_CENTS - cancelled["penaltyCents"], 0)
    again = seller.api.get(f"/v1/flights/searches/{found['id']}")
    assert again.body == found
