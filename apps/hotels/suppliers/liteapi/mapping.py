"""Their answers as ours: hotels with their rates, prebooks, bookings and cancellations."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime
from decimal import Decimal
from typing import Any
from unicodedata import category, combining, normalize

from apps.common import clock
from apps.common.money import to_cents
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import (
    NO_NOTES,
    NOTHING,
    Board,
    Cancellation,
    ChangeSearch,
    DeskNotes,
    Hotel,
    HotelOffer,
    LeastRate,
    LocalCharge,
    NameCorrection,
    Perk,
    Promotion,
    Rate,
    Remark,
    RoomKind,
    Stay,
    StayFacts,
    StaySearch,
    Tax,
    taxes_text,
    text_of,
)
from apps.hotels.suppliers.liteapi.client import UNREADABLE, handle, name_of, number, text
from apps.hotels.suppliers.liteapi.hotels import MOST_SLEEPERS, ROOM_IDS, image_of, plain, score_of, whole
from apps.hotels.suppliers.liteapi.money import (
    MOST_CENTS,
    Price,
    is_refundable,
    least_public,
    net_of_booking,
    net_of_room_type,
    penalty_cents,
    policy_of_rates,
    steps_of,
    steps_of_text,
    verbatim,
)
from apps.suppliers.errors import Expired
from apps.suppliers.results import LONGEST_REFERENCE, NONE_WITHHELD, Found, Withheld
from apps.suppliers.values import replaced

LONGEST_ID, LONGEST_OFFER = 64, 16_384
MOST_STARS = 7
SAME_BOARD = {"BI": "BB", "BD": "BB", "CB": "BB", "AB": "BB", "UI": "AI", "UAI": "AI"}
"""Codes of theirs for a kind of what our five say."""
DIGITS = "0123456789"
KINDS_OF_BOARD = {"BB": ("BB1", "BB2", "BB3", "BI")}
PROPERTY_PAY = "PROPERTY_PAY"
LONGEST, LONGEST_REMARK, MOST_NAMED = 255, 4_000, 20
REFERENCE_NAMES = ("clientReference", "client_reference")
ID_NAMES = ("bookingId", "booking_Id", "booking_id")
CONFIRMED = "CONFIRMED"
CHARGED = "CANCELLED_WITH_CHARGES"
FAILED = frozenset({"FAILED", "REJECTED", "NOT_CONFIRMED", "ERROR"})


def offers(answer: dict[str, Any], request: StaySearch) -> Found[HotelOffer]:
    """The hotels that satisfy the request, in their order, each with its rates, the cheapest first.

    A rate that cannot be read is counted, as is each of a hotel that cannot be read.
    """
    if not isinstance(answer["data"], list | None):
        raise TypeError("no list of hotels")
    told = answer.get("hotels")
    hotels = [hotel for hotel in told if isinstance(hotel, dict)] if isinstance(told, list) else []
    described = {str(hotel.get("id")): hotel for hotel in hotels}
    found, withheld = [], NONE_WITHHELD
    for data in answer["data"] or []:
        try:
            hotel = hotel_of(described[data["hotelId"]])
            room_types = list(data["roomTypes"])
        except UNREADABLE:
            withheld += Withheld(unreadable=_rates_told(data))
            continue
        if cities.is_where(hotel, request):
            rates = _suitable(room_types, request)
            withheld += rates.withheld
            if rates:
                found.append(HotelOffer(hotel, tuple(sorted(rates, key=lambda rate: rate.total_cents))))
    return Found(found, withheld)


def least_rates(told: Any, stay: StaySearch) -> Found[LeastRate]:
    """What they sell the cheapest rate of each hotel for, in the currency that was asked for: neither that nor commission and
    taxes are named. It is taken for the net price, which is not above it.
    """
    if not isinstance(told, list | None):
        raise TypeError("no list of prices")
    found: dict[str, LeastRate] = {}
    unreadable = 0
    for one in told or []:
        try:
            hotel_id, cents = (
                handle(one["hotelId"], LONGEST_ID),
                to_cents(number(one["price"]), stay.currency),
            )
            if not 0 < cents < MOST_CENTS:
                raise ValueError("a price that cannot be paid")
        except UNREADABLE:
            unreadable += 1
            continue
        known = found.get(hotel_id)
        if hotel_id in (stay.hotel_ids or ()) and (known is None or cents < known.total_cents):
            found[hotel_id] = LeastRate(stay.check_in, hotel_id, cents, stay.currency)
    return Found(found.values(), Withheld(unreadable=unreadable))


def _rates_told(data: Any) -> int:
    """Of a hotel that cannot be read: at least one, for it is listed because it has some."""
    told = data.get("roomTypes") if isinstance(data, dict) else None
    return max(1, len(told)) if isinstance(told, list) else 1


def hotel_of(data: Any) -> Hotel:
    """Without what no search returns. Raises ValueError for an id or a place that cannot be, and for no name at all: a hotel
    without coordinates is documented, but every hotel of ours has its place on the map.
    """
    city = name_of(data["city_name"])
    stars, latitude, longitude = (
        number(data.get("stars") or 0),
        number(data["latitude"]),
        number(data["longitude"]),
    )
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise ValueError("nowhere on earth")
    return Hotel(
        hotel_id=handle(data["id"], LONGEST_ID),
        name=name_of(data["name"]),
        stars=int(stars) if 0 <= stars <= MOST_STARS else 0,
        street=text(data.get("address")) or city,
        city=city,
        country=country_of(data["country_code"]),
        latitude=latitude,
        longitude=longitude,
        amenities=(),
        images=text_of([main]) if (main := image_of(data.get("main_photo"))) else NOTHING,
        review_score=score_of(data.get("rating")),
    )


def country_of(told: object) -> str:
    """In capitals, whichever way they write it. Raises ValueError for what is no ISO 3166 alpha-2 code."""
    code = text(told).upper()
    if not (len(code) == 2 and code.isascii() and code.isalpha()):
        raise ValueError("no country")
    return code


def _suitable(room_types: list[Any], request: StaySearch) -> Found[Rate]:
    adults = ",".join(str(room.adults) for room in request.rooms)
    found, unsupported, unreadable = [], 0, 0
    for room_type in room_types:
        try:
            if is_unsupported(room_type, room_type["rates"]):
                unsupported += 1
                continue
            rate = rate_of(room_type, adults)
        except UNREADABLE:
            unreadable += 1
            continue
        too_dear = (
            request.max_total_cents is not None
            and rate.currency == request.currency
            and rate.total_cents > request.max_total_cents
        )
        if not too_dear and (rate.refundable or not request.refundable_only):
            found.append(rate)
    return Found(found, Withheld(unsupported=unsupported, unreadable=unreadable))


def is_unsupported(product: Any, rates: list[Any]) -> bool:
    """Whether a room type or a prebook, with its `rates`, cannot be sold through us: the guest would pay the hotel, or needs a
    membership, or it may only be sold as a part of a package.
    """
    return any(
        one.get("loyaltyMembershipIdRequired")
        or one.get("rateType") == "package"
        or _is_paid_at_property(one.get("paymentTypes"))
        for one in (product, *rates)
    )


def _is_paid_at_property(told: object) -> bool:
    """Where nothing is said, or something else as well, we can pay."""
    kinds = told if isinstance(told, list) else [told] if told else []
    return bool(kinds) and all(kind == PROPERTY_PAY for kind in kinds)


def rate_of(room_type: Any, adults: str) -> Rate:
    """One room type, which is what they sell: all rooms of the stay together."""
    rates, price = room_type["rates"], net_of_room_type(room_type)
    due = tuple(charges(rates, price))
    supplier_data = {
        "offer_id": handle(room_type["offerId"], LONGEST_OFFER),
        "amount": str(price.amount),
        "currency": price.currency,
        "adults": adults,
    }
    if any(rate.get("mappedRoomId") for rate in rates):
        supplier_data[ROOM_IDS] = ",".join(_room_id(rate) for rate in rates)
    return Rate(
        room_name=" + ".join(dict.fromkeys(name_of(rate["name"]) for rate in rates)),
        board=board_of(rates[0]),
        refundable=is_refundable(rates),
        total_cents=price.cents,
        currency=price.currency,
        cancellation_policy=policy_of_rates(rates),
        pay_at_hotel=due,
        expires_at=None,
        supplier_data=supplier_data,
        penalty_steps=steps_of(
            [rate["cancellationPolicies"] for rate in rates], total_cents=price.cents, currency=price.currency
        ),
        rooms=text_of(
            RoomKind(name_of(rate["name"]), max_occupancy=whole(rate.get("maxOccupancy"), MOST_SLEEPERS))
            for rate in rates
        ),
        taxes=taxes_text(included_taxes(rates, price.currency), due),
        least_public_cents=least_public(room_type, price.currency),
        remarks=remarks_of(rates),
        promotions=promotions_of(rates),
        perks=perks_of(rates),
    )


def remarks_of(rates: list[Any]) -> str:
    """One text a rate, which may hold markup, several matters and amounts: it is shown whole."""
    told = [plain(rate.get("remarks"), LONGEST_REMARK) for rate in rates if rate.get("remarks")]
    return text_of(Remark("information", one) for one in dict.fromkeys(told) if one) if told else NOTHING


def promotions_of(rates: list[Any]) -> str:
    """Their discounts are in the price, and may be in another currency than it has: nothing is computed with them."""
    told = [
        one
        for rate in rates
        for place in (rate["retailRate"], rate)
        if place.get("promotions")
        for one in _many(place["promotions"])
    ]
    return text_of(dict.fromkeys(filter(None, map(_promotion, told[:MOST_NAMED])))) if told else NOTHING


def _promotion(told: Any) -> Promotion | None:
    """None for one without a name. A text alone is the name."""
    told = told if isinstance(told, dict) else {"name": told}
    name = plain(told.get("name"), LONGEST)
    if name is None:
        return None
    percent = None
    if str(told.get("discountType")).lower() == "percentage":
        with suppress(*UNREADABLE):
            percent = float(number(told.get("discount")))
    return Promotion(
        name,
        _promoted_on(told.get("from")),
        _promoted_on(told.get("to")),
        percent if percent is not None and 0 < percent <= 100 else None,
    )


def _promoted_on(told: object) -> str | None:
    day = _day(told)
    return None if day is None else day.isoformat()


def perks_of(rates: list[Any]) -> str:
    """Their names: the amount is what a perk is worth, and is not money off."""
    told = [one for rate in rates if rate.get("perks") for one in _many(rate["perks"])]
    names = [plain(one.get("name") if isinstance(one, dict) else one, LONGEST) for one in told[:MOST_NAMED]]
    return text_of(Perk(name) for name in dict.fromkeys(names) if name) if told else NOTHING


def _many(told: Any) -> list[Any]:
    """Documented as a list; a text was seen, too."""
    return told if isinstance(told, list) else [told]


def _room_id(rate: Any) -> str:
    told = text(rate.get("mappedRoomId"))
    return told if len(told) <= LONGEST_ID and "," not in told else ""


def board_of(rate: Any) -> Board:
    """`BB1`, `BB2` and so on are kinds of what their letters say. What says nothing promises no meal."""
    code = text(rate.get("boardType")).upper().rstrip(DIGITS) or "RO"
    return Board(SAME_BOARD.get(code, code), text(rate.get("boardName")) or code)


def boards_of(code: str) -> list[str]:
    """Their codes for a board of ours, as far as they are documented or were seen: they may refuse one that they do not know."""
    return [code, *KINDS_OF_BOARD.get(code, ())]


def charges(rates: list[Any], price: Price) -> Iterator[LocalCharge]:
    """Taxes and fees that the hotel collects. Raises ValueError, also for one without an amount: it is not zero."""
    due = [tax for tax in _taxes(rates) if tax.get("included") is False and tax.get("amount") != 0]
    for (description, currency), amount in _sums(due, price.currency).items():
        cents = to_cents(amount, currency)
        if abs(cents) >= MOST_CENTS:
            raise ValueError("a charge that cannot be paid")
        yield LocalCharge(description, cents, currency)


def included_taxes(rates: list[Any], currency: str) -> Iterator[Tax]:
    """Those that their price includes. One that cannot be read is only not shown."""
    readable = []
    for tax in _taxes(rates):
        with suppress(*UNREADABLE):
            if tax.get("included") is True and tax.get("amount"):
                number(tax["amount"])
                readable.append(tax)
    for (description, told_in), amount in _sums(readable, currency).items():
        with suppress(*UNREADABLE):
            cents = to_cents(amount, told_in)
            if abs(cents) < MOST_CENTS:
                yield Tax(description, cents, told_in, included=True)


def _taxes(rates: list[Any]) -> Iterator[Any]:
    return (tax for rate in rates for tax in rate["retailRate"].get("taxesAndFees") or [])


def _sums(taxes: list[Any], currency: str) -> dict[tuple[str, str], Decimal]:
    """By description and currency, those of one kind for all rooms together."""
    sums: dict[tuple[str, str], Decimal] = {}
    for tax in taxes:
        kind = text(tax.get("description")) or "Tax", str(tax.get("currency") or currency)
        sums[kind] = sums.get(kind, Decimal(0)) + number(tax["amount"])
    return sums


def confirmed_rate(rate: Rate, prebook: Any) -> Rate:
    """The rate as a prebook confirms it, with what booking it takes. Raises Expired where it is not the product quoted, or cannot
    be sold through us.
    """
    price = net_of_booking(prebook)
    rates = [one for room in prebook.get("roomTypes") or [] for one in room.get("rates") or []]
    if is_unsupported(prebook, [*(prebook.get("roomTypes") or []), *rates]):
        raise Expired("the rate is not sold through us")
    if prebook.get("cancellationChanged") or prebook.get("boardChanged"):
        raise Expired("the terms are not those that were quoted")
    if price.currency != rate.supplier_data["currency"]:
        raise Expired("the currency is not the one that was quoted")
    policies = [one for one in rates if one.get("cancellationPolicies")]
    policy = policy_of_rates(policies) if policies else rate.cancellation_policy
    return _prebooked(rate, prebook, price, policy)


def _prebooked(rate: Rate, prebook: Any, price: Price, policy: str) -> Rate:
    """At the prebook's price, and with its id, which booking it takes."""
    return replaced(
        rate,
        total_cents=price.cents,
        currency=price.currency,
        cancellation_policy=policy,
        penalty_steps=steps_of_text(policy, total_cents=price.cents, currency=price.currency),
        supplier_data={
            **rate.supplier_data,
            "prebook_id": handle(prebook["prebookId"], LONGEST_OFFER),
            "amount": str(price.amount),
        },
    )


def alternatives(listed: list[Any], request: ChangeSearch) -> Found[Rate]:
    """Prebooks in place of a booking, each with what rebooking it takes. What cannot be read, or is for another stay, is
    counted.
    """
    adults = ",".join(str(room.adults) for room in request.rooms)
    found, unsupported, unreadable = [], 0, 0
    for prebook in listed:
        try:
            rates = [one for room in prebook["roomTypes"] for one in room["rates"]]
            if is_unsupported(prebook, [*prebook["roomTypes"], *rates]):
                unsupported += 1
                continue
            found.append(_alternative(prebook, rates, request, adults))
        except UNREADABLE:
            unreadable += 1
    return Found(found, Withheld(unsupported=unsupported, unreadable=unreadable))


def _alternative(prebook: Any, rates: list[Any], request: ChangeSearch, adults: str) -> Rate:
    """`priceDifferencePercent` is a whole number of their selling price: the price alone counts."""
    if (_day(prebook["checkin"]), _day(prebook["checkout"])) != (request.check_in, request.check_out):
        raise ValueError("another stay")
    price = net_of_booking(prebook)
    total = {"amount": prebook["price"], "currency": prebook["currency"]}
    room_type = {"offerId": prebook["offerId"], "rates": rates, "offerRetailRate": total}
    return _prebooked(rate_of(room_type, adults), prebook, price, policy_of_rates(rates))


def same_alternative(offered: list[Rate], quoted: Rate) -> Rate | None:
    """The quoted one among those of now: under the same offer, else the cheapest with the same room, meals and terms. Whether an
    offer keeps its id is not documented.
    """

    def kind(rate: Rate) -> tuple[object, ...]:
        return rate.room_name, rate.board, rate.refundable

    offer = quoted.supplier_data["offer_id"]
    same = [rate for rate in offered if rate.supplier_data["offer_id"] == offer]
    alike = same or [rate for rate in offered if kind(rate) == kind(quoted)]
    return min(alike, key=lambda rate: rate.total_cents, default=None)


def replaces(listed: Any, booking_id: str) -> bool:
    """Whether a listed booking was made in place of that one. That lists say so is not documented; the booking itself does."""
    told = listed.get("rebookFrom") or listed.get("rebook_from")
    return isinstance(told, str) and told == booking_id


def facts_said(booking: Any) -> StayFacts:
    hotel = booking.get("hotel")
    hotel = hotel if isinstance(hotel, dict) else {}
    return StayFacts(
        check_in=_day(booking.get("checkin")),
        check_out=_day(booking.get("checkout")),
        hotel_id=_name(hotel.get("hotelId")),
        hotel_name=_name(hotel.get("name")),
        room_name=_room(booking.get("bookedRooms")),
    )


NOTED = {
    "knowBeforeYouGo": "know_before_you_go",
    "mandatoryFees": "mandatory_fees",
    "optionalFees": "optional_fees",
    "specialRemarks": "information",
    "remarks": "information",
}
"""Their fields of a booking, by the kind of remark that each is."""
SHOWS_IDENTITY = "Guests have to show an identity document at the desk."


def desk_notes(booking: Any) -> DeskNotes:
    """Whatever they say for the desk; what cannot be read is left out. In `bookedRooms[].rate` code and name of the board are
    swapped: nothing of it is read but its remarks.
    """
    told = [(kind, words) for name, kind in NOTED.items() for words in _words(booking.get(name))]
    for room in _list(booking.get("bookedRooms")):
        told += [
            ("information", words) for words in _words(_object(_object(room).get("rate")).get("remarks"))
        ]
    arrival = _object(booking.get("checkinInstructions"))
    if arrival.get("idRequired") is True:
        told.append(("check_in_instructions", SHOWS_IDENTITY))
    told += [("check_in_instructions", words) for words in _words(arrival.get("instructions"))]
    if not told and not arrival:
        return NO_NOTES
    contact = _object(arrival.get("propertyContact"))
    once: dict[str, str] = {}
    for kind, words in told[:MOST_NAMED]:
        once.setdefault(words, kind)
    return DeskNotes(
        remarks=text_of(Remark(kind, words) for words, kind in once.items()),
        hotel_phone=plain(contact.get("phone"), LONGEST),
        hotel_email=plain(contact.get("email"), LONGEST),
    )


def _words(told: object) -> list[str]:
    """A text, or several, without markup."""
    return [words for one in _many(told) if (words := plain(one, LONGEST_REMARK)) is not None]


def _list(told: object) -> list[Any]:
    return told if isinstance(told, list) else []


def _object(told: object) -> dict[str, Any]:
    return told if isinstance(told, dict) else {}


def _day(told: object) -> date | None:
    try:
        day = date.fromisoformat(str(told)[:10])
    except ValueError:
        return None
    # The first and the last day of the calendar are how some systems write "no date".
    return day if MINYEAR < day.year < MAXYEAR else None


def _name(told: object) -> str | None:
    return text(told)[:LONGEST] or None if isinstance(told, str) else None


def _room(rooms: object) -> str | None:
    """The names of the rooms, where each has one."""
    names = []
    for room in rooms if isinstance(rooms, list) else []:
        kind = room.get("roomType") if isinstance(room, dict) else None
        names.append(_name(kind.get("name")) if isinstance(kind, dict) else None)
    return ", ".join(filter(None, names))[:LONGEST] if names and all(names) else None


def has_name(booking: Any, correction: NameCorrection) -> bool:
    """Whether the holder has the name that was asked for. People type it: capitals, accents and spaces do not count, unless they
    are what was to be corrected.
    """
    holder = booking.get("holder")
    if not isinstance(holder, dict):
        return False
    has = text(holder.get("firstName")), text(holder.get("lastName"))
    wanted = correction.first_name, correction.last_name
    booked = correction.booked_first_name, correction.booked_last_name
    if _plain(wanted) == _plain(booked):
        return has == wanted
    return _plain(has) == _plain(wanted)


def _plain(names: tuple[str, ...]) -> str:
    """Letters and digits alone, without accents and case; the vowel signs of Indic scripts are letters. As one text: suppliers
    split names in their own ways.
    """
    apart = normalize("NFKD", " ".join(names).casefold())
    return "".join(
        each for each in apart if each.isalnum() or (category(each)[0] == "M" and not combining(each))
    )


def status_of(booking: Any) -> str:
    """In capitals and one spelling: their texts write both CANCELED and CANCELLED."""
    return str(booking["status"]).upper().replace("CANCELED", "CANCELLED")


def reference_of(booking: Any) -> str | None:
    """Our reference, whichever of their lists spells it; None if it does not provide it."""
    told = next((booking[name] for name in REFERENCE_NAMES if booking.get(name)), None)
    return told if isinstance(told, str) else None


def id_of(booking: Any) -> str:
    """Raises LookupError, ValueError."""
    return handle(next((booking[name] for name in ID_NAMES if booking.get(name)), None), LONGEST_REFERENCE)


def standing_of(listed: Any) -> tuple[str, str] | None:
    """Our reference and their id, of an item of the list by days. That asks for what stands, which its items need not repeat.
    None for what no longer stands, or bears no reference.
    """
    reference, stands = reference_of(listed), not listed.get("status") or status_of(listed) == CONFIRMED
    return (reference, id_of(listed)) if reference is not None and stands else None


def is_cancelled(booking: Any) -> bool:
    return status_of(booking).startswith("CANCELLED")


def stay_of(booking: Any, terms: str = "") -> Stay:
    """A booking that stands or is cancelled. `terms`: its policy as we know it, where the answer does not repeat it."""
    price = net_of_booking(booking)
    ended = cancellation_of(booking, terms) if is_cancelled(booking) else None
    policy = policy_of(booking, terms)
    return Stay(
        supplier_reference=id_of(booking),
        total_cents=price.cents,
        currency=price.currency,
        cancellation_policy=policy,
        penalty_steps=steps_of_text(policy, total_cents=price.cents, currency=price.currency),
        confirmation_code=text(booking.get("hotelConfirmationCode")) or None,
        cancelled=ended is not None,
        penalty_cents=ended.penalty_cents if ended else None,
        refund_cents=ended.refund_cents if ended else None,
        facts=facts_said(booking),
        desk=desk_notes(booking),
    )


def policy_of(booking: Any, terms: str = "") -> str:
    told = booking.get("cancellationPolicies")
    return verbatim(told) if told else terms or "{}"


def quote_of(booking: Any, terms: str) -> Cancellation:
    """What cancelling costs now: by the terms that were kept at the booking, else by those that the answer repeats."""
    return cancellation(net_of_booking(booking), _penalty(booking, terms, clock.now()))


def cancelled_at(booking: Any) -> datetime:
    """When it was cancelled, as far as they say; the first day of the calendar says nothing."""
    try:
        told = datetime.fromisoformat(str(booking["cancelledAt"]))
    except (KeyError, ValueError):
        return clock.now()
    if told.year == MINYEAR:
        return clock.now()
    return told if told.tzinfo else told.replace(tzinfo=UTC)


def cancellation_of(booking: Any, terms: str = "", quote: Cancellation | None = None) -> Cancellation:
    """What a cancelled booking cost. A refund that they name decides. Without one it cost the `quote` where they charged, or say
    that nothing came back. Where there is no quote and they charged, it cost what the terms say for that moment; else nothing.
    """
    price, told = net_of_booking(booking), booking.get("amountRefunded")
    refunded = to_cents(number(told or 0), price.currency)
    if refunded > 0:
        return cancellation(price, price.cents - refunded)
    charged = status_of(booking) == CHARGED
    if quote is not None and (charged or told is not None):
        return quote
    if not charged:
        return cancellation(price, 0)
    return cancellation(price, _penalty(booking, terms, cancelled_at(booking)))


def cancellation_told(answer: Any, price: Price, quote: Cancellation) -> Cancellation:
    """What the cancel call itself said: the fee, else what comes back, else what its status means."""
    if answer.get("currency") in (None, price.currency):
        if answer.get("cancellation_fee") is not None:
            return cancellation(price, to_cents(number(answer["cancellation_fee"]), price.currency))
        if answer.get("refund_amount") is not None:
            return cancellation(
                price, price.cents - to_cents(number(answer["refund_amount"]), price.currency)
            )
    return quote if status_of(answer) == CHARGED else cancellation(price, 0)


def cancellation(price: Price, penalty: int) -> Cancellation:
    """Penalty and refund are the whole price together, whatever the sums say."""
    penalty = max(0, min(penalty, price.cents))
    return Cancellation(penalty, price.cents - penalty, price.currency)


def _penalty(booking: Any, terms: str, at: datetime) -> int:
    price = net_of_booking(booking)
    policy = terms or policy_of(booking)
    return penalty_cents(policy, total_cents=price.cents, currency=price.currency, now=at)
