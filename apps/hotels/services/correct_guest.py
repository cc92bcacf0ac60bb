"""POST /v1/hotels/bookings/{id}/correct-guest: another name of the lead guest.

The supplier takes a request, and people work on it. The operation of the flow ends once that request is sent. What becomes of it
is read from the supplier with the booking; where nothing shows until the deadline, staff find out. A request whose answer was
lost counts as sent: it is never sent again by itself.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction, User
from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.members import for_member
from apps.bookings.flow.polling import Altered, keep_facts
from apps.bookings.flow.reserve import reserve_modification
from apps.bookings.handlers import Outcome, Prepared
from apps.bookings.models import Booking, Operation, OperationKind
from apps.bookings.travellers import is_redacted, opened_value, sealed_value, with_keys
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest
from apps.gateway.requests import Caller
from apps.hotels.details import GuestCorrection, StayDetails
from apps.hotels.models import CorrectionRequest, CorrectionStatus
from apps.hotels.rules import lead_guest, stayed
from apps.hotels.services.book import HotelHandler
from apps.hotels.services.hotel_changes import facts_of
from apps.hotels.suppliers.base import HotelSupplier, NameCorrection
from apps.keys.partner import Partner
from apps.suppliers.alerts import alert
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.models import AlertKind
from apps.suppliers.values import replaced, to_json

logger = logging.getLogger(__name__)

PATIENCE = timedelta(hours=48)
"""For so long suppliers may work on a request, until the check-in day at most, before staff find out what became of it."""
SIMULATED_WORK = timedelta(seconds=10)
"""How long the simulator works on it: a test booking is polled then."""
NAME = "name"
"""The entry of the operation's request that has the name, sealed."""
IGNORED = "ignored"
"""Its entry that says whether the sandbox is to let the request lie."""


def correct_guest(
    *, caller: Caller, booking: Booking, guest: int, first_name: str, last_name: str
) -> Booking:
    """Ask the supplier for another name of the guest at `guest`. Raises Conflict, InvalidRequest, 502, 503."""

    def begin() -> Operation:
        refuse_unless_correctable(booking)
        refuse_other_name(StayDetails.of(booking), guest, first_name, last_name)
        return reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.CORRECT,
            request={
                "guest": guest,
                NAME: sealed_value(booking, [first_name, last_name]),
                IGNORED: caller.trigger.leaves_pending(),
            },
            amount_cents=0,
            refuse=refuse_unless_correctable,
        )

    return carry_out(caller=caller, begin=begin)


def correct_for_member(
    *, partner: Partner, booking: Booking, actor: Actor, first_name: str, last_name: str, key: str
) -> Booking:
    """Ask for another name of the lead guest in the portal. Raises what `for_member` and `correct_guest` raise."""
    name = {"first_name": first_name, "last_name": last_name}
    return for_member(
        partner=partner,
        booking=booking,
        actor=actor,
        key=key,
        operation="correctHotelGuest",
        action=AuditAction.GUEST_CORRECTED,
        limit={},
        unrecorded=name,
        refuse=refuse_unless_correctable,
        act=lambda caller: correct_guest(
            caller=caller, booking=booking, guest=lead_guest(StayDetails.of(booking).guests), **name
        ),
    )


def refuse_unless_correctable(booking: Booking) -> None:
    """Raises Conflict (409) unless the stay stands and is not over, its guests are known, and no other correction is open."""
    if booking.status != "confirmed":
        raise Conflict(f"The booking is {booking.status}.", ours=True)
    details = StayDetails.of(booking)
    if is_redacted(booking):
        raise Conflict("The travellers of this booking are forgotten.", ours=True)
    if stayed(details.hotel, details.check_in, details.check_out).is_over(booking.now()):
        raise Conflict("The stay is over; no name can be corrected.", ours=True)
    if details.correction is not None and details.correction.is_open:
        raise Conflict("Another correction of this booking is not decided yet.", ours=True)


def refuse_other_name(details: StayDetails, guest: int, first_name: str, last_name: str) -> None:
    """Raises InvalidRequest (400) for a guest that there is not and for the name that the guest has, and Conflict (409) for any
    guest but the lead.
    """
    if guest >= len(details.guests):
        raise InvalidRequest.field(
            "guest", f"must be a place in `guests`, from 0 to {len(details.guests) - 1}"
        )
    lead = lead_guest(details.guests)
    if guest != lead:
        raise Conflict(
            f"Suppliers correct the name of the lead guest only, which is guest {lead}.", ours=True
        )
    named = details.guests[guest]
    if (named.first_name, named.last_name) == (first_name, last_name):
        raise InvalidRequest.field("lastName", "is with firstName the name that the guest has")


@dataclass(frozen=True, slots=True)
class Asked:
    """The supplier was asked. `certain`: it said that it has the request."""

    certain: bool


class CorrectGuest(HotelHandler):
    """The operation that asks the supplier. It has an end whatever the supplier answers, so it is not looked up for long."""

    kind = OperationKind.CORRECT

    def prepare(self, operation: Operation) -> Prepared:
        return Prepared(0)

    def call(self, operation: Operation, fault: str) -> Asked:
        if operation.request[IGNORED]:
            return Asked(certain=True)
        booking = operation.booking
        details, (first_name, last_name) = StayDetails.of(booking), name_in(operation)
        wanted = wanted_name(details, operation.request["guest"], first_name, last_name)
        try:
            self.supplier(operation, fault).ask_correction(
                operation.client_ref, booking.supplier_reference, wanted
            )
        except OutcomeUnknown as error:
            logger.warning("%s: sent, and the response was lost: %s", operation, error)
            return Asked(certain=False)
        return Asked(certain=True)

    def find(self, operation: Operation) -> Asked:
        """Suppliers do not say what they were asked. The next poll reads whether the booking has the name."""
        return Asked(certain=False)

    def outcome(self, operation: Operation, result: Asked) -> Outcome:
        booking = operation.booking
        details, (first_name, last_name) = StayDetails.of(booking), name_in(operation)
        day = stayed(details.hotel, details.check_in, details.check_out).sold_until - timedelta(days=1)
        correction = GuestCorrection(
            client_ref=operation.client_ref,
            status=CorrectionStatus.REQUESTED,
            guest=operation.request["guest"],
            first_name=first_name,
            last_name=last_name,
            requested_at=operation.created_at,
            due_at=min(operation.created_at + PATIENCE, max(operation.created_at, day)),
        )

        def store(written: Booking) -> None:
            CorrectionRequest.objects.update_or_create(
                booking=written,
                defaults={
                    "client_ref": correction.client_ref,
                    "status": correction.status,
                    "is_certain": result.certain,
                    "requested_at": correction.requested_at,
                    "due_at": correction.due_at,
                    "alerted_at": None,
                    "decided_at": None,
                },
            )
            if written.environment == Environment.TEST:
                Booking.objects.filter(pk=written.pk).update(next_news_at=clock.now() + SIMULATED_WORK)

        return Outcome(
            status=booking.status,
            details=to_json(replaced(details, correction=correction)),
            total_cents=booking.total_cents,
            supplier_reference=booking.supplier_reference,
            watched_until=booking.watched_until,
            store=store,
        )


def name_in(operation: Operation) -> tuple[str, str]:
    first_name, last_name = opened_value(operation.booking, operation.request[NAME])
    return first_name, last_name


def wanted_name(details: StayDetails, guest: int, first_name: str, last_name: str) -> NameCorrection:
    booked = details.guests[guest]
    return NameCorrection(
        first_name=first_name,
        last_name=last_name,
        booked_first_name=booked.first_name,
        booked_last_name=booked.last_name,
        email=details.email,
        phone=details.phone,
    )


# --- What becomes of it ---------------------------------------------------------------------------------------------------
def follow_correction(supplier: HotelSupplier, booking: Booking) -> None:
    """Read whether an open correction is made. Raises SupplierError."""
    details = StayDetails.of(booking)
    asked = details.correction
    if asked is None or not asked.is_open or asked.guest >= len(details.guests):
        return
    wanted = wanted_name(details, asked.guest, asked.first_name, asked.last_name)
    if supplier.is_corrected(asked.client_ref, booking.supplier_reference, wanted):
        decide(booking, asked.client_ref, CorrectionStatus.DONE)


def hand_over_when_due(booking: Booking) -> None:
    """Alert staff, once, of a correction that is still open at its deadline. In a test environment there are none: it is not
    done.
    """
    asked, now = StayDetails.of(booking).correction, booking.now()
    if asked is None or not asked.is_open or now < asked.due_at:
        return
    if booking.environment == Environment.TEST:
        decide(booking, asked.client_ref, CorrectionStatus.NOT_DONE)
        return
    waiting = CorrectionRequest.objects.filter(
        booking=booking, client_ref=asked.client_ref, decided_at=None, alerted_at=None
    )
    if waiting.update(alerted_at=now):
        detail = f"{booking.reference} {booking.supplier_reference}"
        alert(booking.supplier_name, AlertKind.CORRECTION_OPEN, detail)


def decide(booking: Booking, client_ref: str, status: CorrectionStatus) -> bool:
    """End the open correction `client_ref`, with its event. Returns whether it was open."""
    return keep_facts(booking, lambda stored: decided(stored, client_ref, status))


def decided(booking: Booking, client_ref: str, status: CorrectionStatus) -> Altered | None:
    before = StayDetails.of(booking)
    if before.correction is None or before.correction.client_ref != client_ref:
        return None
    after = with_correction(before, status, booking.now())
    if after is None:
        return None
    return Altered(
        to_json(after), facts_of(before), facts_of(after), store=lambda stored: close(stored, status)
    )


def with_correction(details: StayDetails, status: CorrectionStatus, now: datetime) -> StayDetails | None:
    """With the open correction ended; None where none is open. Only once it is done the guest has the name."""
    asked = details.correction
    if asked is None or not asked.is_open:
        return None
    ended = replaced(asked, status=status, decided_at=now)
    if status is not CorrectionStatus.DONE:
        return replaced(details, correction=ended)
    guests = tuple(
        replaced(guest, first_name=asked.first_name, last_name=asked.last_name)
        if place == asked.guest
        else guest
        for place, guest in enumerate(details.guests)
    )
    return replaced(details, correction=ended, guests=guests)


def close(booking: Booking, status: CorrectionStatus) -> None:
    """End the row that staff see. Call it in the transaction that ends the correction."""
    open_ones = CorrectionRequest.objects.filter(booking=booking, decided_at=None)
    open_ones.update(status=status, decided_at=booking.now())


def decide_for_staff(*, request: CorrectionRequest, status: CorrectionStatus, decided_by: User) -> None:
    """Record what the supplier said. Raises Conflict where it was decided before."""
    booking = with_keys(Booking.objects.all()).get(pk=request.booking_id)
    if decide(booking, request.client_ref, status):
        logger.warning("%s: correction %s is %s, by %s", booking, request.client_ref, status, decided_by.pk)
        return
    stored = CorrectionRequest.objects.filter(pk=request.pk, client_ref=request.client_ref, decided_at=None)
    # Of a booking whose travellers are forgotten, nothing is left but this row.
    if not stored.update(status=status, decided_at=booking.now()):
        raise Conflict("It was decided before.", ours=True)
