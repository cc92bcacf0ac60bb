"""The account: what the key may do and what the wallet holds; in the end the ledger, what became of calls, the searches that
were counted, and the event of a low balance.
"""

from tests.examples.stage import Stage


def look(stage: Stage) -> None:
    stage.call("getAccount", "account", "An account with money in its test wallet")
    stage.call(
        "getAccount",
        "ignored-parameter",
        "A parameter that the operation does not have is ignored, and named in X-Ignored-Parameters",
        query={"expand": "balance"},
    )


def reconcile(stage: Stage) -> None:
    newest = stage.call(
        "listLedgerEntries",
        "newest",
        "The newest entries, and a cursor for the next ones",
        query={"limit": "3"},
    )
    reference = next(entry["bookingReference"] for entry in newest["data"] if entry["bookingReference"])
    stage.call(
        "listLedgerEntries",
        "of-a-booking",
        "What was held for a booking",
        query={"type": "hold", "bookingReference": reference},
    )
    sent = next(call.request for call in stage.calls if call.operation_id == "createHotelBooking")
    stage.call(
        "findOperation",
        "booked",
        "The answer was lost, and the booking was made",
        query={"idempotencyKey": sent.headers["Idempotency-Key"]},
    )
    stage.call(
        "findOperation",
        "never-seen",
        "The request never arrived: send it again, with the same key",
        query={"idempotencyKey": "7b0c6a9e-3f35-4f0b-9d0a-52a1a4f0c9de"},
    )
    days = {"from": "2026-12-01", "to": "2026-12-01"}
    stage.call("getSearchUsage", "one-day", "The searches of a day", query=days)
    stage.warn_of_low_balance(below_cents=1_000_000)
