"""What must hold at the end of every scenario, told from the stand-in's own book and from our tables, not by the connector."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from apps.bookings.models import Booking, Operation, OperationKind, OperationState
from apps.common.money import to_cents
from apps.suppliers.models import SupplierAlert
from tests.suppliers.kit.bench import Bench, Carried
from tests.suppliers.kit.world import World
from tests.support.invariants import REPLACED, violations

NOT_OURS = "?"


def verdict(world: World) -> list[str]:
    """Each promise that was broken, in words."""
    return [
        *violations(report(world.bench)),
        *wrongly_standing(world),
        *wrongly_charged(world),
        *wrong_answers(world),
        *(f"crashed: {crash}" for crash in world.crashes),
    ]


def report(bench: Bench) -> dict[str, Any]:
    """The stand-in's book as `violations` reads it, with what the supplier ended by itself."""
    cancelled = {one.reference for one in bench.made("cancel")}
    ended = {
        one.reference
        for one in made(bench)
        if one.reference not in cancelled and not bench.stands(one.reference)
    }
    writes = []
    for one in bench.carried:
        ours = one.client_ref or _ours(one.kind, one.reference)
        if one.reference in ended and not _is_confirmed(ours):
            continue  # it was over before it was found: there is nothing to confirm
        writes.append({"kind": one.kind, "clientRef": ours, "reference": one.reference})
    writes += [
        {"kind": "cancel", "clientRef": ours, "reference": reference}
        for reference in ended
        if (ours := _ours("cancel", reference)) != NOT_OURS
    ]
    writes += [{"kind": REPLACED, "clientRef": "", "reference": reference} for reference in ended]
    calls: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for step, client_ref in bench.asked:
        if client_ref:
            calls[client_ref][step] += 1
    return {"writes": writes, "callsByRef": calls}


def made(bench: Bench) -> list[Carried]:
    """Bookings of all kinds."""
    return [one for step in bench.named for one in bench.made(step)]


def _is_confirmed(client_ref: str) -> bool:
    return Operation.objects.filter(client_ref=client_ref, state=OperationState.CONFIRMED).exists()


def _ours(kind: str, reference: str) -> str:
    """The reference under which we asked for it: not every supplier is told one. The confirmed one of several."""
    found = Operation.objects.filter(kind=kind, booking__supplier_reference=reference)
    best = found.filter(state=OperationState.CONFIRMED).first() or found.order_by("-created_at").first()
    return best.client_ref if best is not None else NOT_OURS


def wrongly_standing(world: World) -> Iterator[str]:
    """What stands there stands here, and the other way round; but for what staff were told to decide."""
    ours = {
        booking.supplier_reference: booking.status in (world.shop.standing, Booking.ON_HOLD)
        for booking in Booking.objects.exclude(supplier_reference="")
    }
    with_staff = set(
        Operation.objects.filter(state=OperationState.REVIEW).values_list("client_ref", flat=True)
    )
    for one in made(world.bench):
        stands = world.bench.stands(one.reference)
        if stands != ours.get(one.reference, False) and one.client_ref not in with_staff:
            yield f"standing: {one.reference} {'stands' if stands else 'does not stand'} at the supplier"
    twice = Counter(one.reference for one in world.bench.made("cancel"))
    yield from (f"cancelled {times} times: {reference}" for reference, times in twice.items() if times > 1)


def wrongly_charged(world: World) -> Iterator[str]:
    """No more than the partner agreed to; and where the supplier says that it took more, staff know."""
    agreed = max(world.most.values(), default=0)
    told = {one.reference: one.told or one.answer for one in made(world.bench)}
    repriced = (OperationKind.CHANGE, OperationKind.SERVICES)
    changed = set(Operation.objects.filter(kind__in=repriced).values_list("booking_id", flat=True))
    for booking in Booking.objects.filter(status=world.shop.standing).exclude(pk__in=changed):
        if booking.total_cents > agreed:
            yield f"{booking} was charged {booking.total_cents}, agreed {agreed}"
        try:
            cost = to_cents(world.bench.cost(told[booking.supplier_reference]), booking.currency)
        except (LookupError, TypeError, ValueError, ArithmeticError):
            continue  # no sum was told that could be read
        known = SupplierAlert.objects.filter(kind="price_above_quote").exists()
        if cost > booking.total_cents and not known:
            yield f"{booking} costs us {cost}, was sold for {booking.total_cents}, and nobody was told"


def wrong_answers(world: World) -> Iterator[str]:
    """No 500, and errors in the one envelope; `Api` has compared each with the document."""
    for reply in world.replies:
        if reply.status == 500 or (reply.status >= 400 and not reply.body.get("error", {}).get("type")):
            yield f"answered {reply.status}: {reply.body}"
