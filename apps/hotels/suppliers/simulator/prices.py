"""What a night costs: by stars, country, city, hotel, season and day, for those who sleep in the room; in minor units.

A price depends on what is asked for and on nothing else, so the same request prices the same whenever it is made.
"""

from collections import Counter
from datetime import date, timedelta
from functools import lru_cache

from apps.hotels.suppliers.base import Hotel, LocalCharge, Room
from apps.hotels.suppliers.shown import Tax
from apps.suppliers.simulation import draw, from_euro_cents

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
CITY_TAXES = {  # minor units for each adult and night
    country: (cents, currency)
    for currency, taxes in {
        "EUR": {
            "PT": 400,
            "ES": 300,
            "FR": 520,
            "IT": 600,
            "DE": 500,
            "NL": 1250,
            "BE": 400,
            "AT": 320,
            "GR": 350,
        },
        "CHF": {"CH": 420},
        "CZK": {"CZ": 5_000},
        "HUF": {"HU": 80_000},
        "AED": {"AE": 1_500},
        "JPY": {"JP": 200},
        "USD": {"US": 390},
        "MXN": {"MX": 3_500},
    }.items()
    for country, cents in taxes.items()
}


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


def percent(cents: int, share: int) -> int:
    """`share` percent of `cents`, rounded half up."""
    return (cents * share + 50) // 100


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


def taxes(hotel: Hotel, total_cents: int, currency: str, due: tuple[LocalCharge, ...]) -> list[Tax]:
    """The VAT inside the total, where there is one, and what is due at the hotel."""
    share = VAT.get(hotel.country)
    found = [Tax(charge.description, charge.amount_cents, charge.currency, included=False) for charge in due]
    if share is not None:
        inside = (2 * total_cents * share + 100 + share) // (2 * (100 + share))
        found.append(Tax(f"VAT {share}%", inside, currency, included=True))
    return found


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
