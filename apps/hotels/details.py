"""A hotel booking's own part of its booking row, typed, and what of it names travellers."""

from datetime import date, datetime

from apps.bookings.models import Booking
from apps.bookings.travellers import FORGOTTEN, Details, Travellers, opened
from apps.common.clock import day_after
from apps.hotels.models import CorrectionStatus
from apps.hotels.suppliers.base import (
    NO_NOTES,
    NOTHING,
    NOTHING_SAID,
    Board,
    DeskNotes,
    Guest,
    Hotel,
    LocalCharge,
    Rate,
    Room,
    Stay,
    StayFacts,
)
from apps.suppliers.results import PenaltySteps
from apps.suppliers.values import Value, from_json, replaced

READ = "_stay_read"
"""Where a booking in memory has its details and what was read of them."""


class GuestCorrection(Value, frozen=True):
    """A request for another name of the guest at `guest` in `guests`; the booking has it once the status is `done`.

    `client_ref` is our reference of it. From `due_at` on it waits for staff.
    """

    client_ref: str
    status: CorrectionStatus
    guest: int
    first_name: str
    last_name: str
    requested_at: datetime
    due_at: datetime
    decided_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        return self.status is CorrectionStatus.REQUESTED


class StayChange(Value, frozen=True):
    """A change that was confirmed. `difference_cents` is what it added to the total, `penalty_cents` included."""

    change_id: str
    difference_cents: int
    penalty_cents: int
    currency: str
    settled: bool
    settled_at: datetime | None
    created_at: datetime


class ChangeUnderWay(Value, frozen=True):
    """A change that was begun and whose end is not known yet."""

    change_id: str
    started_at: datetime


class StayDetails(Value, frozen=True):
    """`cancellation_policy` is the supplier's JSON as text: of the quote until the booking stands, then of the booking. So are
    the `penalty_steps`. `shown_rooms` says what each of `rooms` is; it and the last three are texts, as in the rate.
    """

    rate_id: str
    hotel: Hotel
    room_name: str
    board: Board
    refundable: bool
    check_in: date
    check_out: date
    rooms: tuple[Room, ...]
    guests: tuple[Guest, ...]
    email: str
    phone: str
    special_requests: str | None
    cancellation_policy: str
    pay_at_hotel: tuple[LocalCharge, ...]
    confirmation_code: str | None = None
    said: StayFacts = NOTHING_SAID
    """What the supplier last said of the booking, to which its next words are compared."""
    penalty_steps: PenaltySteps | None = None
    shown_rooms: str = NOTHING
    remarks: str = NOTHING
    promotions: str = NOTHING
    perks: str = NOTHING
    desk: DeskNotes = NO_NOTES
    correction: GuestCorrection | None = None
    """The newest one; it names a traveller."""
    changes: tuple[StayChange, ...] = ()
    change_under_way: ChangeUnderWay | None = None
    given_up_cents: int = 0
    """What giving up earlier stays of this booking cost: a part of its total that no cancellation brings back."""
    old_stays: tuple[str, ...] = ()
    """Stays that a change replaced and that still stand at the supplier, by its references."""

    @classmethod
    def of(cls, booking: Booking) -> "StayDetails":
        """Read once of the same details, which are replaced and never altered: to book asks for them twice."""
        read: tuple[object, StayDetails] | None = vars(booking).get(READ)
        if read is None or read[0] is not booking.details:
            read = vars(booking)[READ] = (booking.details, from_json(cls, opened(booking)))
        return read[1]

    def remember(self, booking: Booking) -> None:
        """Spare reading these details, of which the booking's were just written."""
        vars(booking)[READ] = (booking.details, self)

    def confirmed(self, stay: Stay) -> "StayDetails":
        """With what the supplier gave at the booking."""
        return replaced(
            self,
            cancellation_policy=stay.cancellation_policy,
            confirmation_code=stay.confirmation_code,
            said=stay.facts,
            penalty_steps=stay.penalty_steps,
            desk=stay.desk,
        )

    def moved(
        self, rate: Rate, stay: Stay, *, check_in: date, check_out: date, rooms: tuple[Room, ...]
    ) -> "StayDetails":
        """The stay that a change brought. Guests, contact and requests stay, and so does the rate that was booked first."""
        return replaced(
            self,
            room_name=rate.room_name,
            board=rate.board,
            refundable=rate.refundable,
            check_in=check_in,
            check_out=check_out,
            rooms=rooms,
            pay_at_hotel=rate.pay_at_hotel,
            shown_rooms=rate.rooms,
            remarks=rate.remarks,
            promotions=rate.promotions,
            perks=rate.perks,
            change_under_way=None,
        ).confirmed(stay)


def ends_at(details: Details) -> datetime:
    return day_after(date.fromisoformat(details["check_out"]))


def last_names(details: Details) -> list[str]:
    return [guest["last_name"] for guest in details.get("guests", ())]


TRAVELLERS = Travellers(
    details={
        "guests": [],
        "email": FORGOTTEN,
        "phone": FORGOTTEN,
        "special_requests": None,
        "desk": {},
        "correction": None,
    },
    answer={
        "guests": [],
        "contact": {"email": FORGOTTEN, "phone": FORGOTTEN},
        "specialRequests": None,
        "remarks": [],
        "hotelPhone": None,
        "hotelEmail": None,
        "correction": None,
    },
    ends_at=ends_at,
    last_names=last_names,
)
