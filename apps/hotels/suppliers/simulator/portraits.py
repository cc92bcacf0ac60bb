"""What travellers see of a simulated hotel: a few sentences, pictures, a score and the hours, the same whenever one looks."""

from decimal import Decimal

from apps.hotels.suppliers.drawings import PATH, SUBJECTS
from apps.hotels.suppliers.shown import Image, images_text
from apps.suppliers.simulation import draw

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


def description(hotel_id: str, name: str, city: str, stars: int, amenities: tuple[str, ...]) -> str:
    character = CHARACTERS[stars][draw(0, 1, "character", hotel_id)]
    around = SURROUNDINGS[draw(0, len(SURROUNDINGS) - 1, "surroundings", hotel_id)]
    offers = [IN_WORDS[amenity] for amenity in amenities if amenity in IN_WORDS][:4]
    listed = f"{', '.join(offers[:-1])} and {offers[-1]}"
    return f"{character} in {city}: {around}. {name} has {listed}. All rooms are non-smoking."


def images(hotel_id: str, name: str, stars: int) -> str:
    """As many as there are subjects, but for the pool of houses that have none."""
    shown = [subject for subject in SUBJECTS if subject != "pool" or stars == 5]
    return images_text(
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
