"""Flights: search, price the offer again, order, read, change to a dearer and to a cheaper flight, cancel."""

from datetime import datetime
from typing import Any

from apps.gateway.declared import days_ahead
from apps.gateway.openapi.examples import request_examples
from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    offer = find(stage)
    order = stage.call(
        "createFlightOrder",
        "ticketed",
        "A fare that can be changed and refunded, ticketed",
        offerId=offer["offerId"],
        externalReference="ACME-2001",
        tripReference="ACME-TRIP-7",
        maxTotalCents=offer["totalCents"],
    )
    stage.call("getFlightOrder", "ticketed", "A ticketed order", id=order["id"])
    unpaid = hold(stage, offer)
    show_documents(stage)
    order_another(stage)
    stage.call(
        "listFlightOrders", "newest", "The newest order, and a cursor for the next ones", query={"limit": "1"}
    )
    stage.call(
        "listFlightOrders",
        "by-reference",
        "Found by your own reference",
        query={"externalReference": "ACME-2001", "tripReference": "ACME-TRIP-7", "status": "ticketed"},
    )
    stage.call(
        "listFlightOrders",
        "changed-since",
        "Bookings that changed since an instant, oldest change first",
        query={"updatedSince": order["updatedAt"], "limit": "1"},
    )
    change(stage, order)
    follow_airline(stage, offer)
    with_services(stage, order)
    quote = stage.call(
        "quoteFlightCancellation",
        "refunded",
        "What cancelling costs now, and what is refunded",
        id=order["id"],
    )
    stage.call(
        "cancelFlightOrder",
        "refunded",
        "Cancelled; the rest is refunded",
        id=order["id"],
        reason="Plans changed.",
        cancellationQuoteId=quote["cancellationQuoteId"],
    )
    cancel_into_credit(stage)
    let_lapse(stage, unpaid)
    search_several_cities(stage)


def cancel_into_credit(stage: Stage) -> None:
    """A refundable order of the route whose airline refunds into its own credit."""
    found = stage.call(
        "searchFlights", "to-sydney", "One adult to Sydney", origin="LTN", destination="SYD", limit=2
    )
    offer = next(one for one in found["offers"] if one["conditions"]["refundable"])
    order = stage.call(
        "createFlightOrder",
        "to-be-credited",
        "A fare that the airline refunds into its own credit",
        offerId=offer["offerId"],
        externalReference="ACME-2011",
        maxTotalCents=offer["totalCents"],
    )
    quote = stage.call(
        "quoteFlightCancellation",
        "airline-credit",
        "The airline would refund into its own credit for the traveller",
        id=order["id"],
    )
    stage.call(
        "cancelFlightOrder",
        "airline-credit",
        "Cancelled into the airline's own credit",
        id=order["id"],
        cancellationQuoteId=quote["cancellationQuoteId"],
        acceptAirlineCredit=True,
    )


def search_several_cities(stage: Stage) -> None:
    """London to Rome in the morning, on to Athens, and home from Thessaloniki."""
    found = stage.call(
        "searchFlights",
        "several-cities",
        "From any London airport to Rome, on to Athens, and home from Thessaloniki; the shortest journey",
        **dict.fromkeys(("origin", "destination", "departureDate"), ...),
        slices=[
            {
                "origin": "LON",
                "destination": "ROM",
                "departureDate": days_ahead(60)(),
                "departBetween": {"from": "06:00", "to": "14:00"},
            },
            {"origin": "FCO", "destination": "ATH", "departureDate": days_ahead(63)()},
            {"origin": "SKG", "destination": "LON", "departureDate": days_ahead(70)()},
        ],
        privateFares=[{"airline": "BA", "corporateCode": "SBX10"}],
        sort="duration",
        limit=1,
    )
    stage.call(
        "getFlightSearch",
        "several-cities",
        "The same search, read again without using the quota",
        id=found["id"],
    )
    stage.wait(seconds=-120)  # what follows is recorded as if this were not here


def find(stage: Stage) -> dict[str, Any]:
    """The cheapest fare from London to New York that can be changed and refunded, re-priced."""
    found = stage.call("searchFlights", "one-way", "One adult from London to New York", limit=2)
    flexible = [
        offer
        for offer in found["offers"]
        if offer["conditions"]["refundable"] and offer["conditions"]["changeable"]
    ]
    cheapest = min(flexible, key=lambda offer: offer["totalCents"])
    offer: dict[str, Any] = stage.call(
        "repriceFlightOffer", "unchanged", "The price is still the same", id=cheapest["offerId"]
    )
    return offer


def order_another(stage: Stage) -> None:
    offers = stage.prepare("searchFlights")["offers"]
    stage.prepare("createFlightOrder", offerId=offers[0]["offerId"], externalReference="ACME-2002")


def show_documents(stage: Stage) -> None:
    """A fare that requires a passport, ordered with one. The answer has the last four characters of its number."""
    found = stage.call(
        "searchFlights",
        "with-documents",
        "Including fares that require an identity document",
        origin="LGW",
        destination="BCN",
        includeDocumentOffers=True,
        limit=1,
    )
    (offer,) = found["offers"]
    assert offer["requirements"]["identityDocument"] == "required"
    (passenger,) = request_examples()["createFlightOrder"]["passengers"]
    passport = {"type": "passport", "number": "X1234567", "issuingCountry": "GB", "expiresOn": "2031-05-01"}
    stage.call(
        "createFlightOrder",
        "with-a-passport",
        "A fare that requires a passport",
        offerId=offer["offerId"],
        passengers=[{**passenger, "identityDocuments": [passport]}],
        externalReference="ACME-2014",
        maxTotalCents=offer["totalCents"],
    )


def follow_airline(stage: Stage, offer: dict[str, Any]) -> None:
    """An order whose flight the airline moves right after it was made."""
    order = stage.call(
        "createFlightOrder",
        "to-be-moved",
        "With a sandbox trigger: the airline reschedules the flight right afterwards",
        trigger="sbx_schedule_changed",
        offerId=offer["offerId"],
        externalReference="ACME-2003",
        maxTotalCents=offer["totalCents"],
    )
    moved = stage.call("getFlightOrder", "moved", "The airline has rescheduled the flight", id=order["id"])
    stage.call(
        "acceptFlightScheduleChange",
        "accepted",
        "The traveller accepts the new flight times",
        id=order["id"],
        also={"changeId": moved["scheduleChanges"][0]["changeId"]},
    )


def with_services(stage: Stage, order: dict[str, Any]) -> None:
    """An order with a bag and a seat, and a bag added to the order that stands."""
    found = stage.call(
        "searchFlights", "first-class", "First class, with few seats left", limit=1, cabin="first"
    )
    offer_id = found["offers"][0]["offerId"]
    bags = stage.call("listFlightOfferServices", "bags", "Bags of several weights", id=offer_id)["services"]
    maps = stage.call("getFlightOfferSeatMaps", "seats", "The seats of first class", id=offer_id)["seatMaps"]
    seat = next(
        service
        for row in maps[0]["cabins"][0]["rows"]
        for section in row["sections"]
        for element in section["elements"]
        for service in element["services"]
    )
    stage.call(
        "createFlightOrder",
        "with-services",
        "With a bag and a seat: held and captured with the fare",
        offerId=offer_id,
        externalReference="ACME-2004",
        services=[{"serviceId": bags[0]["serviceId"]}, {"serviceId": seat["serviceId"]}],
    )
    later = stage.call("listFlightOrderServices", "bags", "Bags that can still be bought", id=order["id"])
    stage.call(
        "addFlightOrderServices",
        "bag-added",
        "A bag for an existing order",
        id=order["id"],
        services=[{"serviceId": later["services"][0]["serviceId"]}],
    )


def hold(stage: Stage, offer: dict[str, Any]) -> dict[str, Any]:
    """One order on hold is paid; another, which is returned, is not."""
    order = stage.call(
        "createFlightOrder",
        "on-hold",
        "On hold: no funds are held, and you pay by `payBy`",
        offerId=offer["offerId"],
        externalReference="ACME-2005",
        maxTotalCents=offer["totalCents"],
        hold=True,
    )
    stage.call("payFlightOrder", "ticketed", "Paid: the tickets are issued", id=order["id"])
    unpaid: dict[str, Any] = stage.prepare(
        "createFlightOrder", offerId=offer["offerId"], externalReference="ACME-2006", hold=True
    )
    return unpaid


def let_lapse(stage: Stage, order: dict[str, Any]) -> None:
    """The reminder and the end of a hold come in their time."""
    left = (datetime.fromisoformat(order["payBy"]) - stage.instant).total_seconds()
    for seconds in (left - 5 * 3_600, 5 * 3_600):
        stage.wait(seconds=seconds)
        stage.work()
    stage.wait(seconds=-left)


def change(stage: Stage, order: dict[str, Any]) -> None:
    """To the cheapest of the dearer flights, and from there to a cheaper one."""
    options = stage.call(
        "listFlightChangeOptions",
        "a-week-later",
        "The same way a week later",
        id=order["id"],
        removeSliceId=order["slices"][0]["sliceId"],
    )["options"]
    dearer = min((o for o in options if o["differenceCents"] > 0), key=lambda o: o["differenceCents"])
    changed = stage.call(
        "changeFlightOrder",
        "dearer",
        "A more expensive flight: the difference is captured immediately",
        id=order["id"],
        changeId=dearer["changeId"],
    )
    again = stage.call(
        "listFlightChangeOptions",
        "from-the-dearer",
        "From the more expensive flight: a negative difference would be credited",
        id=order["id"],
        removeSliceId=changed["order"]["slices"][0]["sliceId"],
    )["options"]
    cheaper = min(again, key=lambda option: option["differenceCents"])
    stage.call(
        "changeFlightOrder",
        "cheaper",
        "A cheaper flight: the difference is credited shortly after, and `settled` becomes true",
        id=order["id"],
        changeId=cheaper["changeId"],
    )
