"""What a transfer supplier promises: frozen values in and out, the errors of `apps.suppliers.errors` only.

Every write carries our own `client_ref`; `find_*` looks a write up by it when its response was lost. Money is net, for the
whole party, in minor units of the currency asked for. `outbound` and pick-up times are local and have no offset: they say
what the clocks at the place show. What a cancellation policy counts from is an instant, and aware.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple, Protocol

from apps.common.money import Cents
from apps.suppliers.results import Found


@dataclass(frozen=True, slots=True)
class Place:
    """An end of the journey. IATA, HOTEL, STATION and PORT are named by `code`, GEO by its coordinates (in degrees)."""

    type: str
    code: str | None = None
    name: str | None = None
    address: str | None = None
    town: str | None = None
    country: str | None = None
    zip: str | None = None
    latitude: Decimal | None = None
    longitude: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Passengers:
    adults: int = 1
    children: int = 0
    infants: int = 0

    @property
    def count(self) -> int:
        """Everybody needs a seat, an infant too."""
        return self.adults + self.children + self.infants


@dataclass(frozen=True, slots=True)
class TransferSearch:
    """`outbound` is when one arrives at the airport or station that the journey starts from; or, if it leads to one, when one
    departs from there; anywhere else, ports included, when one wishes to be picked up. `inbound` is the same of the way back,
    from `end` to `start`; None for a journey of one way.
    """

    start: Place
    end: Place
    outbound: datetime
    currency: str
    passengers: Passengers = Passengers()
    vehicle_class: str | None = None
    limit: int = 20
    inbound: datetime | None = None

    @property
    def legs(self) -> tuple["TransferSearch", ...]:
        """The journey as searches of one way each, the way there first."""
        if self.inbound is None:
            return (self,)
        there = replace(self, inbound=None)
        return there, replace(there, start=self.end, end=self.start, outbound=self.inbound)


@dataclass(frozen=True, slots=True)
class Vehicle:
    """`category` is economy, comfort, business, minivan, minibus or shuttle (shared). None: the supplier does not say."""

    category: str
    description: str
    max_passengers: int | None
    max_bags: int | None


@dataclass(frozen=True, slots=True)
class PolicyStep:
    """From this instant on (None: from the booking on) cancelling costs so much, until the next step."""

    starts_at: datetime | None
    amount_cents: Cents


@dataclass(frozen=True, slots=True)
class WaitingTime:
    """How long one of the two waits at the pick-up before it counts as missed. `who` is driver or customer."""

    who: str
    minutes: int


OUTBOUND, INBOUND = "outbound", "inbound"
DIRECTIONS = (OUTBOUND, INBOUND)
"""The legs of a journey, in their order."""


class Extra(NamedTuple):
    """What can be ordered beside a ride, such as a child seat. One unit of it costs `unit_cents`, on all of the legs that
    `directions` names together: on these it is driven. A named tuple, because a search has many of them.
    """

    code: str
    name: str
    unit_cents: Cents
    max_quantity: int
    directions: tuple[str, ...] = (OUTBOUND,)
    min_quantity: int = 1


class ChosenExtra(NamedTuple):
    code: str
    quantity: int


def price_of_extras(offered: tuple[Extra, ...], chosen: tuple[ChosenExtra, ...]) -> int | None:
    """What the chosen extras cost together as they are offered. None where one of them is not offered, or not as many of it."""
    if not chosen:
        return 0
    known = {extra.code: extra for extra in offered}
    total = 0
    for code, quantity in chosen:
        extra = known.get(code)
        if extra is None or not extra.min_quantity <= quantity <= extra.max_quantity:
            return None
        total += quantity * extra.unit_cents
    return total


@dataclass(frozen=True, slots=True)
class WayBack:
    """The second leg of a return offer. Its fields are as those of the offer, which are of the first leg."""

    vehicle: Vehicle
    duration_minutes: int | None
    pickup_at: datetime | None = None
    remarks: tuple[str, ...] = ()
    waiting_times: tuple[WaitingTime, ...] = ()


@dataclass(frozen=True, slots=True)
class TransferOffer:
    """Of a return journey the total and the policy are of the whole, and `back` has its second leg. `remarks` are the
    supplier's terms that a traveller must be informed of. `supplier_data` is opaque to everyone but the adapter (its rate key):
    strings only. `policy_is_certain`: the policy is what the supplier will go by; else it is the worst that can be. `pickup_at`
    is local; None where the supplier does not say it before the booking.
    """

    total_cents: Cents
    currency: str
    vehicle: Vehicle
    duration_minutes: int | None
    cancellation_policy: tuple[PolicyStep, ...]
    expires_at: datetime | None
    supplier_data: dict[str, str]
    remarks: tuple[str, ...] = ()
    waiting_times: tuple[WaitingTime, ...] = ()
    policy_is_certain: bool = False
    pickup_at: datetime | None = None
    back: WayBack | None = None
    extras: tuple[Extra, ...] = ()


@dataclass(frozen=True, slots=True)
class LeadPassenger:
    first_name: str
    last_name: str
    email: str
    phone: str


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """For a look-up also: when it was sent, and the supplier's references of our other orders like it, which are not this one."""

    client_ref: str
    search: TransferSearch
    offer: TransferOffer
    lead_passenger: LeadPassenger
    flight_number: str | None = None
    notes: str | None = None
    sent_at: datetime | None = None
    others: tuple[str, ...] = ()
    inbound_flight_number: str | None = None
    extras: tuple[ChosenExtra, ...] = ()

    @property
    def flight_numbers(self) -> tuple[str | None, ...]:
        """By leg."""
        return (self.flight_number, self.inbound_flight_number)[: len(self.search.legs)]


@dataclass(frozen=True, slots=True)
class Pickup:
    """Where and when the driver waits. `at` is local. None, and empty instructions: stated later, or before."""

    at: datetime | None
    instructions: str
    emergency_phone: str | None = None


@dataclass(frozen=True, slots=True)
class Operator:
    """Who drives, and which company invoices: what a voucher has to name. Empty if it is not stated."""

    name: str
    vat_number: str = ""
    invoice_company: str = ""


@dataclass(frozen=True, slots=True)
class Cancellation:
    """What cancelling costs (quoted) or cost (done): penalty + refund = the total. Of an order that is read after its end a
    supplier may state no more than the penalty: then the refund is 0. `supplier_data` as in an offer.
    """

    penalty_cents: Cents
    refund_cents: Cents
    currency: str
    supplier_data: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TransferOrder:
    """The order as the supplier holds it: total and policy are of all legs and extras. `cancellation`: it no longer stands, and
    this was the price. `policy_is_certain` as in an offer. `back_pickup` is that of the second leg, if it has one.
    """

    supplier_reference: str
    total_cents: Cents
    currency: str
    pickup: Pickup
    cancellation_policy: tuple[PolicyStep, ...]
    cancellation: Cancellation | None = None
    operator: Operator | None = None
    policy_is_certain: bool = False
    back_pickup: Pickup | None = None


class TransferSupplier(Protocol):
    """A source of transfers. Every method is one bounded call; `deadline` handling lies inside the adapter."""

    name: str

    def search(self, request: TransferSearch) -> Found[TransferOffer]:
        """The offers that can be sold; all others are counted."""

    def reprice(self, request: TransferSearch, offer: TransferOffer) -> TransferOffer:
        """The offer of that search, and its extras, at today's price. Raises Expired when it is gone."""

    def refuse_lacking(self, request: OrderRequest) -> None:
        """Raises InvalidField for what this supplier needs and the order lacks. Makes no call."""

    def book(self, request: OrderRequest) -> TransferOrder:
        """Books all legs and extras, or nothing, at the offer's price or below. Raises PriceChanged when it is above by now,
        Expired where an extra is gone.
        """

    def find_order(self, client_ref: str, request: OrderRequest) -> TransferOrder | None:
        """The order that was sent with `client_ref`, or None when the supplier knows none."""

    def read_order(self, supplier_reference: str) -> TransferOrder:
        """The order as it stands now, with what the supplier has changed by itself."""

    def quote_cancellation(self, supplier_reference: str) -> Cancellation: ...

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation:
        """Cancels at the quoted cost or below. Raises NotPossible when it costs more by now, or cancelled already."""

    def find_cancellation(self, client_ref: str, supplier_reference: str) -> Cancellation | None: ...
