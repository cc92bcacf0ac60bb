"""The rates of a hotel for a stay: rooms, boards and plans, each priced again from itself alone, in minor units.

A price depends on what is requested and on nothing else, so the same request prices the same whenever it is made.
"""

import json
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from apps.bookings.trade_rules import Service
from apps.common.languages import ENGLISH
from apps.hotels.rules import stayed
from apps.hotels.suppliers.base import (
    NOTHING,
    Board,
    Hotel,
    LocalCharge,
    Perk,
    Promotion,
    Rate,
    Remark,
    Room,
    RoomKind,
    StaySearch,
    Tax,
    taxes_text,
    text_of,
)
from apps.hotels.suppliers.simulator import catalogue
from apps.hotels.suppliers.simulator.orders import WHOLESALERS, Terms, Wholesaler
from apps.hotels.suppliers.simulator.texts import TEXTS, Texts
from apps.suppliers.errors import Expired
from apps.suppliers.simulation import draw, from_euro_cents, percent

EURO_CENTS = {2: 6_200, 3: 9_400, 4: 14_600, 5: 26_800}  # two adults, one night, without meals
LEVELS = {  # of prices, in percent
    level: countries.split()
    for level, countries in {
        145: "CH NO IS LI MC BM KY",
        125: "US GB DK IE SG AU LU BS",
        110: "FR SE FI NL CA JP AE IL NZ HK QA BE AT",
        100: "DE IT ES KR KW SA CY MT",
        85: "PT GR SI HR CZ EE TW CL UY PL HU",
        60: "TR BG RO RS MX BR AR CO TH MY CN ZA MA EG TN AL MK GE PE CR",
    }.items()
}
ELSEWHERE = 50
WEEKDAYS = (96, 94, 95, 98, 112, 116, 99)  # Monday to Sunday
MONTHS = (82, 84, 92, 103, 108, 114, 121, 120, 109, 99, 86, 101)
ALONE = 88
THIRD_ADULT = 28  # and each further one
CHILD = {3: 0, 12: 15, 18: 25}  # below this age, percent of the room
_CITY_TAXES = """
    PT 400 EUR  ES 300 EUR  FR 520 EUR  IT 600 EUR  DE 500 EUR  NL 1250 EUR  BE 400 EUR  AT 320 EUR  GR 350 EUR
    CH 420 CHF  CZ 5000 CZK  HU 80000 HUF  AE 1500 AED  JP 200 JPY  US 390 USD  MX 3500 MXN
"""
CITY_TAXES = {
    country: (int(cents), currency)
    for country, cents, currency in zip(*[iter(_CITY_TAXES.split())] * 3, strict=True)
}
"""In minor units for each adult and night."""
VAT = {  # percent that a hotel's price includes
    country: share
    for share, countries in {
        4: "LU CH",
        6: "PT RO",
        7: "DE TH BG",
        10: "FR ES IT AT NL JP TR SI",
        12: "SE BE",
        13: "HR GR IE FI",
        20: "GB",
        25: "DK",
    }.items()
    for country in countries.split()
}
BOARDS = {
    board.code: board
    for board in (
        Board("RO", "Room only"),
        Board("BB", "Bed and breakfast"),
        Board("HB", "Half board"),
        Board("FB", "Full board"),
        Board("AI", "All inclusive"),
    )
}
MEALS = {"RO": 0, "BB": 300, "HB": 900, "FB": 1_300, "AI": 2_100}  # euro cents a guest, night and star
FREE_DAYS = (1, 2, 3, 5, 7, 14)
VIEWS = ("City View", "Courtyard View", "Garden View", "Park View")


def stay_total(
    hotel: Hotel,
    *,
    rooms: tuple[Room, ...],
    check_in: date,
    check_out: date,
    share: int,
    meal_cents: int,
    currency: str,
) -> int:
    """The whole stay in all rooms. `share`: the kind of room and rate in percent; `meal_cents`: euro cents a guest and night."""
    nights = _nights(hotel, check_in, check_out)
    euro_cents = 0
    for room, alike in Counter(rooms).items():
        meals = meal_cents * (room.adults + sum(age >= min(CHILD) for age in room.children_ages))
        beds = occupancy(room)
        # `percent` of `percent`, written out: of a large search this line is most of the work.
        sleeping = sum([((cents * beds + 50) // 100 * share + 50) // 100 for cents in nights])
        euro_cents += alike * (sleeping + meals * len(nights))
    return from_euro_cents(euro_cents, currency)


def occupancy(room: Room) -> int:
    """What the room costs of its price for two, in percent."""
    adults = ALONE if room.adults == 1 else 100 + THIRD_ADULT * (room.adults - 2)
    return adults + sum(_child(age) for age in room.children_ages)


def charges_at_hotel(hotel: Hotel, rooms: tuple[Room, ...], nights: int) -> tuple[LocalCharge, ...]:
    """The city tax, where there is one."""
    if hotel.country not in CITY_TAXES:
        return ()
    cents, currency = CITY_TAXES[hotel.country]
    amount = cents * nights * sum(room.adults for room in rooms)
    return (LocalCharge("City tax", amount, currency),)


def included_taxes(hotel: Hotel, total_cents: int, currency: str) -> list[Tax]:
    """The VAT inside the total, where there is one."""
    share = VAT.get(hotel.country)
    if share is None:
        return []
    inside = (2 * total_cents * share + 100 + share) // (2 * (100 + share))
    return [Tax(f"VAT {share}%", inside, currency, included=True)]


@lru_cache(maxsize=2048)
def _nights(hotel: Hotel, check_in: date, check_out: date) -> tuple[int, ...]:
    """Two adults' room in each night of a stay, in euro cents. A hotel's rates all follow from the same nights."""
    usual = _usual(hotel)
    return tuple(
        percent(percent(percent(usual, weekday), month), chance)
        for weekday, month, chance in _days(hotel.city, check_in, check_out)
    )


@lru_cache(maxsize=512)
def _days(city: str, check_in: date, check_out: date) -> tuple[tuple[int, int, int], ...]:
    """By weekday, by month and by chance: the percentages of each night in a city."""
    nights = [check_in + timedelta(days=n) for n in range((check_out - check_in).days)]
    return tuple(
        (WEEKDAYS[night.weekday()], MONTHS[night.month - 1], draw(96, 105, "night", city, night))
        for night in nights
    )


def _usual(hotel: Hotel) -> int:
    """Two adults' room before season and day, in euro cents."""
    cents = EURO_CENTS[hotel.stars]
    for share in (
        next((level for level, countries in LEVELS.items() if hotel.country in countries), ELSEWHERE),
        draw(88, 122, "city", hotel.city, hotel.country),
        draw(86, 118, "hotel", hotel.hotel_id),
    ):
        cents = percent(cents, share)
    return cents


def _child(age: int) -> int:
    return next(share for limit, share in CHILD.items() if age < limit)


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to sell a hotel. `share`: percent of the plain refundable room's price."""

    code: str
    share: int
    refundable: bool
    superior: bool
    boards: tuple[str, ...]


PLANS = {
    plan.code: plan
    for plan in (
        Plan("saver", 86, refundable=False, superior=False, boards=("RO", "BB")),
        Plan("flex", 100, refundable=True, superior=False, boards=("BB", "RO")),
        Plan("superior", 128, refundable=True, superior=True, boards=("BB", "HB", "BB", "HB", "FB", "AI")),
    )
}


@dataclass(frozen=True, slots=True)
class Quote:
    """What a rate is for: all that its price follows from."""

    hotel: Hotel
    plan: Plan
    check_in: date
    check_out: date
    rooms: tuple[Room, ...]
    currency: str

    @property
    def nights(self) -> int:
        return (self.check_out - self.check_in).days

    @property
    def board(self) -> Board:
        boards = self.plan.boards
        return BOARDS[boards[draw(0, len(boards) - 1, "board", self.plan.code, self.hotel.hotel_id)]]

    @property
    def wholesaler(self) -> Wholesaler:
        """Neighbouring numbers go to different ones, so that a search meets them all."""
        return WHOLESALERS[int(self.hotel.hotel_id.rpartition("_")[2]) % len(WHOLESALERS)]

    @property
    def service(self) -> Service:
        return stayed(self.hotel, self.check_in, self.check_out)

    def total(self, market_percent: int) -> int:
        return stay_total(
            self.hotel,
            rooms=self.rooms,
            check_in=self.check_in,
            check_out=self.check_out,
            share=percent(self.plan.share, market_percent),
            meal_cents=MEALS[self.board.code] * self.hotel.stars,
            currency=self.currency,
        )

    def terms(self, total_cents: int) -> Terms:
        return Terms(
            self.plan.refundable,
            total_cents,
            self.currency,
            self.service.begins_at,
            self.check_in,
            self.nights,
            free_days=FREE_DAYS[draw(0, len(FREE_DAYS) - 1, "free days", self.hotel.hotel_id)],
        )


def rates_of(hotel: Hotel, request: StaySearch, market_percent: int) -> tuple[Rate, ...]:
    """The hotel's rates that the search allows, the cheapest first."""
    most = request.max_total_cents
    stay = request.check_in, request.check_out, request.rooms, request.currency
    found = _all_rates(hotel.hotel_id, *stay, market_percent)
    if most is None and not request.refundable_only:
        return found
    return tuple(
        rate
        for rate in found
        if (most is None or rate.total_cents <= most) and (rate.refundable or not request.refundable_only)
    )


def least_total(hotel: Hotel, request: StaySearch, market_percent: int) -> int:
    """What the cheapest of the hotel's rates costs."""
    stay = request.check_in, request.check_out, request.rooms, request.currency
    return min(Quote(hotel, plan, *stay).total(market_percent) for plan in PLANS.values())


@lru_cache(maxsize=1024)
def _all_rates(
    hotel_id: str,
    check_in: date,
    check_out: date,
    rooms: tuple[Room, ...],
    currency: str,
    market_percent: int,
) -> tuple[Rate, ...]:
    """Cached, because a sandbox gets the same stays again and again. By the hotel's id: a hotel is slow to hash."""
    hotel = catalogue.find(hotel_id)
    assert hotel is not None
    quotes = [Quote(hotel, plan, check_in, check_out, rooms, currency) for plan in PLANS.values()]
    rates = [_rate(quote, quote.total(market_percent)) for quote in quotes]
    return tuple(sorted(rates, key=lambda rate: rate.total_cents))


def _rate(quote: Quote, total: int) -> Rate:
    terms = quote.terms(total)
    due = charges_at_hotel(quote.hotel, quote.rooms, quote.nights)
    return Rate(
        room_name=_room_name(quote),
        board=quote.board,
        refundable=quote.plan.refundable,
        total_cents=total,
        currency=quote.currency,
        cancellation_policy=quote.wholesaler.policy(terms),
        pay_at_hotel=due,
        expires_at=None,  # like a supplier that publishes no expiry: the service's own handle decides
        supplier_data={
            "hotel": quote.hotel.hotel_id,
            "plan": quote.plan.code,
            "check_in": quote.check_in.isoformat(),
            "check_out": quote.check_out.isoformat(),
            "rooms": json.dumps([[room.adults, *room.children_ages] for room in quote.rooms]),
        },
        penalty_steps=quote.wholesaler.steps(terms),
        rooms=text_of(_kind_of(quote, room) for room in quote.rooms),
        taxes=taxes_text(included_taxes(quote.hotel, total, quote.currency), due),
        remarks=_remarks(quote.hotel.hotel_id),
        promotions=_promotions(quote.hotel.hotel_id, quote.plan.code, quote.check_in.year),
        perks=_perks(quote.hotel.hotel_id, quote.plan.code),
    )


@lru_cache(maxsize=2048)
def _remarks(hotel_id: str) -> str:
    hotel = catalogue.find(hotel_id)
    assert hotel is not None
    return text_of(remarks_of(hotel, TEXTS[ENGLISH]))


def remarks_of(hotel: Hotel, texts: Texts) -> list[Remark]:
    """What its front desk will ask for, in a language: of two hotels in five something. The grand ones have a resort fee, which
    is in the price; deposits are in the currency of the city tax.
    """
    remarks = [Remark("resort_fee", texts.resort_fee)] if hotel.stars == 5 else []
    match draw(0, 4, "remarks", hotel.hotel_id):
        case 0:
            currency = CITY_TAXES.get(hotel.country, (0, "EUR"))[1]
            remarks.append(Remark("deposit", texts.deposit.format(amount=f"{50 * hotel.stars} {currency}")))
        case 1 if hotel.stars < 5:
            remarks.append(Remark("keys", texts.keys))
        case 1:
            remarks.append(Remark("information", texts.information))
    return remarks


@lru_cache(maxsize=2048)
def _promotions(hotel_id: str, plan: str, year: int) -> str:
    """Of one hotel in four the saver rate has a name. Its price is what it is without."""
    if plan != "saver" or draw(0, 3, "promotion", hotel_id):
        return NOTHING
    return text_of([Promotion("Early booking", f"{year}-01-01", f"{year}-12-31", 10)])


@lru_cache(maxsize=2048)
def _perks(hotel_id: str, plan: str) -> str:
    if plan != "superior" or draw(0, 2, "perks", hotel_id) == 0:
        return NOTHING
    return text_of([Perk("Welcome drink"), Perk("Late check-out if available")])


def rate_now(quote: Quote, market_percent: int) -> Rate:
    """The quote's rate at the market's price."""
    stay = quote.check_in, quote.check_out, quote.rooms, quote.currency
    found = _all_rates(quote.hotel.hotel_id, *stay, market_percent)
    return next(rate for rate in found if rate.supplier_data["plan"] == quote.plan.code)


def quote_of(rate: Rate) -> Quote:
    """What `rate` is for. Raises Expired when it is not one of ours."""
    data = rate.supplier_data
    hotel, plan = catalogue.find(data.get("hotel", "")), PLANS.get(data.get("plan", ""))
    if hotel is None or plan is None:
        raise Expired("the rate is unknown")
    rooms = tuple(Room(adults, tuple(ages)) for adults, *ages in json.loads(data["rooms"]))
    stay = date.fromisoformat(data["check_in"]), date.fromisoformat(data["check_out"])
    return Quote(hotel, plan, *stay, rooms, rate.currency)


def _room_name(quote: Quote) -> str:
    """By the largest party in one room."""
    most = max(room.adults + len(room.children_ages) for room in quote.rooms)
    families = any(room.children_ages for room in quote.rooms)
    return _named(quote.hotel.hotel_id, quote.plan, most, families)


def _named(hotel_id: str, plan: Plan, most: int, families: bool) -> str:
    """The better room looks out on something."""
    kind = "Family Room" if families or most > 3 else ("Single Room", "Double Room", "Triple Room")[most - 1]
    if not plan.superior:
        return f"Standard {kind}"
    return f"Superior {kind}, {VIEWS[draw(0, len(VIEWS) - 1, 'view', hotel_id)]}"


def _kind_of(quote: Quote, room: Room) -> RoomKind:
    """What the room is that this party gets: it has a bed for each of them, and grows with the stars."""
    hotel, superior = quote.hotel, quote.plan.superior
    party = room.adults + len(room.children_ages)
    pairs, single = divmod(party, 2)
    beds = [f"{pairs} double bed{'s' if pairs > 1 else ''}"] if pairs else []
    beds += ["1 single bed"] if single else []
    return RoomKind(
        name=_named(hotel.hotel_id, quote.plan, party, bool(room.children_ages)),
        beds=", ".join(beds),
        max_occupancy=party + superior,
        size_m2=9 + 2 * hotel.stars + 5 * party + 6 * superior + draw(0, 4, "size", hotel.hotel_id),
    )
