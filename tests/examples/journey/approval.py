"""A booking above what the key may spend without approval: it waits, and is confirmed once it is approved."""

from typing import Any

from tests.examples.stage import Stage

EVENTS = ["booking.approval_requested", "booking.approval_decided"]


def play(stage: Stage) -> None:
    stage.call(
        "createWebhookEndpoint",
        "of-approvals",
        "Only for bookings that await approval",
        url="https://partner.example/approvals",
        events=EVENTS,
    )
    stage.ask_for_approval(above_cents=1_000)
    quote = dear_ride(stage)
    waiting = stage.call(
        "createTransferOrder",
        "awaiting-approval",
        "Above what the key may spend without approval: the funds are held, and members of the account decide",
        quoteId=quote["quoteId"],
        flightNumber="TP1361",
        externalReference="ACME-3005",
    )
    stage.approve(waiting["id"])
    stage.ask_for_approval(above_cents=None)


def dear_ride(stage: Stage) -> dict[str, Any]:
    found = stage.call("searchTransfers", "of-two-vehicles", "From Lisbon airport, in two vehicles", limit=2)
    return max(found["offers"], key=lambda offer: int(offer["totalCents"]))
