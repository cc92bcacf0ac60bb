"""What a hotel supplier promises: frozen values in and out, the errors of `apps.suppliers.errors` only.

Every write carries our own `client_ref`; `find_*` looks a write up by it when its response was lost. Money is net, in minor
units of the currency asked for, and covers the whole stay and all its rooms.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Protocol

import msgspec

from apps.common.money import Cents
from apps.hotels.suppliers.properties import Described, ListPage
from apps.hotels.suppliers.properties import Image as Image
from apps.suppliers.currency import AS_IT_IS
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.results import Found, PenaltySteps
from apps.suppliers.values import Value, from_text

NOTHING = "[]"
MOST_HOTELS = 200
"""Found and stored of one search."""
SORTS = ("price", "review_score", "stars", "distance")


class RoomKind(Value, frozen=True, rename="camel"):
    """What a room is. `beds` in words; None if the supplier does not provide it."""

    name: str
    beds: str | None = None
    max_occupancy: int | None = None
    size_m2: int | None = None


class Tax(Value, frozen=True, rename="camel"):
    """A tax or fee of the whole stay, as the supplier reported it. `included`: in the total; else it is paid at the hotel."""

    description: str
    amount_cents: Cents
    currency: str
    included: bool


KINDS_OF_RATES = ("deposit", "resort_fee", "keys", "information")
KINDS_OF_BOOKINGS = ("know_before_you_go", "mandatory_fees", "optional_fees", "check_in_instructions")
"""Of bookings alone; those have the kinds of rates as well."""
REMARK_KINDS = (*KINDS_OF_RATES, *KINDS_OF_BOOKINGS)


class Remark(Value, frozen=True):
    """What the guest should know of a rate or a booking, as plain text. `kind` is one of REMARK_KINDS."""

    kind: str
    text: str


class Promotion(Value, frozen=True):
    """Why a rate is cheaper than usual: its price has the discount. Days: `YYYY-MM-DD`, None if the supplier does not provide
    it.
    """

    name: str
    starts_on: str | None = msgspec.field(default=None, name="from")
    ends_on: str | None = msgspec.field(default=None, name="to")
    percent: float | None = None


class Perk(Value, frozen=True):
    """What comes free with a rate."""

    name: str


def text_of(values: Iterable[Image | RoomKind | Tax | Remark | Promotion | Perk]) -> str:
    """A list of them as an answer writes it, which is how it is stored."""
    return msgspec.json.encode(list(values)).decode()


def images_in(text: str) -> list[Image]:
    return from_text(list[Image], text)


def remarks_in(text: str) -> list[Remark]:
    return from_text(list[Remark], text)


def kinds_in(text: str) -> list[RoomKind]:
    """One for each room of the stay, in the order of the search."""
    return from_text(list[RoomKind], text)


class Room(Value, frozen=True):
    """Who is to sleep in one room."""

    adults: int = 2
    children_ages: tuple[int, ...] = ()


class Area(Value, frozen=True):
    """A circle on the map; coordinates in degrees."""

    latitude: Decimal
    longitude: Decimal
    radius_km: Decimal


class StaySearch(Value, frozen=True):
    """What is looked for. Where several of city, country, hotel ids and area are given, a hotel must satisfy all of them.

    From `stars` to `sort`: the service filters and sorts by them itself, so a supplier may ignore them. Of stars and boards one
    must fit, of `facilities` (codes of ours) all; `min_review_score` is out of ten, `sort` one of SORTS.
    """

    check_in: date
    check_out: date
    currency: str
    rooms: tuple[Room, ...] = (Room(),)
    city: str | None = None
    country: str | None = None
    hotel_ids: tuple[str, ...] | None = None
    area: Area | None = None
    guest_nationality: str | None = None
    refundable_only: bool = False
    max_total_cents: Cents | None = None
    limit: int = 20
    stars: tuple[int, ...] = ()
    boards: tuple[str, ...] = ()
    facilities: tuple[str, ...] = ()
    min_review_score: Decimal | None = None
    name: str | None = None
    sort: str | None = None

    @property
    def is_sifted(self) -> bool:
        """Whether the service filters or sorts what is found: then the first `limit` hotels are not those to answer with."""
        return (
            self.sort is not None
            or self.name is not None
            or self.min_review_score is not None
            or bool(self.stars or self.boards or self.facilities)
        )

    def check_ins(self, last: date) -> list[date]:
        """The days from its check-in to `last`, both included."""
        return [self.check_in + timedelta(days=n) for n in range((last - self.check_in).days + 1)]

    @property
    def most_hotels(self) -> int:
        """How many hotels a supplier is to find."""
        return MOST_HOTELS if self.is_sifted else self.limit


class Hotel(Value, frozen=True):
    """`country` is ISO 3166 alpha-2; `stars` 0 if the supplier does not provide it. `description` is plain text, `images` a
    text of `shown`, `review_score` out of ten, the two times `HH:MM` at the hotel; None if the supplier does not provide it.
    """

    hotel_id: str
    name: str
    stars: int
    street: str
    city: str
    country: str
    latitude: Decimal
    longitude: Decimal
    amenities: tuple[str, ...]
    description: str | None = None
    images: str = NOTHING
    review_score: Decimal | None = None
    check_in_from: str | None = None
    check_out_until: str | None = None


class Board(Value, frozen=True):
    """What there is to eat: `code` of the trade (RO, BB, HB, FB, AI), `name` for people."""

    code: str
    name: str


class LocalCharge(Value, frozen=True):
    """What the guest pays at the hotel, in the hotel's own currency: no part of the total."""

    description: str
    amount_cents: Cents
    currency: str


def taxes_text(included: Iterable[Tax], due: Iterable[LocalCharge]) -> str:
    """What the total includes, then what is paid at the hotel."""
    at_hotel = [
        Tax(charge.description, charge.amount_cents, charge.currency, included=False) for charge in due
    ]
    return text_of([*included, *at_hotel])


class Rate(Value, frozen=True):
    """A price for a room, a board and a policy.

    `rooms`, `taxes`, `remarks`, `promotions` and `perks` are texts of `shown`. For less than `least_public_cents` the rate must
    not be shown in public, whatever an account adds to the total; None where the supplier does not mind.

    `cancellation_policy` is the supplier's own JSON, kept as the text it came in: a JSON column would reorder it.
    `penalty_steps` is what it means; None where that is not certain.
    `supplier_data` is opaque to everyone but the adapter: strings only.
    """

    room_name: str
    board: Board
    refundable: bool
    total_cents: Cents
    currency: str
    cancellation_policy: str
    pay_at_hotel: Annotated[tuple[LocalCharge, ...], AS_IT_IS]
    expires_at: datetime | None
    supplier_data: dict[str, str]
    penalty_steps: PenaltySteps | None = None
    rooms: str = NOTHING
    taxes: str = NOTHING
    least_public_cents: Cents | None = None
    remarks: str = NOTHING
    promotions: str = NOTHING
    perks: str = NOTHING


class HotelOffer(Value, frozen=True):
    hotel: Hotel
    rates: tuple[Rate, ...]


class LeastRate(Value, frozen=True):
    """The least that a hotel asks for a stay from `check_in` on, without terms."""

    check_in: date
    hotel_id: str
    total_cents: Cents
    currency: str


class Guest(Value, frozen=True):
    """`type` is adult or child; `age` in years, of children only, if it was given."""

    first_name: str
    last_name: str
    type: str
    age: int | None = None


class StayRequest(Value, frozen=True):
    client_ref: str
    rate: Rate
    guests: tuple[Guest, ...]
    email: str
    phone: str
    special_requests: str | None = None


class NameCorrection(Value, frozen=True):
    """The name that a booking's lead guest is to have, and the one that it was booked under."""

    first_name: str
    last_name: str
    booked_first_name: str
    booked_last_name: str
    email: str
    phone: str


class StayFacts(Value, frozen=True):
    """What the supplier says of a booking and may say otherwise later; None if it does not provide it."""

    check_in: date | None = None
    check_out: date | None = None
    hotel_id: str | None = None
    hotel_name: str | None = None
    room_name: str | None = None


NOTHING_SAID = StayFacts()


class DeskNotes(Value, frozen=True):
    """What a booking says beyond its rate, for the guest at the desk, and how to reach the hotel. `remarks` is a text of `shown`.
    May name the guest or hold the code of a door, so it is stored like what names travellers.
    """

    remarks: str = NOTHING
    hotel_phone: str | None = None
    hotel_email: str | None = None


NO_NOTES = DeskNotes()


class Stay(Value, frozen=True):
    """A booking as the supplier holds it. `cancelled`: it was cancelled, by us or by the hotel; then the two amounts are known.

    `confirmation_code` is the hotel's own, None until the hotel has given it. `penalty_steps` as in a rate.
    """

    supplier_reference: str
    total_cents: Cents
    currency: str
    cancellation_policy: str
    confirmation_code: str | None
    cancelled: bool = False
    penalty_cents: Cents | None = None
    refund_cents: Cents | None = None
    facts: StayFacts = NOTHING_SAID
    penalty_steps: PenaltySteps | None = None
    desk: DeskNotes = NO_NOTES


class Cancellation(Value, frozen=True):
    """What cancelling costs now (quoted) or cost (done): penalty + refund = the total paid."""

    penalty_cents: Cents
    refund_cents: Cents
    currency: str


class ChangeSearch(Value, frozen=True):
    """The stay that is wanted in place of the one booked as `supplier_reference`, at the same hotel. `currency` is what the
    booked one was paid in.
    """

    supplier_reference: str
    hotel_id: str
    currency: str
    check_in: date
    check_out: date
    rooms: tuple[Room, ...]


class MovedStay(Value, frozen=True):
    """A stay that was booked in place of another one, and what giving up the other one cost. None: it was not cancelled, so both
    stand.
    """

    stay: Stay
    given_up: Cancellation | None


class Queued(OutcomeUnknown):
    """The supplier's people will decide about a change: nothing is made yet, and no call reports what they decide."""


class HotelSupplier(Protocol):
    """A source of hotels. Every method is one bounded call; deadlines lie inside the adapter."""

    name: str

    def search(self, request: StaySearch) -> Found[HotelOffer]:
        """Settled prices only. Where the supplier gathers prices from others, the adapter polls it within its own deadline, and
        leaves out what has not settled by then. Raises Unavailable when nothing has. Every rate that cannot be sold is counted.
        """

    def least_rates(self, request: StaySearch, last: date) -> Found[LeastRate]:
        """The least price of each of `request.hotel_ids` for each check-in from `request.check_in` to `last`, for as many nights
        as the request's stay. A day without an answer counts as unreadable, as does each price that cannot be read. Raises the
        error of the first day when no day has an answer.
        """

    def check_rate(self, rate: Rate) -> Rate:
        """The rate at today's price and terms. Its `supplier_data` then has all that booking it and looking the booking up need.
        Books nothing and costs nothing. Raises Expired when the rate is gone.
        """

    def book(self, request: StayRequest) -> Stay:
        """Book at the rate's price or below, which `check_rate` has just confirmed. Raises PriceChanged when it is above it."""

    def find_booking(self, client_ref: str, rate: Rate) -> Stay | None:
        """The booking that was sent with `client_ref`, or None when the supplier knows none."""

    def read_booking(self, supplier_reference: str, policy: str = "") -> Stay:
        """The booking as it stands now, with what the hotel has changed by itself. `policy` as for `quote_cancellation`: where
        the supplier does not say what the hotel's own cancellation cost, it follows from the policy.
        """

    def quote_cancellation(self, supplier_reference: str, policy: str = "") -> Cancellation:
        """What cancelling costs at this moment, by the booking's policy: `policy` as it was kept at the booking, for a supplier
        that quotes none itself. Raises NotPossible when it no longer stands.
        """

    def cancel(
        self, client_ref: str, supplier_reference: str, quote: Cancellation, policy: str = ""
    ) -> Cancellation:
        """Cancel at the quoted cost. Raises NotPossible when it costs more by now."""

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation | None = None
    ) -> Cancellation | None:
        """What cancelling cost, or None when the supplier knows of no cancellation. `quote` is what it was to cost."""

    def ask_correction(self, client_ref: str, supplier_reference: str, correction: NameCorrection) -> None:
        """Ask for another name of the lead guest. Returns once the request is taken: people work on it, and it has no answer.
        What is asked twice is worked on twice. Raises NotPossible where the booking no longer stands.
        """

    def is_corrected(self, client_ref: str, supplier_reference: str, correction: NameCorrection) -> bool:
        """Whether the booking has the name that was asked for under `client_ref`."""

    def change_options(self, request: ChangeSearch) -> Found[Rate]:
        """What the same hotel has instead. Books nothing and costs nothing. Raises NotPossible for a booking that it does not let
        be changed.
        """

    def check_change(self, request: ChangeSearch, rate: Rate) -> Rate:
        """One of the options at today's price. Its `supplier_data` then has all that changing to it and looking that up need.
        Raises Expired when it is gone.
        """

    def change(
        self, supplier_reference: str, request: StayRequest, quote: Cancellation, policy: str = ""
    ) -> MovedStay:
        """Book the new stay at the rate's price or below, then cancel the old one, which costs the `quote` at most. Raises
        Expired, NotPossible, PriceChanged where nothing was booked; Queued.
        """

    def find_change(
        self, client_ref: str, supplier_reference: str, rate: Rate, quote: Cancellation, policy: str = ""
    ) -> MovedStay | None:
        """The change that was sent with `client_ref`; None when the supplier knows none and the old stay stands."""

    def standing(self, first: date, last: date) -> dict[str, str]:
        """The bookings that were made from one day to another, both included, and stand: the supplier's references by ours."""

    languages: tuple[str, ...]
    """In which hotels are described: ISO 639-1 codes, English first."""

    def parts(self) -> tuple[str, ...]:
        """The parts of its list of hotels, which are walked one by one; of eight characters at most."""

    def properties(self, part: str, *, since: datetime | None, offset: int) -> ListPage:
        """A page of the list. `since`: only what changed at that instant or later, hotels that were taken off included."""

    def in_language(self, offers: list[HotelOffer], language: str) -> list[HotelOffer]:
        """The offers with descriptions, amenities and names of rooms in one of `languages`, as far as these are at hand. What is
        not is asked for behind the scenes, never waited for, and left as it is.
        """

    def describe(self, hotel_id: str, language: str) -> Described:
        """A hotel in one of `languages`. Raises Missing for one that the supplier does not know."""

    def learn(self) -> int:
        """Have described the hotels that wait for it (`property_store.learn`). Returns how many were."""
