"""A transfer order's own part of its booking row, typed; `apps.suppliers.values` turns it into JSON and back."""

from dataclasses import dataclass, replace
from datetime import date, datetime

from apps.bookings.models import Booking
from apps.bookings.trade_rules import Service
from apps.bookings.travellers import FORGOTTEN, Details, Travellers, opened
from apps.common.clock import day_after
from apps.common.money import Cents
from apps.suppliers.results import PenaltySteps
from apps.suppliers.values import from_json
from apps.transfers.rules import both_ways, driven, ride_steps
from apps.transfers.suppliers.base import (
    ChosenExtra,
    LeadPassenger,
    Operator,
    Pickup,
    PolicyStep,
    TransferOffer,
    TransferOrder,
    TransferSearch,
    Vehicle,
    WaitingTime,
    WayBack,
)

STILL_HELD = "still_held"
CAPTURED = "captured"
RELEASED = "released"
REFUNDED = "refunded"
FUNDS = (STILL_HELD, CAPTURED, RELEASED, REFUNDED)


@dataclass(frozen=True, slots=True)
class FundsState:
    """What happened to the money, as `settlement` shows it. `hold_id` is not shown.

    still_held: `amount_cents` will be captured · captured: it was paid · released: it came back from the hold · refunded: it came
    back after the capture. The penalty is the order's total less that amount.
    """

    funds: str
    amount_cents: Cents
    hold_id: str = ""
    resolved_at: datetime | None = None

    def resolved(self, funds: str, amount_cents: int, at: datetime) -> "FundsState":
        return replace(self, funds=funds, amount_cents=amount_cents, resolved_at=at)


@dataclass(frozen=True, slots=True)
class BoughtExtra:
    """`total_cents` is the price of all of `quantity`, in the booking's currency. `directions` as in an offer."""

    code: str
    name: str
    quantity: int
    total_cents: Cents
    directions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderDetails:
    """`policy_is_certain` as in an offer. `back` and `back_pickup` are of the second leg of a return journey."""

    quote_id: str
    search: TransferSearch
    vehicle: Vehicle
    duration_minutes: int | None
    cancellation_policy: tuple[PolicyStep, ...]
    lead_passenger: LeadPassenger
    flight_number: str | None
    notes: str | None
    settlement: FundsState
    pickup: Pickup | None = None
    remarks: tuple[str, ...] = ()
    waiting_times: tuple[WaitingTime, ...] = ()
    operator: Operator | None = None
    policy_is_certain: bool = False
    inbound_flight_number: str | None = None
    back: WayBack | None = None
    back_pickup: Pickup | None = None
    extras: tuple[BoughtExtra, ...] = ()

    @classmethod
    def of(cls, booking: Booking) -> "OrderDetails":
        return from_json(cls, opened(booking))

    @property
    def service(self) -> Service:
        """When the ride takes place: by the pick-up once it is known."""
        pickup_at = self.pickup.at if self.pickup is not None else None
        if self.back is None:
            return driven(self.search, pickup_at, self.duration_minutes)
        there, back = self.search.legs
        return both_ways(
            driven(there, pickup_at, self.duration_minutes),
            driven(
                back,
                self.back_pickup.at if self.back_pickup is not None else None,
                self.back.duration_minutes,
            ),
        )

    @property
    def last_day(self) -> date:
        """The local date of the last leg."""
        return (self.search.inbound or self.search.outbound).date()

    @property
    def chosen(self) -> tuple[ChosenExtra, ...]:
        return tuple(ChosenExtra(extra.code, extra.quantity) for extra in self.extras)

    def penalty_steps(self, total_cents: int) -> PenaltySteps | None:
        """What cancelling costs of the partner's total."""
        certain = self.policy_is_certain
        return ride_steps(self.cancellation_policy, self.service.begins_at, total_cents, certain=certain)

    def at_prices_of(self, offer: TransferOffer) -> "OrderDetails":
        """With the extras at the prices of the offer just before it was booked."""
        units = {extra.code: extra.unit_cents for extra in offer.extras}
        extras = (
            replace(extra, total_cents=extra.quantity * units[extra.code]) if extra.code in units else extra
            for extra in self.extras
        )
        return replace(self, extras=tuple(extras))

    def confirmed(self, order: TransferOrder, *, total_cents: int, hold_id: str) -> "OrderDetails":
        """With what the supplier confirmed; the funds stay held until the reconciliation worker captures them.

        A policy that it does not repeat is the one quoted.
        """
        stated = order if order.cancellation_policy else self
        return replace(
            self,
            pickup=order.pickup,
            back_pickup=order.back_pickup,
            operator=order.operator,
            cancellation_policy=stated.cancellation_policy,
            policy_is_certain=stated.policy_is_certain,
            settlement=FundsState(STILL_HELD, total_cents, hold_id),
        )


def ends_at(details: Details) -> datetime:
    """A local time without its offset: over once that day is over everywhere."""
    search = details["search"]
    return day_after(datetime.fromisoformat(search.get("inbound") or search["outbound"]).date())


def last_names(details: Details) -> list[str]:
    lead = details.get("lead_passenger")
    return [lead["last_name"]] if lead else []


TRAVELLERS = Travellers(
    details={
        "lead_passenger": dict.fromkeys(("first_name", "last_name", "email", "phone"), FORGOTTEN),
        "flight_number": None,
        "inbound_flight_number": None,
        "notes": None,
    },
    answer={
        "leadPassenger": dict.fromkeys(("firstName", "lastName", "email", "phone"), FORGOTTEN),
        "flightNumber": None,
        "inboundFlightNumber": None,
        "legs": [],
        "notes": None,
    },
    ends_at=ends_at,
    last_names=last_names,
)
"""What of a transfer names travellers: its lead passenger, and the notes, in which one may be named."""
