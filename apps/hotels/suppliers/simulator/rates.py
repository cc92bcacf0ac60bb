"""The rates of a hotel for a stay: rooms, boards and plans, each priced again from itself alone."""

import json
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from apps.bookings.trade_rules import Service
from apps.hotels.rules import stayed
from apps.hotels.suppliers.base import Board, Hotel, Rate, Room, StaySearch
from apps.hotels.suppliers.shown import RoomKind, rooms_text, taxes_text
from apps.hotels.suppliers.simulator import prices, properties
from apps.hotels.suppliers.simulator.policies import WHOLESALERS, Terms, Wholesaler, told
from apps.suppliers.errors import Expired
from apps.suppliers.simulation import draw

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


@lru_cache(maxsize=4096)
def _drawn(most: int, *words: str) -> int:
    """A number up to `most` that is a hotel's own: the same whatever the stay."""
    return draw(0, most, *words)


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
        return BOARDS[boards[_drawn(len(boards) - 1, "board", self.plan.code, self.hotel.hotel_id)]]

    @property
    def wholesaler(self) -> Wholesaler:
        return wholesaler_of(self.hotel)

    def total(self, market_percent: int) -> int:
        return prices.stay_total(
            self.hotel,
            rooms=self.rooms,
            check_in=self.check_in,
            check_out=self.check_out,
            share=prices.percent(self.plan.share, market_percent),
            meal_cents=MEALS[self.board.code] * self.hotel.stars,
            currency=self.currency,
        )

    def terms(self, total_cents: int) -> Terms:
        free_days = FREE_DAYS[_drawn(len(FREE_DAYS) - 1, "free days", self.hotel.hotel_id)]
        return Terms(
            self.plan.refundable,
            total_cents,
            self.currency,
            self.service.begins_at,
            self.check_in,
            self.nights,
            free_days,
        )

    @property
    def service(self) -> Service:
        return stayed(self.hotel, self.check_in, self.check_out)


def wholesaler_of(hotel: Hotel) -> Wholesaler:
    """Who sells the hotel. Neighbouring numbers go to different ones, so that a search meets them all."""
    return WHOLESALERS[int(hotel.hotel_id.rpartition("_")[2]) % len(WHOLESALERS)]


def rates_of(hotel: Hotel, request: StaySearch, market_percent: int) -> tuple[Rate, ...]:
    """The hotel's rates that the search allows, the cheapest first."""
    most = request.max_total_cents
    stay = request.check_in, request.check_out, request.rooms, request.currency
    if most is None:
        found = _all_rates(hotel.hotel_id, *stay, market_percent)
        return tuple(rate for rate in found if rate.refundable) if request.refundable_only else found
    quotes = (
        Quote(hotel, plan, *stay) for plan in PLANS.values() if plan.refundable or not request.refundable_only
    )
    priced = ((quote.total(market_percent), quote) for quote in quotes)
    return _sorted([_rate(quote, total) for total, quote in priced if total <= most])


@lru_cache(maxsize=1024)
def _all_rates(
    hotel_id: str,
    check_in: date,
    check_out: date,
    rooms: tuple[Room, ...],
    currency: str,
    market_percent: int,
) -> tuple[Rate, ...]:
    """Remembered, because a sandbox is asked for the same stays again and again. By the hotel's id: a hotel is slow to hash."""
    hotel = properties.find(hotel_id)
    assert hotel is not None
    quotes = [Quote(hotel, plan, check_in, check_out, rooms, currency) for plan in PLANS.values()]
    return _sorted([rate_of(quote, market_percent) for quote in quotes])


def _sorted(rates: list[Rate]) -> tuple[Rate, ...]:
    return tuple(sorted(rates, key=lambda rate: rate.total_cents))


def rate_of(quote: Quote, market_percent: int) -> Rate:
    """The rate at the market's price."""
    return _rate(quote, quote.total(market_percent))


def _rate(quote: Quote, total: int) -> Rate:
    terms = quote.terms(total)
    due = prices.charges_at_hotel(quote.hotel, quote.rooms, quote.nights)
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
        penalty_steps=told(quote.wholesaler.steps(terms)),
        rooms=_rooms(quote.hotel.hotel_id, quote.hotel.stars, quote.plan, quote.rooms),
        taxes=taxes_text(prices.taxes(quote.hotel, total, quote.currency, due)),
    )


def rate_now(quote: Quote, market_percent: int) -> Rate:
    """The same, as it was remembered with the hotel's other rates for the stay."""
    stay = quote.check_in, quote.check_out, quote.rooms, quote.currency
    found = _all_rates(quote.hotel.hotel_id, *stay, market_percent)
    return next(rate for rate in found if rate.supplier_data["plan"] == quote.plan.code)


def quote_of(rate: Rate) -> Quote:
    """What `rate` is for. Raises Expired when it is none of ours."""
    data = rate.supplier_data
    if properties.find(data.get("hotel", "")) is None or data.get("plan", "") not in PLANS:
        raise Expired("the rate is unknown")
    return _quote(
        data["hotel"], data["plan"], data["check_in"], data["check_out"], data["rooms"], rate.currency
    )


@lru_cache(maxsize=1024)
def _quote(hotel_id: str, plan: str, check_in: str, check_out: str, rooms: str, currency: str) -> Quote:
    """Remembered, because a booking reads what its rate is for three times."""
    hotel = properties.find(hotel_id)
    assert hotel is not None
    parties = tuple(Room(adults, tuple(ages)) for adults, *ages in json.loads(rooms))
    stay = date.fromisoformat(check_in), date.fromisoformat(check_out)
    return Quote(hotel, PLANS[plan], *stay, parties, currency)


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
    return f"Superior {kind}, {VIEWS[_drawn(len(VIEWS) - 1, 'view', hotel_id)]}"


@lru_cache(maxsize=4096)
def _rooms(hotel_id: str, stars: int, plan: Plan, rooms: tuple[Room, ...]) -> str:
    return rooms_text(_kind_of(hotel_id, stars, plan, room) for room in rooms)


def _kind_of(hotel_id: str, stars: int, plan: Plan, room: Room) -> RoomKind:
    """What the room is that this party gets: it has a bed for each of them, and grows with the stars."""
    party = room.adults + len(room.children_ages)
    pairs, single = divmod(party, 2)
    beds = [f"{pairs} double bed{'s' if pairs > 1 else ''}"] if pairs else []
    beds += ["1 single bed"] if single else []
    size = 9 + 2 * stars + 5 * party + (6 if plan.superior else 0) + _drawn(4, "size", hotel_id)
    return RoomKind(
        name=_named(hotel_id, plan, party, bool(room.children_ages)),
        beds=", ".join(beds),
        max_occupancy=party + plan.superior,
        size_m2=size,
    )
