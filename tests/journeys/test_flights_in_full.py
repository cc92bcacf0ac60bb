"""A flight from search to cancellation, with all that is sold beside it: with a test key and at Duffel's stand-in."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.ledger.consistency import check_ledger
from tests.flights.desk import ADA, CHARLES, Desk, a_partner, desk_of, slices_body
from tests.flights.suppliers.duffel.live import live_keys_at_duffel
from tests.support.flight_shop import CONTACT

PASSPORT = {"type": "passport", "issuingCountry": "PT", "expiresOn": "2035-01-31"}
CITIES = [
    {"origin": "LIS", "destination": "BER", "departureDate": 60},
    {"origin": "BER", "destination": "MAD", "departureDate": 64},
    {"origin": "MAD", "destination": "LIS", "departureDate": 70},
]


@pytest.fixture(params=["simulator", "duffel"])
def desk(request: pytest.FixtureRequest, db: None) -> Iterator[Desk]:
    """A seller, and where their flights come from."""
    if request.param == "simulator":
        yield desk_of(a_partner().test_secret)
        return
    with live_keys_at_duffel() as stub:
        stub.holds = stub.guarantees = True
        yield desk_of(a_partner().live_secret)


def ledger_of(desk: Desk, reference: str) -> list[tuple[str, int, int]]:
    """The lines of one booking, oldest first: type, effect on available, effect on held."""
    lines = desk.api.get(f"/v1/account/ledger?bookingReference={reference}").body["data"]
    return [(line["type"], line["amountCents"], line["heldDeltaCents"]) for line in reversed(lines)]


def held_cents(desk: Desk) -> int:
    return int(desk.api.get("/v1/account/ledger").body["heldCents"])


def paid_seats(seat_map: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """What each seat of the map that costs something is sold for, by passenger; but for the one that is gone when ordered."""
    return [
        element["services"]
        for cabin in seat_map["cabins"]
        for row in cabin["rows"]
        for section in row["sections"]
        for element in section["elements"]
        if element["services"] and element["services"][0]["totalCents"] and element["designator"] != "7C"
    ]


def test_from_several_cities_with_passports_seats_and_bags_to_a_quoted_cancellation(desk: Desk) -> None:
    wanted = slices_body(CITIES, passengers={"adults": 2}, includeDocumentOffers=True, limit=100)
    search = desk.api.post("/v1/flights/searches", wanted).body
    offer = next(one for one in search["offers"] if one["requirements"]["identityDocument"] == "required")
    assert [leg["destination"] for leg in offer["slices"]] == ["BER", "MAD", "LIS"]
    assert desk.api.get(f"/v1/flights/searches/{search['id']}").body == search

    maps = desk.api.get(f"/v1/flights/offers/{offer['offerId']}/seat-maps").body["seatMaps"]
    front, behind = paid_seats(maps[0])[:2]
    seats = [front[0], behind[1]]
    passengers = [
        {**who, "identityDocuments": [{**PASSPORT, "number": number}]}
        for who, number in ((ADA, "AB1234567"), (CHARLES, "CD7654321"))
    ]
    body = {
        "offerId": offer["offerId"],
        "passengers": passengers,
        "contact": CONTACT,
        "services": [{"serviceId": seat["serviceId"], "quantity": 1} for seat in seats],
    }
    without_passport = {**body, "passengers": [passengers[0], CHARLES]}
    refused = desk.api.post("/v1/flights/orders", without_passport)
    assert [each["field"] for each in refused.error["details"]] == ["passengers.1.identityDocuments"]
    reply = desk.api.post("/v1/flights/orders", body)
    assert (reply.status, reply.body.get("status")) == (201, "ticketed"), reply.body
    order, total = reply.body, offer["totalCents"] + sum(seat["totalCents"] for seat in seats)
    assert order["totalCents"] == total
    assert [(one["kind"], one["passenger"]) for one in order["services"]] == [("seat", 0), ("seat", 1)]
    shown = [one["numberLastFour"] for who in order["passengers"] for one in who["identityDocuments"]]
    assert shown == ["4567", "4321"]

    path = f"/v1/flights/orders/{order['id']}"
    bag = next(one for one in desk.api.get(f"{path}/services").body["services"] if one["totalCents"])
    added = desk.api.post(f"{path}/services", {"services": [{"serviceId": bag["serviceId"], "quantity": 1}]})
    assert (added.status, added.body["totalCents"]) == (200, total + bag["totalCents"])
    assert [one["kind"] for one in added.body["services"]] == ["seat", "seat", bag["kind"]]

    quote = desk.api.post(f"{path}/cancellation-quote", {}).body
    assert quote["penaltyCents"] + quote["refundCents"] == total + bag["totalCents"]
    cancelled = desk.api.post(f"{path}/cancel", {"cancellationQuoteId": quote["cancellationQuoteId"]}).body
    assert cancelled["cancellation"]["penaltyCents"] == quote["penaltyCents"]

    refund = [("refund", quote["refundCents"], 0)] if quote["refundCents"] else []
    bag_cents = bag["totalCents"]
    lines = ledger_of(desk, order["reference"])
    print(*lines, sep="\n")
    assert lines == [
        ("hold", -total, total),
        ("capture", 0, -total),
        ("hold", -bag_cents, bag_cents),
        ("capture", 0, -bag_cents),
        *refund,
    ]
    assert (held_cents(desk), check_ledger()) == (0, [])


def test_a_held_order_is_paid_and_cancelled_for_what_its_quote_said(desk: Desk) -> None:
    order = desk.held(next(one for one in desk.search() if one["holdable"]))
    assert (order["pnr"], order["ticketNumbers"], ledger_of(desk, order["reference"])) == (
        order["pnr"],
        [],
        [],
    )
    free = desk.api.post(f"/v1/flights/orders/{order['id']}/cancellation-quote", {}).body
    assert (free["penaltyCents"], free["refundCents"], free["refundTo"]) == (0, 0, "none")

    paid = desk.pay(order)
    assert (paid.status, paid.body["status"], len(paid.body["ticketNumbers"])) == (200, "ticketed", 1)
    total = paid.body["totalCents"]
    quote = desk.api.post(f"/v1/flights/orders/{order['id']}/cancellation-quote", {}).body
    reply = desk.cancel(order["id"], cancellationQuoteId=quote["cancellationQuoteId"])
    assert (reply.status, reply.body["cancellation"]["penaltyCents"]) == (200, quote["penaltyCents"])
    refund = [("refund", quote["refundCents"], 0)] if quote["refundCents"] else []
    lines = ledger_of(desk, order["reference"])
    print(*lines, sep="\n")
    assert lines == [("hold", -total, total), ("capture", 0, -total), *refund]
    assert (held_cents(desk), check_ledger()) == (0, [])
