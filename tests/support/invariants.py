"""What must hold once nothing is under way any more (reliability B1 to B3, M1 to M7), told from the supplier's own books.

`violations(report)` compares every booking in the database, of any product, with a judge's report. It is deliberately written
without the services' own code: from rows and from the report alone.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from apps.bookings.models import Booking, Operation, OperationState, Settlement
from apps.gateway.models import IdempotencyRecord
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.suppliers.models import SupplierAlert
from apps.webhooks.models import Event

Report = dict[str, Any]
OPEN = (OperationState.AWAITING, OperationState.HELD, OperationState.CALLING, OperationState.UNCERTAIN)
REPLACED = "replace"
"""The end of a stay in whose place a change booked another one. It bears no reference of its own."""
WRITES = ("book", "order", "change", "add_services", "cancel", "pay")
STANDING = {"hotel": "confirmed", "flight": "ticketed", "transfer": "confirmed", "esim": "provisioned"}
"""What each product calls a booking that its supplier has confirmed."""
ANNOUNCED = {"esim": "esim.provisioned"}
"""The event that says so where it is not booking.confirmed (specification §6)."""
EVENTS = (
    "booking.confirmed",
    "booking.changed",
    "esim.provisioned",
    "esim.topped_up",
    "booking.cancelled",
    "payment.refunded",
)


def violations(report: Report) -> list[str]:
    """All of them in words; none where every promise was kept."""
    operations = list(Operation.objects.select_related("booking"))
    return [
        *unfinished(operations),
        *lost_or_doubled(operations, report),
        *confused(operations, report),
        *replaced(operations, report),
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
    made = Counter(
        (write["kind"], write["clientRef"]) for write in report["writes"] if write["kind"] != REPLACED
    )
    confirmed = {(op.kind, op.client_ref) for op in operations if op.state == OperationState.CONFIRMED}
    in_hand = {(op.kind, op.client_ref) for op in operations if op.state in (*OPEN, OperationState.REVIEW)}
    for write, times in made.items():
        if times > 1:
            yield f"doubled: {write} × {times}"
        if write not in confirmed | in_hand:
            yield f"lost: {write} stands at the supplier"
    yield from (f"phantom: {write}" for write in confirmed - made.keys())


def confused(operations: list[Operation], report: Report) -> Iterator[str]:
    """What we keep as the supplier's reference is the booking that was made or altered for us, and no other one."""
    made: defaultdict[str, set[str]] = defaultdict(set)
    for write in report["writes"]:
        made[write["clientRef"]].add(write["reference"])
    changed = {op.booking_id for op in operations if is_replacing(op)}
    for operation in operations:
        if operation.booking_id in changed:
            continue  # `replaced` looks at these
        kept = altered_by(operation.booking)
        if operation.state == OperationState.CONFIRMED and kept not in made.get(operation.client_ref, {kept}):
            yield f"confused: {operation} is kept as {kept!r}, not {made[operation.client_ref]}"


def is_replacing(operation: Operation) -> bool:
    """A change of a stay is another booking at the supplier."""
    return (
        operation.booking.product == "hotel"
        and operation.kind == "change"
        and operation.state == OperationState.CONFIRMED
    )


def replaced(operations: list[Operation], report: Report) -> Iterator[str]:
    """The stay that we keep is the one that the last change made; and of each stay before it the supplier wrote the end, or staff
    were told that it stands.
    """
    made = {write["clientRef"]: write["reference"] for write in report["writes"] if write["kind"] == "change"}
    ended = {write["reference"] for write in report["writes"] if write["kind"] in (REPLACED, "cancel")}
    last: dict[str, Operation] = {}
    for operation in sorted(filter(is_replacing, operations), key=lambda op: op.pk):
        last[operation.booking_id] = operation
        old = operation.request["stay"]["supplier_reference"]
        told = SupplierAlert.objects.filter(kind="old_stay_stands", detail__contains=old).exists()
        if old not in ended and not told:
            yield f"both stand: {old} of {operation}"
    for operation in last.values():
        kept = operation.booking.supplier_reference
        if made.get(operation.client_ref, kept) != kept:
            yield f"confused: {operation} is kept as {kept!r}, not {made[operation.client_ref]}"


def altered_by(booking: Booking) -> str:
    """The supplier's booking that it made or altered. The simulator's top-up `sim_…-T1` alters the profile `sim_…`."""
    return re.sub(r"^(sim_.*)-T\d+$", r"\1", booking.supplier_reference)


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
    owed = set(Settlement.objects.filter(settled_at=None).values_list("hold_id", flat=True))
    for operation in operations:
        if not operation.hold_id:
            continue
        hold, freed = holds[operation.hold_id], freed_by_cancelling(operation)
        if hold.status != ("released" if freed else due_status(operation, owed)):
            yield f"hold {hold.status}: {operation}"
        if hold.status == "released" and operation.client_ref in written and not freed:
            yield f"released: the hold of {operation}, which the supplier carried out"
    for orphan in Hold.objects.exclude(pk__in=holds):
        yield f"hold without an operation: {orphan}"


def due_status(operation: Operation, owed: set[str]) -> str:
    """What a hold has come to by its operation's state; a confirmed transfer's is open as long as its capture is owed."""
    if operation.state == OperationState.FAILED:
        return "released"
    captured = operation.state == OperationState.CONFIRMED and operation.hold_id not in owed
    return "captured" if captured else "open"


def freed_by_cancelling(operation: Operation) -> bool:
    """Whether the operation made a booking that was cancelled, for free, before its funds were captured."""
    booking = operation.booking
    if operation.state != OperationState.CONFIRMED or booking.status != Booking.CANCELLED:
        return False
    settlement = Settlement.objects.filter(operation=operation, action="capture").first()
    captured = LedgerTransaction.objects.filter(type="capture", reference=operation.hold_id).exists()
    return settlement is not None and booking.cancellation["penaltyCents"] == 0 and not captured


def wrong_events() -> Iterator[str]:
    """One event for each order that was confirmed, each change, each cancellation, each sum that came back; no others."""
    told = Counter(Event.objects.values_list("type", "booking_id"))
    credited = Counter(
        Settlement.objects.filter(action="credit", settled_at__isnull=False).values_list(
            "booking_id", flat=True
        )
    )
    changed = Counter(
        Operation.objects.filter(kind__in=("change", "services"), state=OperationState.CONFIRMED).values_list(
            "booking_id", flat=True
        )
    )
    for booking in Booking.objects.all():
        cancelled = booking.status == Booking.CANCELLED
        confirmed = (cancelled and not never_paid(booking)) or booking.status == STANDING[booking.product]
        refunded = cancelled and booking.cancellation["refundCents"] > 0
        due = Counter(
            {
                announced(booking): int(confirmed),
                "booking.changed": changed[booking.pk],
                "booking.cancelled": int(cancelled),
                "payment.refunded": int(refunded) + credited[booking.pk],
            }
        )
        for type in EVENTS:
            if told[type, booking.pk] != due[type]:
                yield f"events: {told[type, booking.pk]} × {type} of {booking}, which is {booking.status}"


def never_paid(booking: Booking) -> bool:
    """Whether it was on hold to its end: no event said that it was confirmed."""
    of = Operation.objects.filter(booking=booking)
    return (
        of.filter(kind="book", hold_id="").exists() and not of.filter(kind="pay", state="confirmed").exists()
    )


def announced(booking: Booking) -> str:
    """A top-up is a booking of its own, and has an event of its own."""
    if booking.details.get("top_up_of"):
        return "esim.topped_up"
    return ANNOUNCED.get(booking.product, "booking.confirmed")


def wrong_money() -> Iterator[str]:
    """What a booking cost in the end is what the ledger moved for it; nothing is overdrawn."""
    spent: Counter[str] = Counter()
    for reference, type, cents, held in LedgerTransaction.objects.values_list(
        "booking_reference", "type", "amount_cents", "held_delta_cents"
    ):
        spent[reference] += -held if type == "capture" else -cents if type == "refund" else 0
    for booking in Booking.objects.all():
        cost = 0
        if booking.status == STANDING[booking.product]:
            cost = booking.total_cents
        elif booking.status == Booking.CANCELLED:
            cost = booking.cancellation["penaltyCents"]
        if spent[booking.reference] + still_to_pay(booking) != cost:
            yield f"money: {booking} ({booking.status}) cost {cost}, the ledger moved {spent[booking.reference]}"
    for wallet in Wallet.objects.all():
        if wallet.held_cents < 0 or wallet.available_cents < 0:
            yield f"overdrawn: {wallet}"


def still_to_pay(booking: Booking) -> int:
    """What the reconciliation worker is yet to capture, less what it is yet to give back."""
    owed = booking.settlements.filter(settled_at=None).values_list("action", "amount_cents")
    return sum(cents if action == "capture" else -cents for action, cents in owed)


def blocked_keys(now: Any) -> int:
    """Idempotency-Keys that a dead process still blocks at `now`."""
    return IdempotencyRecord.objects.filter(state="running", lease_until__gt=now).count()
