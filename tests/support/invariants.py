"""What must hold once nothing is under way any more (reliability B1 to B3, M1 to M7), told from the supplier's own books.

`violations(report)` compares every flight booking in the database with a judge's report. It is deliberately written without the
services' own code: from rows and from the report alone.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from apps.bookings.models import Booking, Operation, OperationState, Settlement
from apps.gateway.models import IdempotencyRecord
from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.ledger.services.check_ledger import check_ledger
from apps.webhooks.models import Event

Report = dict[str, Any]
OPEN = (OperationState.HELD, OperationState.CALLING, OperationState.UNCERTAIN)
WRITES = ("book", "change", "cancel")
STANDING = "ticketed"


def violations(report: Report) -> list[str]:
    """All of them in words; none where every promise was kept."""
    operations = list(Operation.objects.select_related("booking").filter(booking__product="flight"))
    return [
        *unfinished(operations),
        *lost_or_doubled(operations, report),
        *blind_calls(report),
        *wrong_holds(operations, report),
        *wrong_events(),
        *wrong_money(),
        *(f"ledger: {difference}" for difference in check_ledger()),
    ]


def unfinished(operations: list[Operation]) -> Iterator[str]:
    """Operations, settlements and holds that nobody resolved."""
    for operation in operations:
        if operation.state in OPEN:
            yield f"unfinished: {operation}"
    if owed := Settlement.objects.filter(settled_at=None).count():
        yield f"unfinished: {owed} settlements"


def lost_or_doubled(operations: list[Operation], report: Report) -> Iterator[str]:
    """Each write that the supplier made is a confirmed operation of ours, once; and the other way round."""
    made = Counter((write["kind"], write["clientRef"]) for write in report["writes"])
    confirmed = {(op.kind, op.client_ref) for op in operations if op.state == OperationState.CONFIRMED}
    in_hand = {(op.kind, op.client_ref) for op in operations if op.state in (*OPEN, OperationState.REVIEW)}
    for write, times in made.items():
        if times > 1:
            yield f"doubled: {write} × {times}"
        if write not in confirmed | in_hand:
            yield f"lost: {write} stands at the supplier"
    yield from (f"phantom: {write}" for write in confirmed - made.keys())


def blind_calls(report: Report) -> Iterator[str]:
    """At most one book, change or cancel call for each reference of ours."""
    for client_ref, calls in report["callsByRef"].items():
        for method in WRITES:
            if calls.get(method, 0) > 1:
                yield f"blind: {calls[method]} {method} calls with {client_ref}"


def wrong_holds(operations: list[Operation], report: Report) -> Iterator[str]:
    """Confirmed ⇔ captured, failed ⇔ released, and never released while the supplier's booking lives."""
    written = {write["clientRef"] for write in report["writes"]}
    holds = Hold.objects.in_bulk([op.hold_id for op in operations if op.hold_id])
    due = {OperationState.CONFIRMED: "captured", OperationState.FAILED: "released"}
    for operation in operations:
        if not operation.hold_id:
            continue
        hold = holds[operation.hold_id]
        if hold.status != due.get(operation.state, "open"):
            yield f"hold {hold.status}: {operation}"
        if hold.status == "released" and operation.client_ref in written:
            yield f"released: the hold of {operation}, which the supplier carried out"
    known = {op.hold_id for op in operations}
    for orphan in Hold.objects.filter(transactions__booking_type="flight").exclude(pk__in=known).distinct():
        yield f"hold without an operation: {orphan}"


def wrong_events() -> Iterator[str]:
    """One booking.confirmed for each order that was ticketed, one booking.cancelled for each cancelled, no others."""
    told = Counter(Event.objects.values_list("type", "booking_id"))
    for booking in Booking.objects.filter(product="flight"):
        ticketed = booking.status in (STANDING, Booking.CANCELLED)
        for type, times in (
            ("booking.confirmed", int(ticketed)),
            ("booking.cancelled", int(booking.status == Booking.CANCELLED)),
        ):
            if told[type, booking.pk] != times:
                yield f"events: {told[type, booking.pk]} × {type} of {booking}, which is {booking.status}"


def wrong_money() -> Iterator[str]:
    """What a booking cost in the end is what the ledger moved for it; nothing is overdrawn."""
    spent: Counter[str] = Counter()
    for reference, type, cents, held in LedgerTransaction.objects.filter(booking_type="flight").values_list(
        "booking_reference", "type", "amount_cents", "held_delta_cents"
    ):
        spent[reference] += -held if type == "capture" else -cents if type == "refund" else 0
    for booking in Booking.objects.filter(product="flight"):
        cost = 0
        if booking.status == STANDING:
            cost = booking.total_cents
        elif booking.status == Booking.CANCELLED:
            cost = booking.cancellation["penaltyCents"]
        owed = sum(booking.settlements.filter(settled_at=None).values_list("amount_cents", flat=True))
        if spent[booking.reference] - owed != cost:
            yield f"money: {booking} ({booking.status}) cost {cost}, the ledger moved {spent[booking.reference]}"
    for wallet in Wallet.objects.all():
        if wallet.held_cents < 0 or wallet.available_cents < 0:
            yield f"overdrawn: {wallet}"


def blocked_keys(now: Any) -> int:
    """Idempotency-Keys that a dead process still blocks at `now`."""
    return IdempotencyRecord.objects.filter(state="running", lease_until__gt=now).count()
