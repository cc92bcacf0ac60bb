"""What a flight supplier promises: frozen values in and out, the errors of `apps.suppliers.errors` only.

Every write carries our own `client_ref`; `find_*` looks a write up by it when its response was lost. Money is net, in minor
units of the currency asked for. Times are aware: the airport's local time with the offset that holds there and then, so that a
value stored as JSON and read again is the same.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from typing import Annotated, Any, NamedTuple, Protocol

from apps.common.money import Cents
from apps.suppliers.currency import AS_IT_IS
from apps.suppliers.errors import InvalidField, ServiceGone
from apps.suppliers.results import AirlineCredit, Found
from apps.suppliers.values import Value


@dataclass(frozen=True, slots=True)
class Passengers:
    """`children_ages`: of each child on the day that the last slice departs; empty if they were not given."""

    adults: int = 1
    children: int = 0
    infants: int = 0
    children_ages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DepartureWindow:
    """Of the first flight of a slice, both ends included, in whole minutes by the clocks at its airport."""

    earliest: time = time(0, 0)
    latest: time = time(23, 59)


@dataclass(frozen=True, slots=True)
class SearchSlice:
    """`origin` and `destination` are airports or cities, by their IATA codes. A code that is both is the airport's."""

    origin: str
    destination: str
    departure_date: date
    window: DepartureWindow | None = None


@dataclass(frozen=True, slots=True)
class PrivateFare:
    """Codes of an agreement between an airline and a seller or its customer. A supplier may check neither."""

    airline: str
    corporate_code: str | None = None
    tour_code: str | None = None


PRICE, DURATION, DEPARTURE = SORTS = ("price", "duration", "departure")


@dataclass(frozen=True, slots=True)
class FlightSearch:
    """`airlines`: none but these, or any if it is empty; `airlines_left_out`: any but these. `sort` says which offers `limit`
    keeps.
    """

    slices: tuple[SearchSlice, ...]
    currency: str
    passengers: Passengers = Passengers()
    cabin: str = "economy"
    max_connections: int | None = None
    limit: int = 20
    airlines: tuple[str, ...] = ()
    airlines_left_out: tuple[str, ...] = ()
    sort: str = PRICE
    private_fares: tuple[PrivateFare, ...] = ()
    include_document_offers: bool = False

    @property
    def is_filtered(self) -> bool:
        """Whether `takes` has anything to decide."""
        return bool(self.airlines or self.airlines_left_out or any(one.window for one in self.slices))

    def takes(self, offer: "FlightOffer") -> bool:
        """Whether the offer is one that was asked for: of these airlines, and leaving within the windows."""
        sellers = (offer.carrier, *(one.carrier for leg in offer.slices for one in leg.segments))
        pairs = zip(offer.slices, self.slices, strict=False)
        return self.takes_airlines(sellers) and all(leaves_within(leg, asked.window) for leg, asked in pairs)

    def takes_airlines(self, codes: Iterable[str]) -> bool:
        sellers = set(codes)
        wanted = not self.airlines or sellers <= set(self.airlines)
        return wanted and sellers.isdisjoint(self.airlines_left_out)


class Stop(NamedTuple):
    """A landing on the way, under the same flight number. What the supplier does not say is None."""

    airport: str
    arrival_at: datetime | None = None
    departure_at: datetime | None = None
    duration_minutes: int | None = None


WIFI = NO_WIFI, FREE_WIFI, PAID_WIFI, MIXED_WIFI, SOME_WIFI = (
    "none",
    "free",
    "paid",
    "free_or_paid",
    "available",
)


class Amenities(NamedTuple):
    """Of a cabin. `wifi` is one of WIFI; the pitch and the legroom are in the airline's words. None if unknown."""

    wifi: str | None = None
    power: bool | None = None
    seat_pitch: str | None = None
    legroom: str | None = None


class Segment(Value, frozen=True, omit_defaults=True):
    """One flight. `flight_number` is whole, the carrier's code included: `LH1170`. The operating carrier, its own flight number,
    the aircraft, the terminals, the cabin and all after it are None where the supplier does not say; a carrier without a code has
    the code "". `cabin` and `amenities`: of the lowest cabin that a passenger has on this flight.

    A carrier that flies itself has the operator's name and flight number as well: an adapter leaves those two out, because a
    search stores some sixty flights. Read `operator` and `own_number`.
    """

    origin: str
    destination: str
    departure_at: datetime
    arrival_at: datetime
    carrier: str
    carrier_name: str
    flight_number: str
    duration_minutes: int
    operating_carrier: str | None = None
    operating_carrier_name: str | None = None
    aircraft: str | None = None
    origin_terminal: str | None = None
    destination_terminal: str | None = None
    operating_flight_number: str | None = None
    cabin: str | None = None
    distance_km: int | None = None
    stops: tuple[Stop, ...] = ()
    amenities: Amenities | None = None

    @property
    def operator(self) -> tuple[str, str] | None:
        """The code and the name of the airline that flies."""
        code = self.operating_carrier
        if code is None:
            return None
        return code, self.operating_carrier_name or (self.carrier_name if code == self.carrier else code)

    @property
    def own_number(self) -> str | None:
        """The number under which the operator flies."""
        flies_itself = self.operating_carrier == self.carrier
        return self.operating_flight_number or (self.flight_number if flies_itself else None)


class SliceConditions(NamedTuple):
    """What the fare includes on a slice; None if the airline does not provide it."""

    advance_seat_selection: bool | None = None
    priority_boarding: bool | None = None
    priority_check_in: bool | None = None


@dataclass(frozen=True, slots=True)
class Slice:
    """One leg of the itinerary. `supplier_id` is the supplier's name for it ("" before it has one)."""

    supplier_id: str
    origin: str
    destination: str
    departure_at: datetime
    arrival_at: datetime
    duration_minutes: int
    segments: tuple[Segment, ...]
    conditions: SliceConditions | None = None


def leaves_within(leg: Slice, window: DepartureWindow | None) -> bool:
    return window is None or window.earliest <= leg.departure_at.time().replace(second=0) <= window.latest


@dataclass(frozen=True, slots=True)
class Conditions:
    """What may be done to an order. Each change option says itself what changing costs.

    `penalty_cents` is what cancelling costs of the total: all of it when not refundable, None when the
    supplier does not say.
    """

    refundable: bool
    changeable: bool
    penalty_cents: Cents | None


@dataclass(frozen=True, slots=True)
class Baggage:
    """How many pieces each passenger of a type may take along for the fare, on every flight; None if unknown."""

    passenger_type: str
    cabin: int | None
    checked: int | None


@dataclass(frozen=True, slots=True)
class AppliedFare:
    """A private fare that an offer is priced by. `type`: corporate, leisure, negotiated, or what the supplier calls it."""

    type: str
    corporate_code: str | None = None


@dataclass(frozen=True, slots=True)
class FlightOffer:
    """`supplier_data` is opaque to everyone but the adapter (its offer id, passenger ids): strings only.

    `base_cents` and `tax_cents` are the total: both None where the supplier does not split it. `co2_kg` is for all passengers.
    `conditions_url`: the carrier's conditions of carriage, an https address.
    `document_types` are the identity documents that an order may name; with `document_required` each passenger needs one.
    `loyalty_programmes`: the airlines, by their codes, of whose programmes it takes accounts.
    """

    total_cents: Cents
    currency: str
    carrier: str
    carrier_name: str
    cabin: str
    conditions: Conditions
    slices: tuple[Slice, ...]
    expires_at: datetime | None
    supplier_data: dict[str, str]
    fare_brand: str | None = None
    base_cents: Cents | None = None
    tax_cents: Cents | None = None
    co2_kg: int | None = None
    baggage: tuple[Baggage, ...] = ()
    conditions_url: str | None = None
    private_fares: tuple[AppliedFare, ...] = ()
    pay_by: datetime | None = None
    """Until when it can be held without payment; None where it has to be paid at once."""
    price_guaranteed_until: datetime | None = None
    """Of an order that is held: None where only the seats are kept, and not the price."""
    document_required: bool = False
    document_types: tuple[str, ...] = ()
    loyalty_programmes: tuple[str, ...] = ()


PASSPORT, TAX_ID, KNOWN_TRAVELER, REDRESS = "passport", "tax_id", "known_traveler_number", "redress_number"
DOCUMENT_TYPES = (PASSPORT, TAX_ID, KNOWN_TRAVELER, REDRESS)
UNKNOWN_ACCOUNT = "0000000000"
"""The loyalty account that no airline of the simulator knows."""


@dataclass(frozen=True, slots=True)
class IdentityDocument:
    type: str
    number: str = field(repr=False)
    issuing_country: str
    expires_on: date | None = None


@dataclass(frozen=True, slots=True)
class LoyaltyAccount:
    airline: str
    number: str = field(repr=False)


def order_of(sort: str) -> Callable[[FlightOffer], Any]:
    """What to sort offers by. Those that are equal by it come cheapest first."""
    match sort:
        case "duration":
            return lambda offer: (sum(leg.duration_minutes for leg in offer.slices), offer.total_cents)
        case "departure":
            return lambda offer: (offer.slices[0].departure_at, offer.total_cents)
        case _:
            return lambda offer: offer.total_cents


@dataclass(frozen=True, slots=True)
class Passenger:
    first_name: str
    last_name: str
    date_of_birth: date
    type: str
    title: str | None = None
    gender: str | None = None
    identity_documents: tuple[IdentityDocument, ...] = ()
    loyalty_accounts: tuple[LoyaltyAccount, ...] = ()

    def age_on(self, day: date) -> int:
        """In whole years. Who is born on 29 February is a year older from 1 March on, as in most tariffs."""
        born = self.date_of_birth
        return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


CHECKED_BAG, CARRY_ON_BAG, SEAT = "checked_bag", "carry_on_bag", "seat"
Place = tuple[int, int]
"""A flight of an itinerary: the place of its slice, and its own place in the slice."""


@dataclass(frozen=True, slots=True)
class FlightService:
    """A bag or a seat that can be bought. `total_cents` is the price of one, for all its flights.

    `passenger` is a place. Of an offer: in the party that was searched for, the adults first, then the children, then the
    infants. Of an order: among its passengers.
    """

    kind: str
    passenger: int
    segments: tuple[Place, ...]
    total_cents: Cents
    currency: str
    supplier_data: dict[str, str]
    max_quantity: int = 1
    weight_kg: int | None = None
    designator: str | None = None

    @property
    def content(self) -> tuple[object, ...]:
        """What it is, whatever it costs and is called: suppliers give it another id with each read."""
        read = self.supplier_data.get("read")
        return self.kind, self.passenger, self.segments, self.weight_kg, self.designator, read


@dataclass(frozen=True, slots=True)
class ChosenService:
    """A service to be bought so many times. `name` is the caller's for it; `passenger` the place among the order's passengers."""

    name: str
    service: FlightService
    quantity: int
    passenger: int


@dataclass(frozen=True, slots=True)
class SeatElement:
    """A part of a row. `services` are those of a seat that can be bought, one for each passenger that may have it."""

    type: str
    designator: str | None = None
    disclosures: tuple[str, ...] = ()
    services: tuple[FlightService, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatCabin:
    """`rows` from front to back; each has its sections, between the aisles, and these have their elements from left to right."""

    cabin: str
    rows: tuple[tuple[tuple[SeatElement, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class SeatMap:
    segment: Place
    cabins: tuple[SeatCabin, ...]


@dataclass(frozen=True, slots=True)
class OrderRequest:
    client_ref: str
    offer: FlightOffer
    passengers: tuple[Passenger, ...]
    email: str
    phone: str
    services: tuple[ChosenService, ...] = ()
    hold: bool = False
    """To be paid later: the seats are kept until the offer's `pay_by`."""


PAID, UNPAID, PAYMENT_PENDING, LAPSED = "paid", "unpaid", "payment pending", "lapsed"
"""How an order stands with its payment. lapsed: it was not paid in time, and the airline has freed the seats."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What paying an order on hold costs now, with all that paying and looking the payment up need.

    `is_paid`: it was paid before. No second payment is asked for.
    """

    total_cents: Cents
    currency: str
    supplier_data: dict[str, str]
    is_paid: bool = False


@dataclass(frozen=True, slots=True)
class Cancellation:
    """What cancelling costs (quoted) or cost (done): penalty + refund = the total paid.

    `airline_credits` are no money, and so no part of the refund: what the airline keeps for its passengers. Codes are known once
    it is done, or later. `credit_taken`: this deployment cancels into credit where the partner does not say. `expires_at`: until
    when the supplier keeps its quote, where it says so.
    """

    penalty_cents: Cents
    refund_cents: Cents
    currency: str
    supplier_data: dict[str, str]
    airline_credits: Annotated[tuple[AirlineCredit, ...], AS_IT_IS] = ()
    credit_taken: bool = False
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AirlineChange:
    """What an airline has changed of an order by itself, as the supplier lists it.

    `removed` are legs as they were, `added` the same legs as they are now. `actions`: what the supplier still takes (accept,
    change, cancel). `taken`: what was done about it (accepted, changed, cancelled), None while nothing was.
    """

    supplier_id: str
    removed: tuple[Slice, ...]
    added: tuple[Slice, ...]
    actions: tuple[str, ...] = ()
    respond_by: datetime | None = None
    taken: str | None = None
    taken_at: datetime | None = None


TICKET, EMD_ASSOCIATED, EMD_STANDALONE = "electronic_ticket", "emd_associated", "emd_standalone"


@dataclass(frozen=True, slots=True)
class IssuedDocument:
    """What an airline issued: a ticket, or the receipt of a bag or a seat (an EMD, electronic miscellaneous document), which
    belongs to a ticket (associated) or to none (standalone). Numbers need not be unique. `passenger` is the index among the
    passengers as they were sent; None where the supplier does not say, or names several.
    """

    type: str
    number: str
    passenger: int | None = None


@dataclass(frozen=True, slots=True)
class BookedService:
    """A bag or a seat of an order, under the supplier's names of it and of its passenger. `total_cents` is for the `quantity`."""

    supplier_id: str
    traveller: str
    kind: str
    segments: tuple[Place, ...]
    quantity: int
    total_cents: Cents
    weight_kg: int | None = None
    designator: str | None = None


@dataclass(frozen=True, slots=True)
class FlightOrder:
    """The order as the supplier holds it. `cancelled`: it was cancelled, by us or by the airline. `cancellation`: what that
    cost, None if the supplier does not provide it. `issued` is False while the airline, which has certainly booked, has not
    made the locator or the tickets yet, and of an order that is not paid. `airline_changes`, oldest first: the slices may have
    them already, or only once they are accepted. `documents` may be empty for a paid order: some carriers issue none. The total
    includes the `services`. `payment`: how it stands with it; `pay_by` and `price_guaranteed_until` are of an order on hold,
    whose total may change once its guarantee is over.
    """

    supplier_reference: str
    pnr: str
    ticket_numbers: tuple[str, ...]
    total_cents: Cents
    currency: str
    slices: tuple[Slice, ...]
    conditions: Conditions
    cancelled: bool = False
    issued: bool = True
    cancellation: Cancellation | None = None
    airline_changes: tuple[AirlineChange, ...] = ()
    fare_brand: str | None = None
    baggage: tuple[Baggage, ...] = ()
    documents: tuple[IssuedDocument, ...] = ()
    services: tuple[BookedService, ...] = ()
    payment: str = PAID
    pay_by: datetime | None = None
    price_guaranteed_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class ChangeSearch:
    """Replace the slice that the supplier knows as `remove_slice` by one of this day and route."""

    supplier_reference: str
    remove_slice: str
    origin: str
    destination: str
    departure_date: date


@dataclass(frozen=True, slots=True)
class ChangeOption:
    """`difference_cents` is signed: negative returns to the partner. It already contains the penalty."""

    difference_cents: Cents
    new_total_cents: Cents
    penalty_cents: Cents
    currency: str
    slice: Slice
    expires_at: datetime | None
    supplier_data: dict[str, str]


@dataclass(frozen=True, slots=True)
class AddServices:
    """What is to be bought for an order that stands. `passengers` and `slices` are the order's, in the places that the services
    name. `before`: the supplier's names of the services that the order had before the purchase.
    """

    supplier_reference: str
    passengers: tuple[Passenger, ...]
    slices: tuple[Slice, ...]
    services: tuple[ChosenService, ...] = ()
    before: tuple[str, ...] = ()
    client_ref: str = ""


def on_sale(chosen: Sequence[ChosenService], sold: Iterable[FlightService]) -> tuple[ChosenService, ...]:
    """The chosen services as they are sold now: of several alike the one at the same price. Raises ServiceGone."""
    alike: dict[tuple[object, ...], list[FlightService]] = {}
    for service in sold:
        alike.setdefault(service.content, []).append(service)
    found = []
    for one in chosen:
        now = alike.get(one.service.content, [])
        same = [service for service in now if service.total_cents == one.service.total_cents]
        current = next(iter(same or now), None)
        if current is None or current.max_quantity < one.quantity:
            raise ServiceGone(one.name)
        found.append(replace(one, service=current))
    return tuple(found)


def price_of(chosen: Iterable[ChosenService]) -> int:
    """What they cost together."""
    return sum(one.service.total_cents * one.quantity for one in chosen)


class FlightSupplier(Protocol):
    """A source of flights. Every method is one bounded call; `deadline` handling lies inside the adapter."""

    name: str

    def search(self, request: FlightSearch) -> Found[FlightOffer]:
        """The offers that can be sold; all others are counted."""

    def reprice(self, offer: FlightOffer) -> FlightOffer:
        """The offer at today's price. Raises Expired when it is gone."""

    def services(self, offer: FlightOffer) -> list[FlightService]:
        """What can be bought with the offer. Raises Expired when the offer is gone."""

    def seat_maps(self, offer: FlightOffer) -> list[SeatMap]:
        """Of the flights that have one. Raises Expired when the offer is gone."""

    def reprice_services(
        self, offer: FlightOffer, chosen: tuple[ChosenService, ...]
    ) -> tuple[FlightOffer, tuple[ChosenService, ...]]:
        """The offer and the services at today's prices, as they are to be ordered. Raises Expired, ServiceGone."""

    def objections(self, passengers: tuple[Passenger, ...]) -> list[InvalidField]:
        """What keeps these passengers from being booked here, known before funds are held. Makes no call and raises nothing."""

    def book(self, request: OrderRequest) -> FlightOrder: ...

    def find_order(self, client_ref: str, offer: FlightOffer) -> FlightOrder | None:
        """The order that was sent with `client_ref`, or None when the supplier knows none."""

    def read_order(self, supplier_reference: str) -> FlightOrder: ...

    def prepare_payment(self, supplier_reference: str) -> Payment:
        """What paying an order on hold costs now. Raises Expired once it has lapsed, NotPossible where it is cancelled or its
        payment is under way.
        """

    def pay(self, client_ref: str, supplier_reference: str, payment: Payment) -> FlightOrder:
        """Pay exactly what was prepared; the order as it then stands, issued or not. Raises PriceChanged, Expired (lapsed) and
        NotPossible (the airline has changed or cancelled it).
        """

    def find_payment(self, client_ref: str, supplier_reference: str, payment: Payment) -> FlightOrder | None:
        """The order, where it is paid; None where it is not. Raises Unavailable while a payment is in progress."""

    def change_options(self, request: ChangeSearch) -> Found[ChangeOption]:
        """The options that can be sold; all others are counted."""

    def prepare_change(self, supplier_reference: str, option: ChangeOption) -> ChangeOption:
        """The option at its price now, with all that confirming it and looking it up need. Changes nothing and costs nothing."""

    def change(self, client_ref: str, supplier_reference: str, option: ChangeOption) -> FlightOrder: ...

    def find_change(
        self, client_ref: str, supplier_reference: str, option: ChangeOption
    ) -> FlightOrder | None: ...

    def accept_change(self, client_ref: str, supplier_reference: str, change_id: str) -> FlightOrder:
        """Accept the airline's change that the supplier knows as `change_id`; the order as it then stands. It costs nothing.
        Raises NotPossible where it can no longer be accepted.
        """

    def find_acceptance(self, client_ref: str, supplier_reference: str, change_id: str) -> FlightOrder | None:
        """The order, if that change was accepted, by us or elsewhere; None if it was not."""

    def order_services(self, request: AddServices) -> list[FlightService]:
        """What can still be bought for the order. Raises NotPossible."""

    def prepare_services(self, request: AddServices) -> tuple[tuple[ChosenService, ...], tuple[str, ...]]:
        """The services as they are to be bought now, and what the order has before (`AddServices.before`). Changes nothing.

        Raises ServiceGone, NotPossible.
        """

    def add_services(self, request: AddServices) -> FlightOrder:
        """Buy them. Raises ServiceGone, PriceChanged (the price of all of them), NotPossible."""

    def find_services(self, request: AddServices) -> FlightOrder | None:
        """The order, where it has them; None where it has no more than before."""

    def quote_cancellation(self, supplier_reference: str) -> Cancellation: ...

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation: ...

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation
    ) -> Cancellation | None: ...

    def airline_credits(self, supplier_reference: str) -> tuple[AirlineCredit, ...]:
        """What the airline keeps for the passengers of a cancelled order, with the codes that are known by now."""
