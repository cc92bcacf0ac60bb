"""Transfers: search, order, read the order once its money is settled, find it, cancel it."""

from typing import Any

from apps.gateway.declared import days_ahead
from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    quote = find(stage)
    order = stage.call(
        "createTransferOrder",
        "confirmed",
        "A ride from the airport, confirmed; its funds are still held",
        quoteId=quote["quoteId"],
        flightNumber="TP1361",
        externalReference="ACME-3001",
        tripReference="ACME-TRIP-7",
        maxTotalCents=quote["totalCents"],
    )
    stage.call("getTransferOrder", "captured", "A moment later: the money is captured", id=order["id"])
    stage.prepare("createTransferOrder", quoteId=quote["quoteId"], externalReference="ACME-3002")
    stage.prepare(
        "createTransferOrder",
        trigger="sbx_supplier_changed",
        quoteId=quote["quoteId"],
        externalReference="ACME-3003",
    )
    stage.call(
        "listTransferOrders",
        "newest",
        "The newest order, and a cursor for the next ones",
        query={"limit": "1"},
    )
    stage.call(
        "listTransferOrders",
        "by-reference",
        "Found by your own reference",
        query={"externalReference": "ACME-3001", "tripReference": "ACME-TRIP-7", "status": "confirmed"},
    )
    stage.call(
        "listTransferOrders",
        "changed-since",
        "Bookings that changed since an instant, oldest change first",
        query={"updatedSince": order["updatedAt"], "limit": "1"},
    )
    quote = stage.call(
        "quoteTransferCancellation", "free-of-charge", "Cancelling now is free of charge", id=order["id"]
    )
    stage.call(
        "cancelTransferOrder",
        "free-of-charge",
        "Cancelled free of charge",
        id=order["id"],
        cancellationQuoteId=quote["cancellationQuoteId"],
    )
    return_with_a_child_seat(stage)


def return_with_a_child_seat(stage: Stage) -> None:
    found = stage.call(
        "searchTransfers",
        "there-and-back",
        "To the hotel and back to the airport, at one price",
        inbound=f"{days_ahead(67)()}T18:00:00",
        children=1,
        vehicleClass="economy",
        limit=1,
    )
    (trip,) = found["offers"]
    seat = next(extra for extra in trip["extras"] if extra["code"] == "CST")
    stage.call(
        "createTransferOrder",
        "return-with-a-child-seat",
        "Both ways with a child seat, in one order",
        quoteId=trip["quoteId"],
        flightNumber="TP1361",
        inboundFlightNumber="TP1362",
        extras=[{"code": seat["code"], "quantity": 1}],
        externalReference="ACME-3004",
    )


def find(stage: Stage) -> dict[str, Any]:
    """The cheapest ride that can still be cancelled for nothing."""
    found = stage.call("searchTransfers", "from-the-airport", "From Lisbon airport to a hotel", limit=2)
    free = [o for o in found["offers"] if all(step["from"] for step in o["cancellationPolicy"])]
    cheapest: dict[str, Any] = min(free, key=lambda offer: offer["totalCents"])
    return cheapest
