"""POST /v1/hotels/bookings/{id}/change: another stay in place of the booked one, at a quoted price.

The supplier books the new stay first and cancels the old one then. A process that dies, or an answer that is lost, may leave
both. So whatever became of a change is read from both stays, the booking says that it is under way until that is known, and the
partner pays for one stay alone. An old stay that was not cancelled is a matter of staff: it is never cancelled by itself here.
"""

from collections.abc import Mapping
from typing import Any

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction
from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.members import for_member
from apps.bookings.flow.polling import Altered, keep_facts
from apps.bookings.flow.reserve import reserve_modification
from apps.bookings.handlers import Changed, Outcome, Prepared, changed_event
from apps.bookings.models import Booking, Operation, OperationKind, OperationState, Settlement
from apps.bookings.refusals import refuse_above, refuse_dearer
from apps.common.clock import day_after
from apps.common.errors import Conflict, OfferExpired
from apps.gateway.requests import Caller
from apps.hotels.details import ChangeUnderWay, StayChange, StayDetails
from apps.hotels.rules import stayed, with_ages
from apps.hotels.services.book import HotelHandler
from apps.hotels.services.change_options import (
    QuotedStay,
    by_room,
    cost_of_giving_up,
    difference,
    quoted_stay,
    refuse_unless_changeable,
)
from apps.hotels.suppliers.base import Cancellation, ChangeSearch, MovedStay, Queued, Rate, StayRequest
from apps.keys.partner import Partner
from apps.suppliers.alerts import alert
from apps.suppliers.errors import PriceChanged, Rejected, Unavailable
from apps.suppliers.models import AlertKind
from apps.suppliers.values import from_json, replaced, to_json

QUEUED = "queued"
"""The entry of `prepared` that says that the supplier's people decide."""


def change_stay(
    *, caller: Caller, booking: Booking, change_id: str, max_total_cents: int | None = None
) -> Booking:
    """Confirm a change. `max_total_cents` bounds the booking's total after it. Raises OfferExpired, Conflict (already confirmed,
    not changeable, under way), PriceChanged, InsufficientFunds, 502, 503.
    """

    def begin() -> Operation:
        refuse_confirmed(booking, change_id)
        refuse_unless_changeable(booking)
        quoted = quoted_stay(booking, change_id)
        more = difference(booking, total_cents=quoted.rate.total_cents, penalty_cents=quoted.penalty_cents)
        total, currency = booking.total_cents + more, booking.currency
        caller.trigger.refuse_handle(OfferExpired.of_change)
        caller.trigger.refuse_payment(total_cents=total, currency=currency)
        refuse_above(max_total_cents, quoted_cents=total, currency=currency)
        return reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.CHANGE,
            request={
                "changeId": change_id,
                "stay": to_json(quoted.stay),
                "rate": to_json(quoted.rate),
                "penaltyCents": quoted.penalty_cents,
                "quotedTotalCents": total,
                "maxTotalCents": max_total_cents,
            },
            amount_cents=max(0, more),
            refuse=lambda locked: refuse_now(locked, quoted, total),
            mark=lambda locked: to_json(
                replaced(StayDetails.of(locked), change_under_way=ChangeUnderWay(change_id, booking.now()))
            ),
        )

    return carry_out(caller=caller, begin=begin)


def change_for_member(
    *, partner: Partner, booking: Booking, actor: Actor, change_id: str, max_total_cents: int, key: str
) -> Booking:
    """Confirm a change in the portal, if the booking costs no more than `max_total_cents` after it. Raises what `for_member` and
    `change_stay` raise.
    """
    return for_member(
        partner=partner,
        booking=booking,
        actor=actor,
        key=key,
        operation="changeHotelBooking",
        action=AuditAction.STAY_CHANGED,
        limit={"changeId": change_id, "maxTotalCents": max_total_cents},
        refuse=refuse_unless_changeable,
        act=lambda caller: change_stay(
            caller=caller, booking=booking, change_id=change_id, max_total_cents=max_total_cents
        ),
    )


def refuse_confirmed(booking: Booking, change_id: str) -> None:
    if any(change.change_id == change_id for change in StayDetails.of(booking).changes):
        raise Conflict("This change was already confirmed.", ours=True)


def refuse_now(booking: Booking, quoted: QuotedStay, total_cents: int) -> None:
    """Raises Conflict or OfferExpired where the booking is another one by now than was quoted for."""
    refuse_confirmed(booking, quoted.id)
    refuse_unless_changeable(booking)
    more = difference(booking, total_cents=quoted.rate.total_cents, penalty_cents=quoted.penalty_cents)
    changed = quoted.stay.supplier_reference != booking.supplier_reference
    if changed or booking.total_cents + more != total_cents:
        raise OfferExpired.of_change()


class ChangeStay(HotelHandler):
    """The operation that replaces a stay by another one."""

    kind = OperationKind.CHANGE

    def prepare(self, operation: Operation) -> Prepared:
        """The new stay at its price now, and what giving up the old one costs now. Raises PriceChanged where the booking would
        cost more than was quoted and than the partner allows, or what would be due now is not held.
        """
        booking, stay = operation.booking, self.stay(operation)
        service = self.service(booking)
        if service.has_begun(booking.now()):
            raise Conflict("The stay has begun; it can no longer be changed.", ours=True)
        hotel = StayDetails.of(booking).hotel
        if booking.now() >= stayed(hotel, stay.check_in, stay.check_out).sold_until:
            raise OfferExpired.of_change()
        with_ages(stay.rooms, StayDetails.of(booking).guests)
        supplier = self.supplier(operation)
        quote, penalty = cost_of_giving_up(booking, supplier)
        rate = supplier.check_change(stay, from_json(Rate, operation.request["rate"]))
        if rate.currency != booking.currency:
            raise Rejected(f"the new stay costs {rate.currency}, and {booking.currency} was paid")
        more = difference(booking, total_cents=rate.total_cents, penalty_cents=penalty)
        total, quoted = booking.total_cents + more, operation.request["quotedTotalCents"]
        refuse_dearer(total, quoted_cents=quoted, max_total_cents=operation.request["maxTotalCents"])
        if more > 0 and not operation.hold_id:
            raise PriceChanged(total)
        return Prepared(
            max(0, more), {"rate": to_json(rate), "quote": to_json(quote), "penaltyCents": penalty}
        )

    def call(self, operation: Operation, fault: str) -> MovedStay:
        details, old = StayDetails.of(operation.booking), self.stay(operation).supplier_reference
        supplier = self.supplier(operation, fault)
        try:
            moved = supplier.change(
                old, self.request(operation), self.quote(operation), details.cancellation_policy
            )
        except Queued:
            self.keep_queued(operation)
            raise
        return self.reported(operation, moved)

    def find(self, operation: Operation) -> MovedStay | None:
        """Raises Unavailable where it is not known: the supplier's people decide, or the old stay is cancelled and no new one is
        found. Such a change goes to staff, and its hold stays.
        """
        supplier = self.supplier(operation)
        moved = self.find_moved(operation)
        if moved is not None:
            return self.reported(operation, moved)
        if operation.prepared.get(QUEUED):
            raise Unavailable("the change is queued at the supplier")
        old = self.stay(operation).supplier_reference
        if supplier.read_booking(old, StayDetails.of(operation.booking).cancellation_policy).cancelled:
            raise Unavailable("the old stay is cancelled, and no new one is found")
        return None

    def find_moved(self, operation: Operation) -> MovedStay | None:
        """None also where the new stay was cancelled again at no cost, and the old one stands: nothing has changed then."""
        policy = StayDetails.of(operation.booking).cancellation_policy
        old, rate, quote = (
            self.stay(operation).supplier_reference,
            self.rate(operation),
            self.quote(operation),
        )
        moved = self.supplier(operation).find_change(operation.client_ref, old, rate, quote, policy)
        if moved is not None and moved.given_up is None and moved.stay.cancelled:
            if moved.stay.penalty_cents:
                raise Unavailable("the new stay was cancelled at a cost, and the old one is still active")
            return None
        return moved

    def outcome(self, operation: Operation, result: MovedStay) -> Outcome:
        """The partner pays for the new stay and for giving up the old one, no more than was prepared. What costs more was held,
        what is cheaper is owed.
        """
        booking, stay, rate = operation.booking, self.stay(operation), self.rate(operation)
        details, now = StayDetails.of(booking), booking.now()
        price, penalty = rate.total_cents, int(operation.prepared["penaltyCents"])
        if result.stay.currency == booking.currency:
            price = min(price, result.stay.total_cents)
        if result.given_up is not None and result.given_up.currency == booking.currency:
            penalty = min(penalty, result.given_up.penalty_cents)
        more = difference(booking, total_cents=price, penalty_cents=penalty)
        owed, total = max(0, -more), booking.total_cents + more
        change = StayChange(
            change_id=operation.request["changeId"],
            difference_cents=more,
            penalty_cents=penalty,
            currency=booking.currency,
            settled=owed == 0,
            settled_at=None if owed else now,
            created_at=now,
        )
        moved = details.moved(
            rate, result.stay, check_in=stay.check_in, check_out=stay.check_out, rooms=stay.rooms
        )
        moved = replaced(
            moved,
            changes=(*details.changes, change),
            given_up_cents=details.given_up_cents + penalty,
            old_stays=details.old_stays
            if result.given_up is not None
            else (*details.old_stays, stay.supplier_reference),
        )
        changed = changed_event(
            booking, *what_changed(details, stay), total_cents=total, difference_cents=more
        )
        return Outcome(
            status="confirmed",
            details=to_json(moved),
            total_cents=total,
            supplier_reference=result.stay.supplier_reference,
            capture_cents=max(0, more) if operation.hold_id else None,
            credit_later_cents=owed,
            watched_until=day_after(stay.check_out),
            events=(changed,),
        )

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        """Sets the change's `settled` to true."""
        change_id, details = settlement.operation.request["changeId"], StayDetails.of(booking)
        changes = tuple(
            replaced(change, settled=True, settled_at=settlement.settled_at)
            if change.change_id == change_id
            else change
            for change in details.changes
        )
        settled: Mapping[str, Any] = to_json(replaced(details, changes=changes))
        return settled

    def unmarked(self, booking: Booking) -> Mapping[str, Any]:
        unmarked: Mapping[str, Any] = to_json(replaced(StayDetails.of(booking), change_under_way=None))
        return unmarked

    def reported(self, operation: Operation, moved: MovedStay) -> MovedStay:
        """The result, and an alert where both stays stand."""
        if moved.given_up is None:
            old = self.stay(operation).supplier_reference
            alert_old_stay(operation.booking.supplier_name, operation.booking, old)
        return moved

    def keep_queued(self, operation: Operation) -> None:
        """A look-up must never believe that nothing will come of it."""
        prepared = {**operation.prepared, QUEUED: True}
        own = Operation.objects.filter(pk=operation.pk, lease_token=operation.lease_token)
        own.update(prepared=prepared)
        operation.prepared = prepared
        booking = operation.booking
        alert(booking.supplier_name, AlertKind.UNRESOLVED, f"{operation.client_ref} waits in their queue")

    def request(self, operation: Operation) -> StayRequest:
        details, stay = StayDetails.of(operation.booking), self.stay(operation)
        return StayRequest(
            client_ref=operation.client_ref,
            rate=self.rate(operation),
            guests=with_ages(stay.rooms, details.guests),
            email=details.email,
            phone=details.phone,
            special_requests=details.special_requests,
        )

    @staticmethod
    def stay(operation: Operation) -> ChangeSearch:
        return from_json(ChangeSearch, operation.request["stay"])

    @staticmethod
    def rate(operation: Operation) -> Rate:
        """As it was stored before it was booked."""
        return from_json(Rate, operation.prepared["rate"])

    @staticmethod
    def quote(operation: Operation) -> Cancellation:
        """What giving up the old stay was to cost, as its supplier said."""
        return from_json(Cancellation, operation.prepared["quote"])


def what_changed(details: StayDetails, stay: ChangeSearch) -> list[Changed]:
    changed = []
    if (details.check_in, details.check_out) != (stay.check_in, stay.check_out):
        changed.append(Changed.DATES)
    if by_room(details.rooms) != by_room(stay.rooms):
        changed.append(Changed.ROOMS)
    return changed


def alert_old_stay(supplier: str, booking: Booking, old: str) -> None:
    alert(
        supplier, AlertKind.OLD_STAY_STANDS, f"{booking.reference}: {old} was replaced, and is still active"
    )


def look_at_old_stays(booking: Booking) -> None:
    """Read the stays that a change replaced and that stood when they were last read, with each poll of their booking: what staff
    have cancelled meanwhile is forgotten, and of what stands they are alerted again. Raises SupplierError.
    """
    old = StayDetails.of(booking).old_stays
    if not old:
        return
    supplier, gone = ChangeStay().supplier_of(booking), set[str]()
    for reference in old:
        if supplier.read_booking(reference).cancelled:
            gone.add(reference)
        else:
            alert_old_stay(booking.supplier_name, booking, reference)

    def without(stored: Booking) -> Altered | None:
        details = StayDetails.of(stored)
        left = tuple(reference for reference in details.old_stays if reference not in gone)
        return (
            None if left == details.old_stays else Altered(to_json(replaced(details, old_stays=left)), {}, {})
        )

    keep_facts(booking, without)


def refuse_if_changed_late(booking: Booking) -> None:
    """Before a booking is cancelled because its stay is cancelled at its supplier: a change that was given up here may have been
    carried out after that. Raises Unavailable then, and alerts staff: the new stay stands, and its partner has not paid for it.
    """
    given_up = booking.operations.filter(
        kind=OperationKind.CHANGE, state=OperationState.FAILED, call_started_at__isnull=False
    ).select_related("booking")
    handler = ChangeStay()
    for operation in given_up:
        operation.booking = booking
        if handler.stay(operation).supplier_reference != booking.supplier_reference:
            continue
        moved = handler.find_moved(operation)
        if moved is not None:
            new = moved.stay.supplier_reference
            alert(
                booking.supplier_name,
                AlertKind.UNRESOLVED,
                f"{operation.client_ref} was given up here, {new} stands there",
            )
            raise Unavailable("a change that was given up was carried out")
