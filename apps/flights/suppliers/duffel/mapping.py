"""Duffel's objects as ours, and our search as theirs. Unknown fields are ignored, optional ones may be missing.

Whatever a documented object lacks shows as KeyError, TypeError or ValueError; `errors.outcomes` knows what that means.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, DecimalException
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from apps.common import money
from apps.flights.suppliers.base import (
    EMD_ASSOCIATED,
    EMD_STANDALONE,
    FREE_WIFI,
    KNOWN_TRAVELER,
    LAPSED,
    MIXED_WIFI,
    NO_WIFI,
    PAID,
    PAID_WIFI,
    PASSPORT,
    PAYMENT_PENDING,
    PRICE,
    REDRESS,
    SOME_WIFI,
    TAX_ID,
    TICKET,
    UNPAID,
    Amenities,
    AppliedFare,
    Baggage,
    Conditions,
    FlightOffer,
    FlightOrder,
    FlightSearch,
    IdentityDocument,
    IssuedDocument,
    OrderRequest,
    Passenger,
    Passengers,
    PrivateFare,
    SearchSlice,
    Segment,
    Slice,
    SliceConditions,
    Stop,
    order_of,
)
from apps.suppliers import airports
from apps.suppliers.errors import InvalidField, Rejected
from apps.suppliers.results import LONGEST_REFERENCE, NONE_WITHHELD, Found, Withheld

DURATION = re.compile(r"P(?:(\d{1,3})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:\d+(?:\.\d+)?S)?)?")
GENDERS = {"mr": "m", "ms": "f", "mrs": "f", "miss": "f"}
MOST_LETTERS = 20
# ASCII, Latin-1 and Latin Extended-A but for the ligatures, which no airline's host takes.
LATIN_NAME = re.compile(r"(?:[A-Za-z '\-]|[À-ſ](?<![×÷ÆæĲĳŒœÞð]))+")
LONGEST_ZONE = 64
"""Of many slashes Python makes as many imports, one inside the other."""
MINUTE = timedelta(minutes=1)
YEARS = range(2000, 2200)
"""Of flights: further out a moment can be stored in one time zone, and no more be read in another."""
CABIN, CHECKED = "carry_on", "checked"
MOST_KILOGRAMS, MOST_KILOMETRES, MOST_PIECES = 10**9, 10**5, 100
"""What is more is no amount of anything."""
CABINS = ("economy", "premium_economy", "business", "first")  # the lowest first
COSTS_OF_WIFI = {"free": FREE_WIFI, "paid": PAID_WIFI, "free or paid": MIXED_WIFI}
ADDRESS = re.compile(r"https://[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#][!#-;=?-\[\]_a-z~]*)?")
LONGEST_ADDRESS = 2_048
logger = logging.getLogger(__name__)
UNREADABLE = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)
MOST_CONNECTIONS = 2  # they take no greater number, and without one search for a single connection
MOST_CENTS = 10**15
HOLD = "hold"
DOCUMENT_TYPES = {
    "passport": PASSPORT,
    "tax_id": TAX_ID,
    "known_traveler_number": KNOWN_TRAVELER,
    "passenger_redress_number": REDRESS,
}
THEIR_TYPES = {ours: theirs for theirs, ours in DOCUMENT_TYPES.items()}
IN_OUR_ORDER = "passengers"
LONGEST_METADATA = 500
DOCUMENTS = {
    "electronic_ticket": TICKET,
    "electronic_miscellaneous_document_associated": EMD_ASSOCIATED,
    "electronic_miscellaneous_document_standalone": EMD_STANDALONE,
}
KINDS = ("adult", "child", "infant")
ANY_CARRIER = "YY"  # as IATA writes it where no airline is meant in particular
# They ask how old children and infants are. If they are not known: ages that every airline sells the fares of their kind at.
CHILD_AGE, INFANT_AGE, FIRST_CHILD_AGE = 8, 1, 2
# Some carriers issue no documents at all: what has none after this long is not waited for.
TICKETS_WITHIN = timedelta(minutes=10)


def local_time(text: str, airport: dict[str, Any]) -> datetime:
    """The airport's own time, with the offset that holds there and then. Raises ValueError."""
    naive = datetime.fromisoformat(text)
    if naive.year not in YEARS:
        raise ValueError(f"there are no flights in {naive.year}")
    offset = naive.utcoffset()
    if offset is not None:
        if offset % MINUTE:  # storage keeps whole minutes
            raise ValueError("an offset with a part of a minute")
        return naive
    at = naive.replace(tzinfo=_clock(airport))
    return datetime.fromisoformat(at.isoformat())  # the offset alone, as it will be read back from storage


def instant(text: str | None) -> datetime | None:
    """A point in time in UTC, which they mark with Z. Raises ValueError, or OverflowError for one that UTC's calendar has not."""
    if not text:
        return None
    at = datetime.fromisoformat(text)
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def moment(told: Any) -> datetime | None:
    """The same of what is only shown; None for what cannot be read."""
    try:
        return instant(text(told))
    except (ValueError, OverflowError):
        return None


def minutes(duration: str | None, start: datetime, end: datetime) -> int:
    """`PT2H10M` as minutes; what lies between start and end where they do not say."""
    found = DURATION.fullmatch(duration) if isinstance(duration, str) else None
    if found is None or not any(found.groups()):
        return round((end - start).total_seconds() / 60)
    days, hours, rest = (int(part or 0) for part in found.groups())
    return (days * 24 + hours) * 60 + rest


def _clock(airport: dict[str, Any]) -> ZoneInfo:
    """As they name the zone, else as we know the airport; UTC for one that neither of us can place."""
    try:
        zone = airport.get("time_zone")
        if zone and len(zone) <= LONGEST_ZONE:
            return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError):  # "Europe" is a directory of zones
        pass
    known = airports.find(str(airport.get("iata_code")))
    return known.clock if known else ZoneInfo("UTC")


Data = dict[str, Any]


def text(told: Any) -> str | None:
    return told.strip() or None if isinstance(told, str) else None


def whole(told: Any, most: int) -> int | None:
    """Rounded half up; None for what is not a number of at least 0 and below `most`."""
    if told is None:
        return None
    try:
        number = int(Decimal(str(told)).quantize(Decimal(1), ROUND_HALF_UP))
    except (DecimalException, ValueError):
        return None
    return number if 0 <= number < most else None


def address(told: Any) -> str | None:
    """Of a page, by https; None for anything else: partners show it as a link."""
    found = text(told)
    return found if found and len(found) <= LONGEST_ADDRESS and ADDRESS.fullmatch(found) else None


def operator(told: Any) -> tuple[str, str] | tuple[None, None]:
    """The code and the name of the airline that flies; the code is "" where it has none."""
    if not isinstance(told, dict):
        return None, None
    code, name = text(told.get("iata_code")), text(told.get("name"))
    return (code or "", name or code or "") if code or name else (None, None)


def fare_brand(slices: list[Data]) -> str | None:
    """The brand of the fare; of legs under a brand each, all of them in the order of the legs. None unless every leg has one."""
    told = [text(part.get("fare_brand_name")) for part in slices]
    brands = [brand for brand in told if brand]
    return " / ".join(dict.fromkeys(brands)) if brands and len(brands) == len(told) else None


def baggage(slices: list[Data], kinds: Mapping[str, str]) -> tuple[Baggage, ...]:
    """What each passenger of a kind may take on every flight: the least that is given for any. `kinds`: by their passenger's
    id.
    """
    allowed: dict[str, list[Any]] = {kind: [] for kind in kinds.values()}
    for part in slices:
        for flight in part["segments"]:
            seats = dict(_seats(flight))
            for passenger, kind in kinds.items():
                allowed[kind].append(seats.get(passenger))
    return tuple(Baggage(kind, _least(told, CABIN), _least(told, CHECKED)) for kind, told in allowed.items())


def _seats(flight: Data) -> Iterator[tuple[str, Any]]:
    """Passenger and baggages of those who fly."""
    seats = flight.get("passengers")
    for seat in seats if isinstance(seats, list) else ():
        if isinstance(seat, dict) and isinstance(seat.get("passenger_id"), str):
            yield seat["passenger_id"], seat.get("baggages")


def _least(told: list[Any], kind: str) -> int | None:
    pieces = [_pieces(one, kind) for one in told]
    known = [number for number in pieces if number is not None]
    return min(known) if known and len(known) == len(pieces) else None


def _pieces(baggages: Any, kind: str) -> int | None:
    """None where there is no list, which is no word about it. A kind that is not listed is not included: recorded lists have
    quantities of 0 as well, and may be empty.
    """
    if not isinstance(baggages, list):
        return None
    found = [one.get("quantity") for one in baggages if isinstance(one, dict) and one.get("type") == kind]
    known = [number for number in found if type(number) is int and 0 <= number < MOST_PIECES]
    return sum(known) if len(known) == len(found) else None


def cents(amount: Any, currency: str) -> int:
    """Their decimal string in minor units. Raises TypeError for what is not one, ValueError for an absurd amount."""
    found = money.to_cents(Decimal(word(amount)), currency)
    if abs(found) >= MOST_CENTS:
        raise ValueError("an amount beyond all prices")
    return found


def word(told: Any) -> str:
    """A text that must be there. Raises TypeError: what is stored as something else is never read again."""
    if not isinstance(told, str) or not told:
        raise TypeError("a text was documented")
    return told


# --- Searches and offers --------------------------------------------------------------------------------------------
def search_body(request: FlightSearch) -> Data:
    body: Data = {
        "slices": [_searched_slice(one) for one in request.slices],
        "passengers": _searched(request.passengers),
        "cabin_class": request.cabin,
        "max_connections": MOST_CONNECTIONS
        if request.max_connections is None
        else min(request.max_connections, MOST_CONNECTIONS),
    }
    if request.private_fares:
        body["private_fares"] = {fare.airline: [_private_fare(fare)] for fare in request.private_fares}
    return body


def _private_fare(fare: PrivateFare) -> Data:
    codes = {"corporate_code": fare.corporate_code, "tour_code": fare.tour_code}
    return {name: code for name, code in codes.items() if code is not None}


def _searched_slice(asked: SearchSlice) -> Data:
    """Both ends of the window are sent: no document has an example with one alone."""
    body = {
        "origin": asked.origin,
        "destination": asked.destination,
        "departure_date": asked.departure_date.isoformat(),
    }
    if asked.window is None:
        return body
    window = asked.window
    return {**body, "departure_time": {"from": f"{window.earliest:%H:%M}", "to": f"{window.latest:%H:%M}"}}


def _searched(passengers: Passengers) -> list[Data]:
    ages = passengers.children_ages or (CHILD_AGE,) * passengers.children
    return [
        *({"type": "adult"} for _ in range(passengers.adults)),
        *({"age": age} for age in ages),
        *({"age": INFANT_AGE} for _ in range(passengers.infants)),
    ]


def best(answer: Data, request: FlightSearch) -> Found[FlightOffer]:
    """Those that can be sold here, the best first; of each currency as many as are wanted, because the caller may have no rate
    for another. They answer hundreds: of a search that takes any of them, by price, only what is wanted is read whole. What
    cannot be sold or read is counted.
    """
    priced: list[tuple[int, Data]] = []
    withheld = NONE_WITHHELD
    for data in answer["offers"]:
        try:
            reason = reason_withheld(data, documents=request.include_document_offers)
            if reason is None:
                priced.append((cents(data["total_amount"], data["total_currency"]), data))
        except UNREADABLE as error:
            reason = _unreadable(error)
        withheld += reason or NONE_WITHHELD
    reads_all = request.is_filtered or request.sort != PRICE
    count: Counter[str] = Counter()
    chosen = []
    for _, data in sorted(priced, key=itemgetter(0)):
        if reads_all or count[data["total_currency"]] < request.limit:
            try:
                chosen.append(offer(data, request.cabin))
                count[data["total_currency"]] += 1
            except UNREADABLE as error:
                withheld += _unreadable(error)
    return Found(_first_of_each_currency(chosen, request) if reads_all else chosen, withheld)


def _first_of_each_currency(offers: list[FlightOffer], request: FlightSearch) -> Iterator[FlightOffer]:
    """They filter by no airline, and no document promises that an airline keeps to the window."""
    count: Counter[str] = Counter()
    for one in sorted(filter(request.takes, offers), key=order_of(request.sort)):
        count[one.currency] += 1
        if count[one.currency] <= request.limit:
            yield one


def _unreadable(error: Exception) -> Withheld:
    logger.error("an offer of duffel could not be read: %s", type(error).__name__)
    return Withheld(unreadable=1)


def reason_withheld(data: Data, *, documents: bool = False) -> Withheld | None:
    """Why an offer is not sold; None for one that is: whole, on one ticket, and without documents unless the partner has them
    (`documents`). One that demands documents and takes none of ours could never be ordered.
    """
    if data.get("partial") or data.get("type") == "split_ticket":
        return Withheld(unsupported=1)
    if data.get("passenger_identity_documents_required") and not (documents and document_types(data)):
        return Withheld(documents_required=1)
    return None


def offer(data: Data, cabin: str) -> FlightOffer:
    currency = word(data["total_currency"])
    total = cents(data["total_amount"], currency)
    if total <= 0:
        raise ValueError("nothing is flown for nothing")
    base, tax = split(data, total, currency)
    pay_by, guaranteed = hold_terms(data)
    return FlightOffer(
        total_cents=total,
        currency=currency,
        carrier=word(data["owner"]["iata_code"]),
        carrier_name=_name(data["owner"]),
        cabin=cabin,
        conditions=conditions(data, total, currency),
        slices=tuple(sold(leg(part, "")) for part in data["slices"]),
        expires_at=instant(data.get("expires_at")),
        supplier_data={"offer_id": word(data["id"]), **priced(data), **_passenger_ids(data["passengers"])},
        fare_brand=fare_brand(data["slices"]),
        base_cents=base,
        tax_cents=tax,
        co2_kg=whole(data.get("total_emissions_kg"), MOST_KILOGRAMS),
        baggage=_baggage(data),
        conditions_url=address(data["owner"].get("conditions_of_carriage_url")),
        private_fares=_applied_fares(data.get("private_fares")),
        pay_by=pay_by,
        price_guaranteed_until=guaranteed,
        document_required=bool(data.get("passenger_identity_documents_required")),
        document_types=document_types(data),
        loyalty_programmes=_loyalty_programmes(data.get("supported_loyalty_programmes")),
    )


def hold_terms(data: Data) -> tuple[datetime | None, datetime | None]:
    """Until when an offer can be held and its price is kept. Both None unless it may be paid later, and they say until when."""
    terms = data.get("payment_requirements")
    if not isinstance(terms, dict) or terms.get("requires_instant_payment") is not False:
        return None, None
    pay_by = moment(terms.get("payment_required_by"))
    return pay_by, moment(terms.get("price_guarantee_expires_at")) if pay_by else None


def _loyalty_programmes(told: Any) -> tuple[str, ...]:
    codes = [text(code) for code in told] if isinstance(told, list) else []
    return tuple(dict.fromkeys(code for code in codes if code))


def document_types(data: Data) -> tuple[str, ...]:
    """Those that we know, in their order. The field had another name, which recordings still have."""
    told = data.get("supported_passenger_identity_document_types")
    if told is None:
        told = data.get("allowed_passenger_identity_document_types")
    known = [kind for kind in told if isinstance(kind, str)] if isinstance(told, list) else []
    return tuple(dict.fromkeys(DOCUMENT_TYPES[kind] for kind in known if kind in DOCUMENT_TYPES))


def sold(leg: Slice) -> Slice:
    """Raises ValueError for a flight whose airline has no code, or that has no number: partners get both for every flight that
    they can buy.
    """
    if any(one.carrier == ANY_CARRIER for one in leg.segments):
        raise ValueError("an airline without a code")
    if any(one.flight_number in ("", one.carrier) for one in leg.segments):
        raise ValueError("a flight without a number")
    return leg


def priced(data: Data) -> dict[str, str]:
    """What is to be paid, to the letter: their own amount, which no conversion of ours has touched."""
    return {"amount": str(data["total_amount"]), "currency": data["total_currency"]}


def _passenger_ids(passengers: list[Data]) -> dict[str, str]:
    """Their ids by our kinds, blanks between, and the ages that the children were searched for with."""
    ids: dict[str, list[str]] = {kind: [] for kind in KINDS}
    ages = []
    for passenger in passengers:
        kind = _kind(passenger)
        ids[kind].append(word(passenger["id"]))
        if kind == "child":
            ages.append(str(passenger.get("age") or CHILD_AGE))
    if ages:
        ids["child_ages"] = ages
    return {kind: " ".join(found) for kind, found in ids.items()}


def _baggage(data: Data) -> tuple[Baggage, ...]:
    """It is only shown: an order whose list of passengers cannot be read is an order all the same."""
    try:
        return baggage(data["slices"], _kinds(data["passengers"]))
    except UNREADABLE:
        return ()


def _applied_fares(told: Any) -> tuple[AppliedFare, ...]:
    """They are only shown: what cannot be read is left out."""
    listed = [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
    return tuple(
        AppliedFare(kind, text(one.get("corporate_code")))
        for one in listed
        if (kind := text(one.get("type")))
    )


def _kinds(passengers: list[Data]) -> dict[str, str]:
    """Our kind of each passenger, by their id; adults first."""
    found = {passenger["id"]: _kind(passenger) for passenger in passengers}
    return dict(sorted(found.items(), key=lambda one: KINDS.index(one[1])))


def _kind(passenger: Data) -> str:
    age = passenger.get("age")
    if isinstance(age, int):
        return "adult" if age >= 18 else "child" if age >= FIRST_CHILD_AGE else "infant"
    return {"child": "child", "infant_without_seat": "infant"}.get(passenger.get("type") or "", "adult")


def split(data: Data, total_cents: int, currency: str) -> tuple[int, int] | tuple[None, None]:
    """Fare and taxes. Both None unless they are given in the total's currency and make the total."""
    if data.get("base_currency") != currency or data.get("tax_currency") != currency:
        return None, None
    try:
        base, tax = cents(data["base_amount"], currency), cents(data["tax_amount"], currency)
    except UNREADABLE:
        return None, None
    return (base, tax) if base + tax == total_cents and base >= 0 and tax >= 0 else (None, None)


def conditions(data: Data, total_cents: int, currency: str) -> Conditions:
    """An allowance that the airline does not mention is not given, and its penalty is not known. What returns nothing costs all
    of it.
    """
    told = data.get("conditions") or {}
    refund, change = told.get("refund_before_departure"), told.get("change_before_departure")
    changeable = _changeable(data, change)
    if refund is None or refund["allowed"] is None:
        return Conditions(refundable=False, changeable=changeable, penalty_cents=None)
    if not refund["allowed"]:
        return Conditions(refundable=False, changeable=changeable, penalty_cents=total_cents)
    penalty = None
    if refund.get("penalty_amount") is not None and refund.get("penalty_currency") == currency:
        penalty = min(total_cents, cents(refund["penalty_amount"], currency))
    return Conditions(refundable=True, changeable=changeable, penalty_cents=penalty)


def _changeable(data: Data, change: Data | None) -> bool:
    """Of an order its `available_actions` decide, whatever its conditions say: recorded orders contradict them both ways. Of an
    offer its conditions, and those of each slice: one alone may be changeable.
    """
    actions = data.get("available_actions")
    if actions is not None:
        return "change" in actions
    return bool(change and change["allowed"]) or any(map(_may_be_changed, data["slices"]))


def _may_be_changed(part: Data) -> bool:
    told = part.get("conditions")
    change = told.get("change_before_departure") if isinstance(told, dict) else None
    return isinstance(change, dict) and change.get("allowed") is True


# --- Slices ---------------------------------------------------------------------------------------------------------
def leg(data: Data, supplier_id: str) -> Slice:
    segments = tuple(segment(part) for part in data["segments"])
    start, end = segments[0].departure_at, segments[-1].arrival_at
    return Slice(
        supplier_id=supplier_id,
        origin=_airport_of(data, "origin", segments[0].origin),
        destination=_airport_of(data, "destination", segments[-1].destination),
        departure_at=start,
        arrival_at=end,
        duration_minutes=minutes(data.get("duration"), start, end),
        segments=segments,
        conditions=slice_conditions(data.get("conditions")),
    )


def slice_conditions(told: Any) -> SliceConditions | None:
    """None where they say nothing."""
    if not isinstance(told, dict):
        return None
    names = ("advance_seat_selection", "priority_boarding", "priority_check_in")
    found = {name: flag(told.get(name)) for name in names}
    return SliceConditions(**found) if any(one is not None for one in found.values()) else None


def flag(told: Any) -> bool | None:
    return told if isinstance(told, bool) else None


def _airport_of(data: Data, end: str, flown: str) -> str:
    """Of a slice that was searched for by a city, an end may be that city: then the airport of its flight."""
    return flown if data.get(f"{end}_type") == "city" else word(data[end]["iata_code"])


def segment(data: Data) -> Segment:
    carrier, aircraft = data["marketing_carrier"], data.get("aircraft")
    operating_carrier, operating_carrier_name = operator(data.get("operating_carrier"))
    code = text(carrier["iata_code"]) or operating_carrier or ""
    name, own_number = _name(carrier) or ANY_CARRIER, _number(data.get("operating_carrier_flight_number"))
    if (operating_carrier, operating_carrier_name) == (code or ANY_CARRIER, name):  # it flies itself
        operating_carrier_name, own_number = None, ""
    cabin, seat = lowest(data.get("passengers"))
    start = local_time(data["departing_at"], data["origin"])
    end = local_time(data["arriving_at"], data["destination"])
    return Segment(
        origin=word(data["origin"]["iata_code"]),
        destination=word(data["destination"]["iata_code"]),
        departure_at=start,
        arrival_at=end,
        carrier=code or ANY_CARRIER,
        carrier_name=name,
        flight_number=f"{code}{_number(data.get('marketing_carrier_flight_number'))}",
        duration_minutes=minutes(data.get("duration"), start, end),
        operating_carrier=operating_carrier,
        operating_carrier_name=operating_carrier_name,
        aircraft=text(aircraft.get("name")) if isinstance(aircraft, dict) else None,
        origin_terminal=text(data.get("origin_terminal")),
        destination_terminal=text(data.get("destination_terminal")),
        operating_flight_number=f"{operating_carrier or ''}{own_number}" if own_number else None,
        cabin=cabin,
        distance_km=whole(data.get("distance"), MOST_KILOMETRES),
        stops=tuple(stops(data.get("stops"))) if data.get("stops") else (),
        amenities=amenities(seat),
    )


def lowest(seats: Any) -> tuple[str | None, Data]:
    """The lowest cabin that a passenger has, with what it is said of it; passengers of one flight may have different ones."""
    found: tuple[str | None, Data] = None, {}
    for seat in seats if isinstance(seats, list) else ():
        cabin = seat.get("cabin_class") if isinstance(seat, dict) else None
        if cabin in CABINS and (found[0] is None or CABINS.index(cabin) < CABINS.index(found[0])):
            found = cabin, seat
    return found


def amenities(seat: Data) -> Amenities | None:
    """None where they say nothing."""
    cabin = seat.get("cabin")
    told = cabin.get("amenities") if isinstance(cabin, dict) else None
    if not isinstance(told, dict):
        return None
    wifi, power, place = (_part(told, name) for name in ("wifi", "power", "seat"))
    found = Amenities(
        wifi=_wifi(wifi),
        power=flag(power.get("available")),
        seat_pitch=text(place.get("pitch")),
        legroom=text(place.get("legroom")),
    )
    return found if found != NO_AMENITIES else None


NO_AMENITIES = Amenities()


def _part(told: Data, name: str) -> Data:
    part = told.get(name)
    return part if isinstance(part, dict) else {}


def _wifi(told: Data) -> str | None:
    available = flag(told.get("available"))
    if not available:
        return NO_WIFI if available is False else None
    return COSTS_OF_WIFI.get(text(told.get("cost")) or "", SOME_WIFI)


def stops(told: Any) -> Iterator[Stop]:
    """Landings under the same flight number. They are only shown: one that names no airport is left out."""
    for data in told if isinstance(told, list) else ():
        try:
            arrives, leaves = (_stopped(data, name) for name in ("arriving_at", "departing_at"))
            stay = minutes(data.get("duration"), arrives, leaves) if arrives and leaves else None
            yield Stop(word(data["airport"]["iata_code"]), arrives, leaves, stay)
        except UNREADABLE as error:
            logger.error("a stop of duffel could not be read: %s", type(error).__name__)


def _stopped(data: Data, name: str) -> datetime | None:
    return local_time(data[name], data["airport"]) if data.get(name) else None


def _number(told: Any) -> str:
    """Of a flight; "" if invalid."""
    return str(told) if type(told) is int else text(told) or ""


def _name(carrier: Data) -> str:
    """Never None: that could be stored, and no more be read."""
    return text(carrier.get("name")) or text(carrier.get("iata_code")) or ""


# --- Travellers, and the orders that name them --------------------------------------------------------------------------
def objections(passengers: tuple[Passenger, ...]) -> Iterator[InvalidField]:
    """What each of them lacks, or has that no airline prints."""
    for place, passenger in enumerate(passengers):
        yield from _about(f"passengers.{place}", passenger)


def _about(path: str, passenger: Passenger) -> Iterator[InvalidField]:
    if passenger.title is None:
        yield InvalidField(f"{path}.title", "is required")
    elif gender_of(passenger) is None:
        yield InvalidField(f"{path}.gender", f"is required with the title {passenger.title}")
    for field, name in (("firstName", passenger.first_name), ("lastName", passenger.last_name)):
        if len(name) > MOST_LETTERS:
            yield InvalidField(f"{path}.{field}", f"must have at most {MOST_LETTERS} characters")
        elif not LATIN_NAME.fullmatch(name):
            yield InvalidField(
                f"{path}.{field}", "must be written in Latin letters, spaces, hyphens and apostrophes"
            )


def gender_of(passenger: Passenger) -> str | None:
    """As it is given, else derived from the title; a doctor's has none."""
    return passenger.gender or GENDERS.get(passenger.title or "")


def order_body(request: OrderRequest) -> Data:
    """An order of all of them, paid at once from our balance with the very amount that the offer cost when last read; one on hold
    names no payment.
    """
    kept, passengers = request.offer.supplier_data, bodies(request)
    paid = [{"type": "balance", "amount": kept["amount"], "currency": kept["currency"]}]
    return {
        "type": HOLD if request.hold else "instant",
        "selected_offers": [kept["offer_id"]],
        "passengers": passengers,
        **({} if request.hold else {"payments": paid}),
        "metadata": {"reference": request.client_ref, **_in_our_order(passengers)},
    }


def _in_our_order(passengers: list[Data]) -> dict[str, str]:
    """Their ids in the order in which the partner sent them. That an order lists its passengers in that order is not documented,
    and a later read has nothing else to go by. Not needed for one passenger; left out where one value of metadata cannot hold it.
    """
    ids = " ".join(one["id"] for one in passengers)
    return {IN_OUR_ORDER: ids} if len(passengers) > 1 and len(ids) <= LONGEST_METADATA else {}


def bodies(request: OrderRequest) -> list[Data]:
    """In the order of the request, each under the id that the offer has for one of its kind, of a child also for one of its age;
    infants in adults' arms.
    """
    waiting = {kind: request.offer.supplier_data[kind].split() for kind in KINDS}
    infant_of = dict(zip(waiting["adult"], waiting["infant"], strict=False))
    ages = dict(zip(waiting["child"], _ages(request.offer), strict=False))
    made = []
    for passenger in request.passengers:
        if not waiting[passenger.type]:
            raise Rejected("the passengers are not those that were searched for")
        age = passenger.age_on(request.offer.slices[-1].departure_at.date())
        fitting = [own_id for own_id in waiting[passenger.type] if ages.get(own_id) == age]
        own_id = (fitting or waiting[passenger.type])[0]
        waiting[passenger.type].remove(own_id)
        made.append(_body(passenger, own_id, infant_of.get(own_id), request))
    return made


def _ages(offer: FlightOffer) -> list[int]:
    """That the children were searched for with, in the order of their ids."""
    return [int(age) for age in offer.supplier_data.get("child_ages", "").split()]


def _body(passenger: Passenger, own_id: str, infant_id: str | None, request: OrderRequest) -> Data:
    body: Data = {
        "id": own_id,
        "title": passenger.title,
        "gender": gender_of(passenger),
        "given_name": passenger.first_name,
        "family_name": passenger.last_name,
        "born_on": passenger.date_of_birth.isoformat(),
        "email": request.email,
        "phone_number": request.phone,
    }
    if passenger.identity_documents:
        body["identity_documents"] = [_identity(one) for one in passenger.identity_documents]
    if passenger.loyalty_accounts:
        body["loyalty_programme_accounts"] = [
            {"airline_iata_code": one.airline, "account_number": one.number}
            for one in passenger.loyalty_accounts
        ]
    return {**body, "infant_passenger_id": infant_id} if infant_id else body


def account_holder(passengers: tuple[Passenger, ...]) -> str:
    """The field that an airline means which does not know an account: only that of a single holder is certain."""
    holders = [place for place, one in enumerate(passengers) if one.loyalty_accounts]
    return f"passengers.{holders[0]}.loyaltyAccounts" if len(holders) == 1 else "passengers"


def _identity(document: IdentityDocument) -> Data:
    """The client's types have `expires_on` as required, the reference has not: it is left out where it is not known."""
    body = {
        "type": THEIR_TYPES[document.type],
        "unique_identifier": document.number,
        "issuing_country_code": document.issuing_country,
    }
    return {**body, "expires_on": document.expires_on.isoformat()} if document.expires_on else body


# --- Orders ---------------------------------------------------------------------------------------------------------
def order(data: Data, *, now: datetime, final: bool = False) -> FlightOrder:
    """An order; issued once it is paid and has a locator and its tickets, or none are to come: `final`, or by its age."""
    currency = word(data["total_currency"])
    total = cents(data["total_amount"], currency)
    pnr = text(data.get("booking_reference")) or ""
    documents = tuple(_documents(data))
    tickets = tuple(dict.fromkeys(one.number for one in documents if one.type == TICKET))
    status = data.get("payment_status")
    told = status if isinstance(status, dict) else {}
    payment = payment_of(data, now)
    made = moment(told.get("paid_at")) if data.get("type") == HOLD else None  # tickets come once it is paid
    made = made or instant(data.get("created_at"))
    final = final or made is None or now - made > TICKETS_WITHIN
    on_hold = told if payment != PAID else {}
    return FlightOrder(
        supplier_reference=reference_of(data),
        pnr=pnr,
        ticket_numbers=tickets,
        total_cents=total,
        currency=currency,
        slices=tuple(leg(part, word(part["id"])) for part in data["slices"]),
        conditions=conditions(data, total, currency),
        cancelled=data.get("cancelled_at") is not None and bool(word(data["cancelled_at"])),
        issued=bool(pnr) and payment == PAID and (bool(tickets) or final),
        fare_brand=fare_brand(data["slices"]),
        baggage=_baggage(data),
        documents=documents,
        payment=payment,
        pay_by=moment(on_hold.get("payment_required_by")),
        price_guaranteed_until=moment(on_hold.get("price_guarantee_expires_at")),
    )


def payment_of(data: Data, now: datetime) -> str:
    """How an order stands with its payment. Paid is what has a `paid_at`: `awaiting_payment` is also false while a payment is
    in progress, and once a hold has lapsed (duffel.com/docs/guides/holding-orders-and-paying-later).

    Orders recorded in 2021 have no `paid_at` at all, and those without `payment_status` are not documented: they were paid when
    they were made, unless they are lapsed holds.
    """
    status = data.get("payment_status")
    if not isinstance(status, dict) or status.get("paid_at"):
        return PAID
    if status.get("awaiting_payment") is True:
        return UNPAID
    required_by = moment(status.get("payment_required_by"))
    if required_by is not None and required_by <= now and not data.get("documents"):
        return LAPSED
    return PAYMENT_PENDING if "paid_at" in status else PAID


def reference_of(data: Data) -> str:
    """Their name for the order. Raises ValueError for one longer than can be kept."""
    reference = word(data["id"])
    if len(reference) > LONGEST_REFERENCE:
        raise ValueError("an order under an id beyond all others")
    return reference


def _documents(data: Data) -> Iterator[IssuedDocument]:
    """What is no document, or of an unknown type, is left out: the order stands all the same."""
    told, places = data.get("documents"), places_of(data)
    for document in told if isinstance(told, list) else ():
        if not isinstance(document, dict):
            continue
        kind, number = DOCUMENTS.get(str(document.get("type"))), text(document.get("unique_identifier"))
        if kind and number:
            yield IssuedDocument(kind, number, _whose(document.get("passenger_ids"), places))


def places_of(data: Data) -> dict[str, int]:
    """Our place of each passenger of an order, by their id. Empty if it cannot be known."""
    metadata = data.get("metadata")
    kept = metadata.get(IN_OUR_ORDER) if isinstance(metadata, dict) else None
    if isinstance(kept, str):
        return {own_id: place for place, own_id in enumerate(kept.split())}
    listed = data.get("passengers")
    only = listed[0] if isinstance(listed, list) and len(listed) == 1 else None
    return {only["id"]: 0} if isinstance(only, dict) and isinstance(only.get("id"), str) else {}


def _whose(ids: Any, places: Mapping[str, int]) -> int | None:
    """None unless it is of one passenger. Orders of 2021 name none: that of a single passenger is theirs all the same."""
    if not isinstance(ids, list) or not ids:
        return 0 if len(places) == 1 else None
    return places.get(ids[0]) if len(ids) == 1 and isinstance(ids[0], str) else None
