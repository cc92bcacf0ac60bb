"""The account: what the key may do and what the wallet holds; in the end the ledger, and the searches that were counted."""

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
    days = {"from": "2026-12-01", "to": "2026-12-01"}
    stage.call("getSearchUsage", "one-day", "The searches of a day", query=days)
