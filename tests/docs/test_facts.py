"""What guides show of recorded calls, and every row of the guide on test data, booked."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client

from apps.common import clock
from apps.docs import facts, reference, samples
from apps.docs.facts import Kind, Ride
from apps.esim.services.sync import sync_environment
from apps.gateway.openapi import document
from apps.keys.scopes import GRANTABLE
from apps.webhooks.events import CATALOGUE, EMITTED, TEST
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api


@pytest.mark.parametrize("product", ["hotels", "flights", "transfers", "esim"])
def test_a_products_guide_shows_calls_in_four_languages_and_real_answers(product: str):
    text = Client().get(f"/docs/guides/{product}").content.decode()
    groups = text.count('data-tabs="language"')
    assert groups >= 3
    assert re.findall(r'data-tab="(\w+)"', text) == ["curl", "Python", "TypeScript", "PHP"] * groups
    assert "01m8r" in text  # a part of every recorded id
    assert "```" not in text
    assert 'markdown="1"' not in text


def test_the_event_reference_has_a_payload_of_every_event_and_all_that_are_silent():
    told = facts.of_events()
    assert {event.name for event in told["events"]} == {*EMITTED, TEST}
    assert all('"createdAt"' in event.example and "- `" in event.rows for event in told["events"])
    named = {event.name for part in ("events", "silent", "closed") for event in told[part]}
    assert named == {event.name for event in CATALOGUE} | {TEST}


@pytest.mark.parametrize(("at", "product"), list(enumerate(facts.PRODUCTS)))
def test_the_names_across_products_are_those_of_the_document(at: int, product: str):
    name = {row: values[at].partition(";")[0].strip("`") for row, values in facts.NAMES.items()}
    paths = document()["paths"]
    assert f"/v1/{product}/{name['Search at']}" in paths
    book = reference.by_id(paths[f"/v1/{product}/{name['Book at']}"]["post"]["operationId"])
    assert {field.name for field in book.body} > {name["Handle"], name["Travellers"]} - {"none"}
    made = next(answer for answer in book.answers if answer.status == "201")
    assert f"`{name['Confirmed as']}`" in str(made.fields)
    assert samples.HANDLES[f"{product}/{name['Book at']}"] == name["`id`"]


def test_every_list_that_has_pages_is_told_of():
    told = {row.path: row.filters for row in facts.of_lists()["lists"]}
    assert told["GET /v1/hotels/bookings"] == "`externalReference`, `tripReference`, `status`, `updatedSince`"
    assert told["GET /v1/webhooks/deliveries"] == "`status`, `eventType`, `endpointId`"
    paged = {
        f"GET {path}"
        for path, entries in document()["paths"].items()
        if "cursor" in json.dumps(entries.get("get", {}).get("parameters", [])).lower()
    }
    assert set(told) == paged
    assert len(told) >= 7


pytestmark = pytest.mark.django_db

CONTACT = {"email": "ada@example.com", "phone": "+351210000000"}
ADA = {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1990-12-10", "type": "adult"}


@pytest.fixture
def api(db) -> Api:
    return api_of_new_partner(cents=100_000_000, scopes=GRANTABLE)


def day(ahead: int = 60) -> str:
    return (clock.today() + timedelta(days=ahead)).isoformat()


def test_the_guide_shows_every_row():
    text = Client().get("/docs/guides/testing").content.decode()
    assert "Lisbon" in text
    assert text.count("<tr>") > len(facts.DESTINATIONS) + len(facts.ROUTES) + len(facts.RIDES)
    assert [kind.name for kind in facts.PLANS if kind.name not in text] == []


@pytest.mark.parametrize("destination", facts.DESTINATIONS)
def test_a_destination_has_both_kinds_of_rate_and_books(api: Api, destination: str):
    stay = {"destination": json.loads(destination), "checkIn": day(60), "checkOut": day(62)}
    rates = [
        rate for hotel in api.post("/v1/hotels/searches", stay).body["hotels"] for rate in hotel["rates"]
    ]
    for refundable, kept in ((True, 0), (False, 1)):
        rate = next(rate for rate in rates if rate["refundable"] is refundable)
        guests = [{"firstName": "Ada", "lastName": "Byron", "type": "adult"}]
        booked = api.post(
            "/v1/hotels/bookings", {"rateId": rate["rateId"], "guests": guests, "contact": CONTACT}
        )
        assert (booked.status, booked.body["status"]) == (201, "confirmed")
        gone = api.post(f"/v1/hotels/bookings/{booked.body['id']}/cancel", {})
        assert gone.body["cancellation"]["penaltyCents"] == kept * rate["totalCents"]


@pytest.mark.parametrize(("origin", "destination"), facts.ROUTES)
def test_a_route_has_the_three_fares_and_books(api: Api, origin: str, destination: str):
    asked = {"origin": origin, "destination": destination, "departureDate": day()}
    offers = api.post("/v1/flights/searches", asked).body["offers"]
    kinds = {(o["conditions"]["refundable"], o["conditions"]["changeable"]): o for o in offers}
    assert set(kinds) == {(False, False), (False, True), (True, True)}
    for kind, penalty in (((False, False), 100), ((False, True), 100), ((True, True), 20)):
        offer = kinds[kind]
        total = offer["totalCents"]
        assert offer["conditions"]["penaltyCents"] == (total * penalty + 50) // 100
        ordered = api.post(
            "/v1/flights/orders", {"offerId": offer["offerId"], "passengers": [ADA], "contact": CONTACT}
        )
        assert (ordered.status, ordered.body["status"]) == (201, "ticketed")
        options = api.post(
            f"/v1/flights/orders/{ordered.body['id']}/change-options",
            {
                "removeSliceId": ordered.body["slices"][0]["sliceId"],
                "add": {**asked, "departureDate": day(67)},
            },
        )
        if kind == (False, False):
            assert options.status == 409
            continue
        share = 6 if kind == (True, True) else 12
        differences = [option["differenceCents"] for option in options.body["options"]]
        assert min(differences) < 0 < max(differences)
        assert {option["penaltyCents"] for option in options.body["options"]} == {(total * share + 50) // 100}


def offers_of(api: Api, ride: Ride) -> list[dict]:
    asked = {
        "from": json.loads(ride.start),
        "to": json.loads(ride.end),
        "outbound": f"{day()}T10:00:00",
        "adults": 2,
    }
    return api.post("/v1/transfers/searches", asked).body["offers"]


@pytest.mark.parametrize("ride", facts.RIDES, ids=lambda ride: ride.start)
def test_a_ride_has_the_vehicle_and_books(api: Api, ride: Ride):
    cheapest = offers_of(api, ride)[0]
    assert cheapest["vehicle"]["class"] == ride.vehicle
    lead = {"firstName": "Ada", "lastName": "Byron", **CONTACT}
    ordered = api.post("/v1/transfers/orders", {"quoteId": cheapest["quoteId"], "leadPassenger": lead})
    assert (ordered.status, ordered.body["status"]) == (201, "confirmed")


def test_each_vehicle_is_cancelled_on_the_terms_told(api: Api):
    found = {offer["vehicle"]["class"]: offer for offer in offers_of(api, facts.RIDES[0])}
    told = {}
    for vehicle, offer in found.items():
        shares = [
            round(100 * step["amountCents"] / offer["totalCents"]) for step in offer["cancellationPolicy"]
        ]
        told[vehicle] = (shares, [step["from"] is None for step in offer["cancellationPolicy"]])
    assert told == {
        "shuttle": ([100], [False]),
        "economy": ([100], [False]),
        "comfort": ([20, 100], [True, False]),
        "minivan": ([20, 100], [True, False]),
        "minibus": ([30, 60, 100], [False, False, False]),
        "business": ([100], [True]),
    }
    assert set(told) == {vehicle for vehicle, _ in facts.POLICIES}


def test_each_kind_of_plan_is_found_and_ordered(api: Api):
    sync_environment("test")
    for kind in facts.PLANS:
        plan = plan_of(api, kind)
        ordered = api.post("/v1/esim/orders", {"planId": plan["id"], "maxTotalCents": plan["priceCents"]})
        assert (ordered.status, ordered.body["plan"]["name"]) == (201, kind.name)


def plan_of(api: Api, kind: Kind) -> dict:
    found = api.get(f"/v1/esim/plans?{kind.query}&pageSize=100").body["data"]
    return next(plan for plan in found if plan["name"] == kind.name)
