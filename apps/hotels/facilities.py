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
    something else.
    """

    code: str
    name: str
    words: re.Pattern[str]
    except_: re.Pattern[str] | None = None

    def is_in(self, words: str) -> bool:
        if not self.words.search(words):
            return False
        return self.except_ is None or not self.except_.search(words)


def _facility(code: str, name: str, words: str, except_: str = "") -> Facility:
    """Each alternative of a pattern is the beginning of a word."""
    return Facility(
        code,
        name,
        re.compile(rf"\b(?:{words})"),
        re.compile(rf"\b(?:{except_})") if except_ else None,
    )


# The narrower comes before the wider: the first that a name means is the code that it is shown under.
FACILITIES = {
    facility.code: facility
    for facility in (
        _facility("wifi", "Wi-Fi", r"wi ?fi|wireless|wlan|internet"),
        _facility("valet_parking", "Valet parking", r"valet"),
        _facility("ev_charging", "Electric car charging", r"(?:electric (?:vehicle|car)|ev) charg"),
        _facility("parking", "Parking", r"(?:\w+ )?parking|car park|garage", r"bicycle|bike"),
        _facility("indoor_pool", "Indoor pool", r"(?:indoor|heated indoor) (?:swimming )?pool|pool indoor"),
        _facility(
            "outdoor_pool",
            "Outdoor pool",
            r"(?:outdoor|rooftop) (?:swimming )?pool|(?:swimming )?pool outdoor|pool with view",
        ),
        _facility(
            "pool",
            "Swimming pool",
            r"(?:swimming )?pools?\b",
            r"pool table|billiard|pool (?:towel|bar|cue)|car ?pool",
        ),
        _facility("hot_tub", "Hot tub", r"hot tub|jacuzzi|whirlpool"),
        _facility("sauna", "Sauna", r"sauna|steam (?:room|bath)|hammam|turkish bath"),
        _facility("spa", "Spa", r"spa\b|wellness"),
        _facility("massage", "Massage", r"massage"),
        _facility("gym", "Gym", r"gym\b|gymnasium|fitness"),
        _facility("restaurant", "Restaurant", r"restaurant"),
        _facility(
            "bar",
            "Bar",
            r"(?:bar|lounge bar|pub)s?\b",
            r"snack bar|mini bar|bar (?:of|fridge)|grab bar|(?:juice|coffee) bar",
        ),
        _facility("breakfast", "Breakfast", r"breakfast"),
        _facility("room_service", "Room service", r"room service"),
        _facility("air_conditioning", "Air conditioning", r"air ?con|airco\b|air cooled"),
        _facility("heating", "Heating", r"heating"),
        _facility(
            "pets_allowed",
            "Pets allowed",
            r"pets? (?:allowed|friendly|welcome|are allowed)|pets\b|dogs? (?:allowed|friendly|welcome)",
            r"pets? (?:bowls|basket)|service (?:animals|dogs)",
        ),
        _facility(
            "airport_shuttle", "Airport shuttle", r"airport (?:shuttle|transfer|transportation|pick ?up|drop)"
        ),
        _facility("shuttle", "Shuttle service", r"shuttle", r"airport"),
        _facility(
            "reception_24h",
            "24-hour reception",
            r"(?:reception|front desk) (?:is )?(?:open )?24 ?h|24 ?(?:h|hours?|hr) (?:front desk|reception)",
        ),
        _facility(
            "wheelchair_accessible",
            "Wheelchair accessible",
            r"wheelchair|(?:facilities|rooms?) for (?:the )?disabled|accessib|disabled (?:access|guests|facilities)",
        ),
        _facility("family_rooms", "Family rooms", r"family (?:\w+ )?rooms?"),
        _facility(
            "non_smoking_rooms",
            "Non-smoking rooms",
            r"non ?smoking|smoke ?free|no smoking",
        ),
        _facility("lift", "Lift", r"lift\b|elevator"),
        _facility("luggage_storage", "Luggage storage", r"(?:luggage|baggage) (?:storage|room)"),
        _facility("safe", "Safe", r"safety? (?:deposit|box)|safe\b|safes\b"),
        _facility("laundry", "Laundry", r"laundry|washing machine|dry clean|launderette"),
        _facility("bicycle_rental", "Bicycle rental", r"(?:bicycle|bike) (?:rental|hire)|rent a bike"),
        _facility("car_rental", "Car rental", r"car (?:rental|hire)|rent a car"),
        _facility("meeting_rooms", "Meeting rooms", r"meeting|conference|banquet|event (?:space|facilit)"),
        _facility("business_center", "Business centre", r"business cent"),
        _facility("concierge", "Concierge", r"concierge"),
        _facility("butler", "Butler", r"butler"),
        _facility(
            "tour_desk",
            "Tour desk",
            r"tour (?:desk|assistance)|tours? (?:and|ticket)|ticket (?:service|assistance)",
        ),
        _facility("babysitting", "Babysitting", r"baby ?sitting|child ?(?:care|minding)"),
        _facility("kids_club", "Children's club", r"(?:kids|children|kid|child) (?:s )?club"),
        _facility("playground", "Playground", r"(?:\w+ s )?playground|children s play"),
        _facility("kitchen", "Kitchen", r"kitchen|kitchenette"),
        _facility("barbecue", "Barbecue", r"bbq|barbecue|grill\b"),
        _facility("garden", "Garden", r"gardens?\b"),
        _facility("terrace", "Terrace", r"terrace|sun deck|patio"),
        _facility("beach", "Beach", r"(?:private )?beach"),
        _facility("tennis", "Tennis", r"tennis", r"table tennis"),
        _facility("golf", "Golf", r"golf", r"mini ?golf"),
        _facility("ski_storage", "Ski storage", r"ski storage|ski (?:locker|room)"),
    )
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
    found = [code for code, facility in FACILITIES.items() if facility.is_in(words)]
    if found and DENIED.search(words):
        return ("non_smoking_rooms",) if "non_smoking_rooms" in found else ()
    return tuple(found)
