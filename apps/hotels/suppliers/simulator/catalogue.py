"""The simulated hotels: so many a city, each with its name, stars, place and amenities, the same at each request."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import chain, product, zip_longest
from math import cos, pi, radians, sin

from apps.hotels.pictures import PATH, SUBJECTS
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import Area, Hotel, Image, StaySearch, text_of
from apps.hotels.suppliers.cities import KM_PER_DEGREE, City
from apps.suppliers.simulation import draw, shuffled

BRANDS = ("Northgate {}", "Meridian Court {}", "Stay & Co {}", "Hotel Central {}", "The Compass {}")
BRAND_EVERY = 4
ARRIVALS, DEPARTURES = ("13:00", "14:00", "15:00", "16:00"), ("10:00", "11:00", "12:00")
LOWEST_SCORE = {2: 62, 3: 70, 4: 76, 5: 82}  # in tenths
CHARACTERS = {
    2: ("A simple, friendly house", "A small hotel for short stays"),
    3: ("A comfortable hotel", "A family-run hotel"),
    4: ("A modern hotel with attentive service", "A stylish hotel with quiet rooms"),
    5: ("A grand hotel of the first rank", "A luxury hotel with large suites"),
}
SURROUNDINGS = (
    "shops and restaurants are around the corner",
    "the next stop of the bus is two minutes away",
    "the old town can be reached on foot",
    "a park lies across the street",
)
IN_WORDS = {
    "wifi": "Wi-Fi",
    "reception_24h": "a reception that is open around the clock",
    "spa": "a spa",
    "gym": "a gym",
    "indoor_pool": "an indoor pool",
    "restaurant": "a restaurant",
    "bar": "a bar",
}
HOTEL_ID = re.compile(r"htl_([0-9]{1,9})_([0-9]{2})")
SIZES = ((2_000_000, 20), (500_000, 14), (100_000, 9), (0, 5))  # inhabitants, hotels
STARS = (3, 4, 3, 5, 4, 2, 3, 4)
CENTRAL = 2  # hotels within a short walk of the centre in every city
WALK_METRES = (150, 700)
RIDE_METRES = (800, 6_000)
CITIES_OF_A_COUNTRY = 5
CITIES_AROUND = 25
ALWAYS = ("wifi", "reception_24h")
FROM_STARS = {
    stars: tuple(amenities.split())
    for stars, amenities in {
        2: "parking luggage_storage pets_allowed",
        3: "bar breakfast_buffet air_conditioning parking pets_allowed bicycle_rental",
        4: "restaurant bar gym air_conditioning room_service airport_shuttle meeting_rooms",
        5: "restaurant bar gym spa indoor_pool concierge room_service valet_parking butler",
    }.items()
}


@dataclass(frozen=True, slots=True)
class Family:
    """`forms` take a word; `streets` take a house number."""

    countries: str
    forms: tuple[str, ...]
    words: tuple[str, ...]
    streets: tuple[str, ...]


def _family(countries: str, *parts: str) -> Family:
    forms, words, streets = (tuple(part.split(" | ")) for part in parts)
    return Family(countries, forms, words, streets)


FAMILIES = (
    _family(
        "PT BR AO MZ CV ST GW",
        "Hotel {} | Pousada {} | Solar {} | Casa {}",
        "da Ribeira | do Miradouro | das Flores | do Carmo | da Alameda | dos Navegantes | da Graça",
        "Rua Augusta {} | Rua das Flores {} | Avenida da Liberdade {} | Largo do Carmo {} | Rua Direita {}",
    ),
    _family(
        "ES MX AR CL CO PE UY PY BO EC VE CR PA GT HN NI SV DO CU PR GQ",
        "Hotel {} | Hostal {} | Palacio {} | Posada {}",
        "del Mirador | de la Alameda | San Telmo | Los Arcos | de la Plaza | Santa Clara | del Puerto",
        "Calle Mayor {} | Calle San Juan {} | Avenida de la Constitución {} | Paseo del Prado {}",
    ),
    _family(
        "FR BE LU MC SN CI MA TN DZ CM GA HT RE MQ GP NC PF MG",
        "Hôtel {} | Résidence {} | Auberge {} | Maison {}",
        "du Marché | de l'Opéra | des Arts | du Vieux Port | Saint-Michel | de la Gare | des Tilleuls",
        "{} rue de la République | {} avenue Victor-Hugo | {} rue Saint-Jacques | {} place du Marché",
    ),
    _family(
        "IT SM VA",
        "Hotel {} | Albergo {} | Locanda {} | Palazzo {}",
        "del Teatro | dei Mercanti | della Torre | San Marco | delle Rose | al Ponte | Santa Croce",
        "Via Garibaldi {} | Via Roma {} | Corso Vittorio Emanuele {} | Piazza del Duomo {}",
    ),
    _family(
        "DE AT CH LI",
        "Hotel {} | Gasthof {} | Hotel Garni {} | Stadthotel {}",
        "am Markt | zur Linde | Goldener Hirsch | am Schlosspark | Drei Könige | Alte Post | am Ufer",
        "Hauptstraße {} | Bahnhofstraße {} | Lindenallee {} | Marktplatz {}",
    ),
    _family(
        "NL SE NO DK FI IS EE LV LT PL CZ SK HU SI HR",
        "Hotel {} | Grand Hotel {} | Parkhotel {} | Villa {}",
        "Amber | Norden | Viktoria | Tivoli | Polonia | Astoria | Kronan",
        "Kungsgatan {} | Dlouhá {} | Nowy Świat {} | Havnegade {} | Keizersgracht {}",
    ),
    _family(
        "AE SA QA KW BH OM JO LB EG IQ",
        "{} Palace Hotel | {} Suites | {} Plaza Hotel | {} Gardens",
        "Al Waha | Al Noor | Marjan | Al Qasr | Lulu | Al Bustan | Safa",
        "{} Corniche Road | {} King Faisal Street | {} Al Maktoum Road | {} Airport Road",
    ),
    _family(
        "JP KR CN TW HK MO SG TH VN MY ID PH KH",
        "{} Hotel | {} Inn | Grand {} | {} Garden Hotel",
        "Sakura | Lotus | Jade | Pagoda | Bamboo | Orchid | Moonlight",
        "{} Central Road | {} Garden Street | {} Riverside Road | {} Temple Street",
    ),
)
ENGLISH = _family(
    "",
    "The {} | The {} Hotel | {} House | {} Lodge",
    "Crown | Harbour | Kingsway | Old Mill | Royal Oak | Observatory | Regent",
    "{} High Street | {} Station Road | {} Market Street | {} Queen Street | {} Park Avenue",
)


def family_of(country: str) -> Family:
    return next((family for family in FAMILIES if country in family.countries.split()), ENGLISH)


def hotel_name(city: City, position: int) -> str:
    """The name of the city's hotel at `position`: no two of a city share one. Every fourth is a brand's."""
    if position % BRAND_EVERY == BRAND_EVERY - 1:
        return shuffled(BRANDS, "brands", city.id)[position // BRAND_EVERY].format(city.name)
    family = family_of(city.country)
    pairs = shuffled(list(product(family.forms, family.words)), "names", city.id)
    form, word = pairs[position]
    return form.format(word)


def chain_of(hotel_id: str) -> str:
    """The brand that it belongs to; empty for one of its own."""
    match = HOTEL_ID.fullmatch(hotel_id)
    city, position = match[1] if match else "", int(match[2]) if match else 0
    if position % BRAND_EVERY != BRAND_EVERY - 1:
        return ""
    return shuffled(BRANDS, "brands", city)[position // BRAND_EVERY].removesuffix(" {}")


def street(city: City, position: int) -> str:
    family = family_of(city.country)
    form = family.streets[draw(0, len(family.streets) - 1, "street", city.id, position)]
    return form.format(draw(1, 148, "number", city.id, position))


def description(hotel_id: str, name: str, city: str, stars: int, amenities: tuple[str, ...]) -> str:
    character = CHARACTERS[stars][draw(0, 1, "character", hotel_id)]
    around = SURROUNDINGS[draw(0, len(SURROUNDINGS) - 1, "surroundings", hotel_id)]
    offers = [IN_WORDS[amenity] for amenity in amenities if amenity in IN_WORDS][:4]
    listed = f"{', '.join(offers[:-1])} and {offers[-1]}"
    return f"{character} in {city}: {around}. {name} has {listed}. All rooms are non-smoking."


def images(hotel_id: str, name: str, stars: int) -> str:
    """As many as there are subjects, but for the pool of houses that have none."""
    shown = [subject for subject in SUBJECTS if subject != "pool" or stars == 5]
    return text_of(
        Image(f"/{PATH}{hotel_id}-{subject}.svg", SUBJECTS[subject].format(name)) for subject in shown
    )


def review_score(hotel_id: str, stars: int) -> Decimal:
    return Decimal(LOWEST_SCORE[stars] + draw(0, 14, "score", hotel_id)).scaleb(-1)


def hours(hotel_id: str) -> tuple[str, str]:
    """From when guests may arrive, and by when they must leave."""
    return (
        ARRIVALS[draw(0, len(ARRIVALS) - 1, "arrival", hotel_id)],
        DEPARTURES[draw(0, len(DEPARTURES) - 1, "departure", hotel_id)],
    )


def candidates(request: StaySearch) -> Iterator[Hotel]:
    """The hotels that are what and where the search says, the likeliest first; no cities, no hotels."""
    if request.hotel_ids is not None:
        named = (find(hotel_id) for hotel_id in dict.fromkeys(request.hotel_ids))
        found: Iterator[Hotel] = (hotel for hotel in named if hotel is not None)
    elif request.area is not None:
        found = _within(request.area)
    else:
        found = _of_cities(_cities(request.city, request.country))
    return (hotel for hotel in found if cities.is_where(hotel, request))


@lru_cache(maxsize=8192)
def find(hotel_id: str) -> Hotel | None:
    """The hotel of this id; None if unknown. Cached, because a booking asks for its hotel three times."""
    match = HOTEL_ID.fullmatch(hotel_id)
    city = cities.by_id(int(match[1])) if match else None
    if match is None or city is None or int(match[2]) >= count(city):
        return None
    return hotel_of(city, int(match[2]))


def count(city: City) -> int:
    """How many hotels the city has."""
    return next(hotels for inhabitants, hotels in SIZES if city.population >= inhabitants)


@lru_cache(maxsize=8192)
def hotel_of(city: City, position: int) -> Hotel:
    stars = STARS[(draw(0, 7, "stars", city.id) + position) % len(STARS)]
    latitude, longitude = _place(city, position)
    hotel_id, name, amenities = (
        f"htl_{city.id}_{position:02d}",
        hotel_name(city, position),
        _amenities(city, position, stars),
    )
    arrival, departure = hours(hotel_id)
    return Hotel(
        hotel_id=hotel_id,
        name=name,
        stars=stars,
        street=street(city, position),
        city=city.name,
        country=city.country,
        latitude=latitude,
        longitude=longitude,
        amenities=amenities,
        description=description(hotel_id, name, city.name, stars, amenities),
        images=images(hotel_id, name, stars),
        review_score=review_score(hotel_id, stars),
        check_in_from=arrival,
        check_out_until=departure,
    )


def _cities(name: str | None, country: str | None) -> list[City]:
    """The named city; where it is unknown here, the largest city of its country. So a sandbox finds hotels all the same."""
    if name is not None:
        city = cities.find(name, country)
        if city is not None:
            return [city]
        return cities.largest(country, 1) if country else []
    return cities.largest(country, CITIES_OF_A_COUNTRY) if country else cities.featured()


def _of_cities(places: list[City]) -> Iterator[Hotel]:
    """The hotels of several cities in turn, so that the first few are not all of one."""
    by_city = [_hotels_of(city.id) for city in places]
    return (hotel for hotel in chain(*zip_longest(*by_city)) if hotel is not None)


@lru_cache(maxsize=512)
def _hotels_of(city_id: int) -> tuple[Hotel, ...]:
    city = cities.by_id(city_id)
    assert city is not None
    return tuple(hotel_of(city, n) for n in range(count(city)))


def _within(area: Area) -> Iterator[Hotel]:
    """The hotels inside the circle, the nearest first; of the cities in the middle of a large one."""
    here = float(area.latitude), float(area.longitude)
    around = cities.near(*here, float(area.radius_km) + RIDE_METRES[1] / 1000)
    hotels = [hotel_of(city, n) for city in around[:CITIES_AROUND] for n in range(count(city))]
    distances = [(cities.km_between(area, hotel), hotel) for hotel in hotels]
    inside = [pair for pair in distances if pair[0] <= float(area.radius_km)]
    return (hotel for _, hotel in sorted(inside, key=lambda pair: (pair[0], pair[1].hotel_id)))


def _place(city: City, position: int) -> tuple[Decimal, Decimal]:
    """So many metres from the centre, in a direction of chance."""
    low, high = WALK_METRES if position < CENTRAL else RIDE_METRES
    kilometres = draw(low, high, "metres", city.id, position) / 1000
    direction = draw(0, 359, "direction", city.id, position) * pi / 180
    north = kilometres * cos(direction) / KM_PER_DEGREE
    east = kilometres * sin(direction) / (KM_PER_DEGREE * cos(radians(city.latitude)))
    return Decimal(f"{city.latitude + north:.5f}"), Decimal(f"{city.longitude + east:.5f}")


def _amenities(city: City, position: int, stars: int) -> tuple[str, ...]:
    """What every hotel has, and most of what one of its class has."""
    possible = FROM_STARS[stars]
    chosen = shuffled(possible, "amenities", city.id, position)[: len(possible) - 1 - position % 2]
    return (*ALWAYS, *(amenity for amenity in possible if amenity in chosen))
