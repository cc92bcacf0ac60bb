"""A journey of several cities from search to cancellation, and a search that is read again."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from apps.common import clock
from apps.flights.models import FlightSearch
from apps.onboarding.partners import Onboarded
from tests.flights.desk import BALANCE_CENTS, Desk, funds, in_days, lines, refusal, slices_body, without
from tests.support.scripted_flights import ScriptedFlights

ROUTE = [("LON", "FCO"), ("FCO", "ATH"), ("SKG", "LHR")]
DAYS = [60, 63, 70]


def journey(**changes: Any) -> dict[str, Any]:
    """London to Rome, on to Athens, and by car to Thessaloniki, where the flight home begins."""
    slices = [
        {"origin": origin, "destination": destination, "departureDate": day}
        for (origin, destination), day in zip(ROUTE, DAYS, strict=True)
    ]
    return slices_body(slices, **changes)


def searched(desk: Desk, **changes: Any) -> dict[str, Any]:
    reply = desk.api.post("/v1/flights/searches", journey(**changes))
    assert reply.status == 201, reply.body
    return dict(reply.body)


def flexible(answer: dict[str, Any]) -> dict[str, Any]:
    return next(offer for offer in answer["offers"] if offer["conditions"]["refundable"])


def routes(order: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(leg["origin"], leg["destination"], leg["departureAt"][:10]) for leg in order["slices"]]


def test_three_cities_are_searched_priced_ordered_changed_and_cancelled(
    desk: Desk, partner: Onboarded
) -> None:
    offer = flexible(searched(desk))
    (out, *others) = routes(offer)
    assert (out[0] in {"LHR", "LGW", "LCY", "STN", "LTN", "SEN"}, out[1:]) == (True, ("FCO", in_days(60)))
    assert others == [("FCO", "ATH", in_days(63)), ("SKG", "LHR", in_days(70))]
    assert all(leg["arrivalAt"] < after["departureAt"] for leg, after in pairwise(offer["slices"]))
    assert desk.reprice(offer).body["priceChanged"] is False

    order = desk.ordered(offer)
    assert (routes(order), order["status"]) == (routes(offer), "ticketed")
    ids = [leg["sliceId"] for leg in order["slices"]]
    assert ids == [leg["sliceId"] for leg in offer["slices"]]

    costlier = desk.options_of(order, leg=1, days=65)[-1]
    changed = desk.changed(order, costlier)
    assert routes(changed) == [out, ("FCO", "ATH", in_days(65)), others[1]]
    assert [leg["sliceId"] for leg in changed["slices"]] == [ids[0], costlier["slice"]["sliceId"], ids[2]]
    assert changed["totalCents"] == order["totalCents"] + costlier["differenceCents"]

    cancelled = desk.api.post(f"/v1/flights/orders/{order['id']}/cancel").body
    penalty, refund = (cancelled["cancellation"][name] for name in ("penaltyCents", "refundCents"))
    assert penalty + refund == changed["totalCents"]
    assert (penalty, refund) == (changed["conditions"]["penaltyCents"], refund)
    assert funds(partner) == (BALANCE_CENTS - penalty, 0)
    assert [kind for kind, *_ in lines(partner)] == ["hold", "capture", "hold", "capture", "refund"]


@pytest.mark.parametrize(("days", "field"), [(59, "add.departureDate"), (71, "add.departureDate")])
def test_a_leg_in_the_middle_stays_between_its_neighbours(desk: Desk, days: int, field: str) -> None:
    order = desk.ordered(flexible(searched(desk)))
    reply = desk.ask_options(order, leg=1, days=days)
    assert (refusal(reply), reply.error["details"][0]["field"]) == ((400, "invalid_request"), field)


def test_ages_count_on_the_day_of_the_last_of_all_legs(desk: Desk) -> None:
    """An infant who is two on day 70 is no infant, although younger on every other leg."""
    second_birthday = clock.today() + timedelta(days=70)
    born = second_birthday.replace(year=second_birthday.year - 2).isoformat()
    offer = flexible(searched(desk, passengers={"adults": 1, "infants": 1}))
    adult = {
        "title": "ms",
        "firstName": "Ada",
        "lastName": "Byron",
        "dateOfBirth": "1990-12-10",
        "type": "adult",
    }
    infant = {**adult, "firstName": "Anna", "dateOfBirth": born, "type": "infant"}
    reply = desk.order(offer, passengers=[adult, infant])
    assert reply.error["details"][0]["field"] == "passengers.1.dateOfBirth"


def test_windows_airlines_and_sort_are_kept_to(desk: Desk) -> None:
    body = {"origin": "LON", "destination": "ROM", "departureDate": 60, "departBetween": {"from": "10:00"}}
    request = slices_body([body], airlines={"exclude": ["BA"]}, sort="departure", limit=5)
    offers = desk.api.post("/v1/flights/searches", request).body["offers"]
    leaves = [offer["slices"][0]["departureAt"] for offer in offers]
    assert (len(offers), leaves == sorted(leaves), leaves[0][11:16] >= "10:00") == (5, True, True)
    assert "BA" not in {offer["carrier"]["code"] for offer in offers}


# --- Private fares ------------------------------------------------------------------------------------------------------
def offers_by(desk: Desk, *fares: dict[str, str]) -> list[dict[str, Any]]:
    return list(desk.searched(limit=20, **({"privateFares": list(fares)} if fares else {}))["offers"])


def flights_of(offer: dict[str, Any]) -> tuple[str, ...]:
    return (*(one["flightNumber"] for leg in offer["slices"] for one in leg["segments"]), offer["fareBrand"])


def test_a_known_corporate_code_lowers_the_price_of_its_airline_down_to_the_order(desk: Desk) -> None:
    public = {flights_of(offer): offer for offer in offers_by(desk)}
    airline = next(iter(public.values()))["carrier"]["code"]
    agreed = offers_by(desk, {"airline": airline, "corporateCode": "SBX10"})
    by_code = [offer for offer in agreed if offer["carrier"]["code"] == airline]
    assert by_code
    for offer in agreed:
        applied = [{"type": "corporate", "corporateCode": "SBX10"}] if offer in by_code else []
        assert offer["privateFares"] == applied
        if flights_of(offer) in public:
            full = public[flights_of(offer)]["totalCents"]
            assert abs(offer["totalCents"] - full * (0.9 if applied else 1)) <= 1
    chosen = next(offer for offer in by_code if offer["conditions"]["refundable"])
    assert desk.reprice(chosen).body == {
        **chosen,
        "previousTotalCents": chosen["totalCents"],
        "priceChanged": False,
    }
    assert desk.ordered(chosen)["totalCents"] == chosen["totalCents"]


@pytest.mark.parametrize("code", [{"corporateCode": "SBX11"}, {"tourCode": "SBX10"}])
def test_an_unknown_code_earns_nothing_and_is_not_refused(desk: Desk, code: dict[str, str]) -> None:
    public = offers_by(desk)
    airlines = {offer["carrier"]["code"] for offer in public}
    found = offers_by(desk, *({"airline": airline, **code} for airline in airlines))
    assert [(offer["totalCents"], offer["privateFares"]) for offer in found] == [
        (offer["totalCents"], []) for offer in public
    ]


# --- Read again ---------------------------------------------------------------------------------------------------------
def read(desk: Desk, search_id: str) -> Any:
    return desk.api.get(f"/v1/flights/searches/{search_id}")


@pytest.mark.parametrize("sort", ["price", "duration", "departure"])
def test_a_search_is_read_again_to_the_byte_without_the_airline(
    desk: Desk, airline: ScriptedFlights, sort: str
) -> None:
    first = desk.api.post("/v1/flights/searches", journey(sort=sort))
    airline.ask(125)
    desk.reprice(first.body["offers"][0])
    again = read(desk, first.body["id"])
    assert (again.status, again.content) == (200, first.content)
    assert "X-Search-Billable" not in again.headers
    assert (
        again.headers["X-Search-Quota-Remaining"]
        == read(desk, first.body["id"]).headers["X-Search-Quota-Remaining"]
    )
    assert airline.calls("search") == 1


def test_a_search_is_kept_for_a_day_with_the_offers_that_have_expired(
    desk: Desk, at: Callable[[datetime], None]
) -> None:
    first = desk.api.post("/v1/flights/searches", journey())
    now = clock.now()
    at(now + timedelta(hours=23, minutes=59))
    assert read(desk, first.body["id"]).content == first.content
    at(now + timedelta(hours=24, minutes=1))
    assert refusal(read(desk, first.body["id"])) == (404, "not_found")
    assert FlightSearch.objects.exists()  # what answers is the age, not the pruning


def test_a_search_of_others_is_not_found(desk: Desk, live: Desk, stranger: Desk) -> None:
    own = searched(desk)["id"]
    for reader, search_id in [(live, own), (stranger, own), (desk, f"{own[:-1]}!"), (desk, "fsr_none")]:
        assert refusal(read(reader, search_id)) == (404, "not_found")
    assert without(read(desk, own).body, "offers").keys() == {"id", "createdAt", "withheld"}
