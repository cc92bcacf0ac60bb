"""What a hotel has, under codes of ours: suppliers name the same thing in words of their own, which differ and change.

A name may mean several: "Valet parking" is `valet_parking` and `parking`. What no code stands for keeps its name alone.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

DENIED = re.compile(r"^(?:no|not|without)\b|\b(?:not (?:allowed|available|permitted)|unavailable)\b")
OTHER_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Facility:
    """`name` in English. `words`: a pattern of a supplier's name, in small letters with single spaces; `except_` what is
    something else. Each alternative of a pattern is the beginning of a word.
    """

    code: str
    name: str
    words: str
    except_: str = ""


# The narrower comes before the wider: the first that a name means is the code that it is shown under.
FACILITIES = {
    facility.code: facility
    for facility in (
        Facility("wifi", "Wi-Fi", r"wi ?fi|wireless|wlan|internet"),
        Facility("valet_parking", "Valet parking", r"valet"),
        Facility("ev_charging", "Electric car charging", r"(?:electric (?:vehicle|car)|ev) charg"),
        Facility("parking", "Parking", r"(?:\w+ )?parking|car park|garage", r"bicycle|bike"),
        Facility("indoor_pool", "Indoor pool", r"(?:indoor|heated indoor) (?:swimming )?pool|pool indoor"),
        Facility(
            "outdoor_pool",
            "Outdoor pool",
            r"(?:outdoor|rooftop) (?:swimming )?pool|(?:swimming )?pool outdoor|pool with view",
        ),
        Facility(
            "pool",
            "Swimming pool",
            r"(?:swimming )?pools?\b",
            r"pool table|billiard|pool (?:towel|bar|cue)|car ?pool",
        ),
        Facility("hot_tub", "Hot tub", r"hot tub|jacuzzi|whirlpool"),
        Facility("sauna", "Sauna", r"sauna|steam (?:room|bath)|hammam|turkish bath"),
        Facility("spa", "Spa", r"spa\b|wellness"),
        Facility("massage", "Massage", r"massage"),
        Facility("gym", "Gym", r"gym\b|gymnasium|fitness"),
        Facility("restaurant", "Restaurant", r"restaurant"),
        Facility(
            "bar",
            "Bar",
            r"(?:bar|lounge bar|pub)s?\b",
            r"snack bar|mini bar|bar (?:of|fridge)|grab bar|(?:juice|coffee) bar",
        ),
        Facility("breakfast", "Breakfast", r"breakfast"),
        Facility("room_service", "Room service", r"room service"),
        Facility("air_conditioning", "Air conditioning", r"air ?con|airco\b|air cooled"),
        Facility("heating", "Heating", r"heating"),
        Facility(
            "pets_allowed",
            "Pets allowed",
            r"pets? (?:allowed|friendly|welcome|are allowed)|pets\b|dogs? (?:allowed|friendly|welcome)",
            r"pets? (?:bowls|basket)|service (?:animals|dogs)",
        ),
        Facility(
            "airport_shuttle", "Airport shuttle", r"airport (?:shuttle|transfer|transportation|pick ?up|drop)"
        ),
        Facility("shuttle", "Shuttle service", r"shuttle", r"airport"),
        Facility(
            "reception_24h",
            "24-hour reception",
            r"(?:reception|front desk) (?:is )?(?:open )?24 ?h|24 ?(?:h|hours?|hr) (?:front desk|reception)",
        ),
        Facility(
            "wheelchair_accessible",
            "Wheelchair accessible",
            r"wheelchair|(?:facilities|rooms?) for (?:the )?disabled|accessib|disabled (?:access|guests|facilities)",
        ),
        Facility("family_rooms", "Family rooms", r"family (?:\w+ )?rooms?"),
        Facility(
            "non_smoking_rooms",
            "Non-smoking rooms",
            r"non ?smoking|smoke ?free|no smoking",
        ),
        Facility("lift", "Lift", r"lift\b|elevator"),
        Facility("luggage_storage", "Luggage storage", r"(?:luggage|baggage) (?:storage|room)"),
        Facility("safe", "Safe", r"safety? (?:deposit|box)|safe\b|safes\b"),
        Facility("laundry", "Laundry", r"laundry|washing machine|dry clean|launderette"),
        Facility("bicycle_rental", "Bicycle rental", r"(?:bicycle|bike) (?:rental|hire)|rent a bike"),
        Facility("car_rental", "Car rental", r"car (?:rental|hire)|rent a car"),
        Facility("meeting_rooms", "Meeting rooms", r"meeting|conference|banquet|event (?:space|facilit)"),
        Facility("business_center", "Business centre", r"business cent"),
        Facility("concierge", "Concierge", r"concierge"),
        Facility("butler", "Butler", r"butler"),
        Facility(
            "tour_desk",
            "Tour desk",
            r"tour (?:desk|assistance)|tours? (?:and|ticket)|ticket (?:service|assistance)",
        ),
        Facility("babysitting", "Babysitting", r"baby ?sitting|child ?(?:care|minding)"),
        Facility("kids_club", "Children's club", r"(?:kids|children|kid|child) (?:s )?club"),
        Facility("playground", "Playground", r"(?:\w+ s )?playground|children s play"),
        Facility("kitchen", "Kitchen", r"kitchen|kitchenette"),
        Facility("barbecue", "Barbecue", r"bbq|barbecue|grill\b"),
        Facility("garden", "Garden", r"gardens?\b"),
        Facility("terrace", "Terrace", r"terrace|sun deck|patio"),
        Facility("beach", "Beach", r"(?:private )?beach"),
        Facility("tennis", "Tennis", r"tennis", r"table tennis"),
        Facility("golf", "Golf", r"golf", r"mini ?golf"),
        Facility("ski_storage", "Ski storage", r"ski storage|ski (?:locker|room)"),
    )
}


WORDS = {code: re.compile(rf"\b(?:{facility.words})") for code, facility in FACILITIES.items()}
EXCEPTIONS = {
    code: re.compile(rf"\b(?:{facility.except_})")
    for code, facility in FACILITIES.items()
    if facility.except_
}


def codes_of(names: Iterable[str]) -> tuple[str, ...]:
    """The codes of what a supplier's names mean, each once, in the order of the names. Both words and codes are understood."""
    return tuple(dict.fromkeys(code for name in names for code in _codes(name)))


def code_of(name: str) -> str | None:
    """The narrowest code that a supplier's name means; None where none of ours does."""
    return next(iter(_codes(name)), None)


@lru_cache(maxsize=4096)
def _codes(name: str) -> tuple[str, ...]:
    """Remembered: suppliers have a few hundred names for what hundreds of thousands of hotels have."""
    words = OTHER_SIGNS.sub(" ", name.casefold()).strip()
    found = [
        code
        for code, pattern in WORDS.items()
        if pattern.search(words) and not is_something_else(code, words)
    ]
    if found and DENIED.search(words):
        return ("non_smoking_rooms",) if "non_smoking_rooms" in found else ()
    return tuple(found)


def is_something_else(code: str, words: str) -> bool:
    exception = EXCEPTIONS.get(code)
    return exception is not None and exception.search(words) is not None
