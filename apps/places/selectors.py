"""Reads of places, and which of the candidates a query means: how alike its name is, how well known it is, and how near it lies
if that was asked. A hotel is seen in its own environment alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp

from django.db.models import Q
from rapidfuzz import process
from rapidfuzz.distance import OSA

from apps.common.ids import is_well_formed
from apps.common.sql import all_rows
from apps.places.models import Place, PlaceType
from apps.places.names import OF_AIRPORTS, OF_HOTELS, fold
from apps.places.queries import Reading, Sought, nearest_statement, readings, statement_for
from apps.suppliers.airports import distance_km

CODE_LETTERS = 3
# What counts, on a scale where 1 is the very name.
OF_FAME = 0.06  # for each power of ten
OWN_NAME = 0.08
NAMED_OTHERWISE = 0.9  # an airport by its city's name in another language
BEGINS = 0.85
SINGLE_WORDS = 0.92
OF_A_TYPO = 1.5
"""The power that makes a typing mistake in a famous name less likely than a name without one."""
THE_TYPE_NAMED = 0.3
THE_COUNTRY_NAMED = 0.2
NEARBY = 0.5
NEARBY_KM = 150.0


@dataclass(frozen=True, slots=True)
class Candidate:
    id: str
    type: str
    name: str
    code: str | None
    country_code: str
    latitude: float
    longitude: float
    time_zone: str
    rank: int
    names: str
    exact: bool


def find_places(sought: Sought) -> list[Candidate]:
    """The places that are meant, the likeliest first; without a query the nearest. One statement."""
    statement = statement_for(sought) if sought.query else nearest_statement(sought)
    found = [Candidate(*row) for row in all_rows(str(statement), statement.parameters)]
    return best(found, sought) if sought.query else by_distance(found, sought)


def place_of(environment: str, place_id: str) -> Place | None:
    if not is_well_formed(place_id):
        return None
    seen = Q(environment=None) | Q(environment=environment)
    return Place.objects.filter(seen, pk=place_id).defer("keys", "names").first()


def by_distance(found: Iterable[Candidate], sought: Sought) -> list[Candidate]:
    near = _point(sought)
    assert near is not None
    once = {candidate.id: candidate for candidate in found}
    return sorted(once.values(), key=lambda each: (distance_km(near, each), -each.rank, each.id))[
        : sought.limit
    ]


def best(found: Iterable[Candidate], sought: Sought) -> list[Candidate]:
    meant = readings(sought.query)
    once: dict[str, Candidate] = {}
    for candidate in found:
        if candidate.exact or candidate.id not in once:
            once[candidate.id] = candidate
    words = frozenset(fold(sought.query).split())
    near = _point(sought)

    def order(candidate: Candidate) -> tuple[object, ...]:
        likeness = max(alike(candidate, reading) for reading in meant)
        points = likeness + OF_FAME * candidate.rank / 1000 * min(1.0, likeness) ** 2
        if _names_type(words, candidate):
            points += THE_TYPE_NAMED
        if near is not None:
            points += NEARBY * exp(-distance_km(near, candidate) / NEARBY_KM)
        return (-_is_code(sought.query, candidate), -points, -candidate.rank, candidate.id)

    return sorted(once.values(), key=order)[: sought.limit]


def alike(candidate: Candidate, reading: Reading) -> float:
    """From 0 to a little above 1."""
    if reading.country not in (None, candidate.country_code):
        return 0.0
    text = reading.text
    own, *others = candidate.names.split("\n")
    named = THE_COUNTRY_NAMED if reading.country else 0.0
    if text == own:
        return 1.0 + OWN_NAME + named
    if text in others:
        return 1.0 + named
    if candidate.exact:
        return NAMED_OTHERWISE + named
    if own.startswith(text):
        return BEGINS + 0.1 * len(text) / len(own) + named
    return _resemblance(text, [own, *others]) + named


def _resemblance(text: str, names: list[str]) -> float:
    typed = _likest(text, names)
    begun = _likest(text, [name[: len(text)] for name in names])
    known = " ".join(names[:2]).split()
    words = text.split()
    by_words = sum(_likest(word, known) for word in words) / len(words)
    return max(_without_typos(typed), BEGINS * _without_typos(begun), SINGLE_WORDS * _without_typos(by_words))


def _without_typos(likeness: float) -> float:
    return float(likeness**OF_A_TYPO)


def _likest(text: str, names: list[str]) -> float:
    found = process.extractOne(text, names, scorer=OSA.normalized_similarity)
    return float(found[1]) if found else 0.0


def _is_code(query: str, candidate: Candidate) -> int:
    """2 for the airport with the code that was typed, 1 for the city."""
    typed = query.strip()
    if len(typed) != CODE_LETTERS or candidate.code != typed.upper():
        return 0
    return 2 if candidate.type == PlaceType.AIRPORT else 1


def _names_type(words: frozenset[str], candidate: Candidate) -> bool:
    named = {PlaceType.AIRPORT: OF_AIRPORTS, PlaceType.HOTEL: OF_HOTELS}.get(PlaceType(candidate.type))
    return bool(named and words & named)


@dataclass(frozen=True, slots=True)
class _Here:
    latitude: float
    longitude: float


def _point(sought: Sought) -> _Here | None:
    return _Here(*sought.near) if sought.near else None
