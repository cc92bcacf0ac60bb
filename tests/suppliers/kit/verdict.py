"""What must hold at the end of every scenario, told from the stand-in's own book and from our tables, never from the connector."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from apps.bookings.models import Booking, Operation, OperationKind, OperationState
from apps.common.money import to_cents
from apps.gateway.models import IdempotencyRecord
from apps.suppliers.alerts.models import SupplierAlert
from tests.suppliers.kit.bench import WRITES, Bench
from tests.suppliers.kit.world import World
from tests.support.invariants import violations
from tests.support.supplier_stub import Heard

NOT_OURS = "?"


def verdict(world: World) -> list[str]:
    """Each promise that was broken, in words."""
    return [
        *violations(report(world.bench)),
        *wrongly_standing(world),
        *wrongly_charged(world),
        *wrong_answers(world),
    ]


def report(bench: Bench) -> dict[str, Any]:
    """The stand-in's book as `violations` reads it."""
    writes = [
        {
            "kind": one.step,
            "clientRef": one.client_ref or _ours(one.step, one.reference),
            "reference": one.reference,
        }
        for one in bench.carried
    ]
    for reference in {one.reference for one in bench.made()} - {
        one.reference for one in bench.made("cancel")
    }:
        if not bench.stands(reference) and (ours := _ours("cancel", reference)) != NOT_OURS:
            writes.append({"kind": "cancel", "clientRef": ours, "reference": reference})
    calls: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for step, client_ref in bench.asked:
        if client_ref:
            calls[client_ref][step] += 1
    return {"writes": writes, "callsByRef": calls}


def _ours(kind: str, reference: str) -> str:
    """The reference under which we asked for it: not every supplier is told one. The confirmed one of several."""
    found = Operation.objects.filter(kind=kind, booking__supplier_reference=reference)
    best = found.filter(state=OperationState.CONFIRMED).first() or found.order_by("-created_at").first()
    return best.client_ref if best is not None else NOT_OURS


def wrongly_standing(world: World) -> Iterator[str]:
    """What stands there stands here, and the other way round."""
    ours = {
        booking.supplier_reference: booking.status == world.shop.standing
        for booking in Booking.objects.exclude(supplier_reference="")
    }
    for one in world.bench.made():
        stands = world.bench.stands(one.reference)
        if stands != ours.get(one.reference, False) and one.reference not in _in_hand():
            yield f"standing: {one.reference} {'stands' if stands else 'does not stand'} at the supplier"
    twice = Counter(one.reference for one in world.bench.made("cancel"))
    yield from (f"cancelled {times} times: {reference}" for reference, times in twice.items() if times > 1)


def _in_hand() -> set[str]:
    """The supplier's references of bookings that staff were told to look at."""
    told = Operation.objects.filter(state=OperationState.REVIEW).select_related("booking")
    return {operation.booking.supplier_reference for operation in told}


def wrongly_charged(world: World) -> Iterator[str]:
    """No more than the partner agreed to; and where the supplier took more, staff know."""
    keys = (
        {
            record.booking_id: record.key
            for record in IdempotencyRecord.objects.exclude(booking_id=None)
            if hasattr(record, "booking_id")
        }
        if hasattr(IdempotencyRecord, "booking_id")
        else {}
    )
    most = max(world.most.values(), default=0)
    for booking in Booking.objects.filter(status=world.shop.standing):
        allowed = world.most.get(keys.get(booking.pk, ""), most)
        if booking.total_cents > allowed:
            yield f"charged {booking.total_cents}, agreed {allowed}: {booking}"
        answers = [one.answer for one in world.bench.made() if one.reference == booking.supplier_reference]
        cost = to_cents(world.bench.cost(answers[0]), booking.currency) if answers else 0
        changed = Operation.objects.filter(booking=booking, kind=OperationKind.CHANGE).exists()
        known = SupplierAlert.objects.filter(kind="price_above_quote").exists()
        if cost > booking.total_cents and not changed and not known:
            yield f"{booking} costs us {cost}, was sold for {booking.total_cents}, and nobody was told"


def wrong_answers(world: World) -> Iterator[str]:
    """No 500, and errors in the one envelope; `Api` has compared each with the document."""
    for reply in world.replies:
        if reply.status == 500 or (reply.status >= 400 and not reply.body.get("error", {}).get("type")):
            yield f"answered {reply.status}: {reply.body}"


__all__ = ["WRITES", "Heard", "report", "verdict"]
