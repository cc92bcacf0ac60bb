"""The account: what the key may do and what the wallet holds; in the end the ledger, what became of calls, the searches that
were counted, the event of a low balance, and the month's statement.
"""

from tests.examples.stage import Stage


def look(stage: Stage) -> None:
    stage.call("getAccount", "account", "An account with money in its test wallet")
    stage.call(
        "getAccount",
        "ignored-parameter",
        "An unknown parameter is ignored and listed in X-Ignored-Parameters",
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
        "The response was lost, and the booking was made",
        query={"idempotencyKey": sent.headers["Idempotency-Key"]},
    )
    stage.call(
        "findOperation",
        "never-seen",
        "The request never arrived: send it again with the same key",
        query={"idempotencyKey": "7b0c6a9e-3f35-4f0b-9d0a-52a1a4f0c9de"},
    )
    days = {"from": "2026-12-01", "to": "2026-12-01"}
    stage.call("getSearchUsage", "one-day", "The searches of a day", query=days)
    stage.warn_of_low_balance(below_cents=1_000_000)


def state(stage: Stage) -> None:
    """In the month after, when this one is closed."""
    stage.wait(seconds=31 * 86_400)
    sent = next(call.request for call in stage.calls if call.operation_id == "createEsimOrder")
    stage.prepare("createEsimOrder", planId=sent.body["planId"], externalReference=..., maxTotalCents=...)
    now, last = stage.call("listAccountStatements", "months", "The months that have a statement")["data"]
    stage.call(
        "getAccountStatement", "figures", "A month that is not closed yet", also={"month": now["month"]}
    )
    closed = {"month": last["month"]}
    for form, summary in (("csv", "Every ledger line, for a spreadsheet"), ("pdf", "To keep, or to pass on")):
        stage.call("getAccountStatement", form, summary, also=closed, query={"format": form})
    stage.wait(seconds=-31 * 86_400)
