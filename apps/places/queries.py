"""What a query may mean, and the statement that finds candidates for it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from gettext import translation
from math import floor

import pycountry

from apps.common.environments import Environment
from apps.common.validators import COUNTRIES
from apps.places.models import PlaceType
from apps.places.names import (
    FEWEST_LETTERS_OF_A_TYPO,
    STOP_WORDS,
    TYPO_LETTERS,
    cell_key,
    core,
    country_key,
    deletions,
    fold,
    squash,
)

MOST_WORDS = 6
WIDEST_BEGINNING = 5
CANDIDATES = 200
EXACT = 50
LOOKED_AT = 500
"""Of the hotels with the same name or words: a query that more have in common names none of them."""
LANGUAGES = (
    "ar",
    "de",
    "el",
    "es",
    "fr",
    "he",
    "hi",
    "it",
    "ja",
    "ko",
    "nl",
    "pl",
    "pt",
    "ru",
    "th",
    "tr",
    "uk",
    "zh_CN",
)
ALSO_CALLED = {
    "uk": "GB",
    "england": "GB",
    "scotland": "GB",
    "wales": "GB",
    "usa": "US",
    "america": "US",
    "uae": "AE",
}

COLUMNS = "id, type, name, code, country_code, latitude, longitude, time_zone, rank, names"


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a query may mean: `words`, in a country if one is named with them."""

    words: tuple[str, ...]
    country: str | None = None

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def whole(self) -> str:
        return squash(self.words)


@dataclass(frozen=True, slots=True)
class Sought:
    """What a caller looks for. `near` is latitude and longitude."""

    query: str
    types: tuple[str, ...]
    environment: str
    limit: int
    country: str | None = None
    near: tuple[float, float] | None = None


@dataclass(slots=True)
class Statement:
    """A UNION of searches, each with its own limit, and their parameters."""

    arms: list[str] = field(default_factory=list)
    parameters: dict[str, object] = field(default_factory=dict)

    def bind(self, value: object) -> str:
        """`value` as a parameter; the same one again if it is already bound."""
        for name, bound in self.parameters.items():
            if bound == value and type(bound) is type(value):
                return f"%({name})s"
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return f"%({name})s"

    def __str__(self) -> str:
        return "\nUNION ALL\n".join(self.arms)


def readings(query: str) -> list[Reading]:
    """All words, those that say something, and those beside the name of a country, whichever differ."""
    words = fold(query).split()
    found = [Reading(tuple(words)), Reading(tuple(core(words)))]
    for rest, country in _beside_a_country(words):
        found += [Reading(tuple(rest), country), Reading(tuple(core(rest)), country)]
    return list(dict.fromkeys(found))


def _beside_a_country(words: list[str]) -> Iterator[tuple[list[str], str]]:
    """ "Paris, France" and "France Paris". Two letters are a country behind a name only: `de` and `la` begin many."""
    for count in range(min(4, len(words) - 1), 0, -1):
        behind, before = " ".join(words[-count:]), " ".join(words[:count])
        for name, rest in ((behind, words[:-count]), (before, words[count:])):
            code = _countries().get(name)
            if code is None and name is behind and len(name) == 2 and name.upper() in COUNTRIES:
                code = name.upper()
            if code and not STOP_WORDS.issuperset(rest):
                yield rest, code


@cache
def _countries() -> dict[str, str]:
    """Countries by their folded names in some languages."""
    translate = [translation("iso3166-1", pycountry.LOCALES_DIR, [language]) for language in LANGUAGES]
    found: dict[str, str] = {}
    for country in pycountry.countries:
        names = {country.name, getattr(country, "common_name", country.name)}
        for name in (*names, *(each.gettext(name) for name in names for each in translate)):
            found.setdefault(fold(name.partition(",")[0]), country.alpha_2)
    return {**found, **ALSO_CALLED}


def statement_for(sought: Sought) -> Statement:
    """The best known places for each reading, those of that very name apart, so that no others crowd them out."""
    statement = Statement()
    meant = readings(sought.query)
    shared = [type for type in sought.types if type != PlaceType.HOTEL]
    if shared:
        kinds = f"type = ANY({statement.bind(shared)})"
        where = _all(kinds, _of_country(sought, statement))
        best = _best_first(sought, statement)
        for exact, condition, limit in (
            ("true", _exact(meant, statement), EXACT),
            ("false", _alike(meant, statement), CANDIDATES),
        ):
            statement.arms.append(
                f"(SELECT {COLUMNS}, {exact} FROM places_place WHERE {where} AND ({condition})"  # noqa: S608 - values are bound
                f" ORDER BY {best} LIMIT {limit})"
            )
    if PlaceType.HOTEL in sought.types:
        _add_hotels(sought, meant, statement)
    return statement


def _add_hotels(sought: Sought, meant: list[Reading], statement: Statement) -> None:
    """Their keys alone say that they are hotels of the environment."""
    letter = sought.environment[0]
    where = (
        f"keys && {statement.bind([country_key(sought.environment, sought.country)])}"
        if sought.country
        else ""
    )
    areas = [where]
    if sought.near:
        cells = [cell_key(sought.environment, cell) for cell in cells_around(*sought.near)]
        areas.insert(0, _all(where, f"keys && {statement.bind(cells)}"))
    for area in areas:
        for exact, condition in (
            ("true", _exact(meant, statement, letter)),
            ("false", _alike(meant, statement, letter)),
        ):
            # Materialized: the planner counts with all rows, not with the first 500, for which it would read the whole table.
            statement.arms.append(
                f"(WITH hotels AS MATERIALIZED (SELECT {COLUMNS}, {exact} FROM places_place WHERE {_all(area, f'({condition})')})"  # noqa: S608
                f" SELECT * FROM (SELECT * FROM hotels LIMIT {LOOKED_AT}) AS looked_at"
                f" ORDER BY {_best_first(sought, statement)} LIMIT {EXACT})"
            )


def cells_around(latitude: float, longitude: float) -> list[str]:
    rows = range(max(-90, floor(latitude) - 1), min(89, floor(latitude) + 1) + 1)
    columns = ((floor(longitude) + step + 180) % 360 - 180 for step in (-1, 0, 1))
    return [f"{row}/{column}" for column in columns for row in rows]


def _exact(meant: Iterable[Reading], statement: Statement, letter: str = "") -> str:
    wholes = sorted({f"{letter}={reading.whole}" for reading in meant})
    return f"keys && {statement.bind(wholes)}"


def _alike(meant: Iterable[Reading], statement: Statement, letter: str = "") -> str:
    conditions = []
    for reading in meant:
        of_reading = [f"keys && {statement.bind(_like_whole(reading, letter))}"]
        telling = [word for word in reading.words if word not in STOP_WORDS][:MOST_WORDS]
        if len(telling) > 1:
            each = [f"keys && {statement.bind(_like_word(word, letter))}" for word in telling]
            of_reading.append(f"({' AND '.join(each)})")
        country = ""
        if reading.country and letter:
            of_it = [f"{letter}@{reading.country.lower()}"]
            country = f"keys @> {statement.bind(of_it)}"
        elif reading.country:
            country = f"country_code = {statement.bind(reading.country)}"
        conditions.append(_all(country, f"({' OR '.join(of_reading)})"))
    return " OR ".join(f"({condition})" for condition in dict.fromkeys(conditions))


def _like_whole(reading: Reading, letter: str) -> list[str]:
    whole = reading.whole
    keys = {f"{letter}={whole}"}
    if len(whole) <= WIDEST_BEGINNING:
        keys.add(f"{letter}<{whole}")
    return sorted(keys | _with_a_typo(whole, f"{letter}~"))


def _like_word(word: str, letter: str) -> list[str]:
    keys = _with_a_typo(word, f"{letter}~") | _with_a_typo(word, f"{letter}:")
    if len(word) <= WIDEST_BEGINNING:
        keys.add(f"{letter}<{word}")
    return sorted(keys)


def _with_a_typo(term: str, sign: str) -> set[str]:
    if len(term) < FEWEST_LETTERS_OF_A_TYPO:
        return {sign + term}
    return {sign + part for part in deletions(term[:TYPO_LETTERS])}


def _of_country(sought: Sought, statement: Statement) -> str:
    return f"country_code = {statement.bind(sought.country)}" if sought.country else ""


def _best_first(sought: Sought, statement: Statement) -> str:
    if sought.near is None:
        return "rank DESC"
    latitude, longitude = sought.near
    here = f"point({statement.bind(longitude)}, {statement.bind(latitude)})"
    return f"rank - 500 * least(point(longitude, latitude) <-> {here}, 10) DESC"


def _all(*conditions: str) -> str:
    return " AND ".join(filter(None, conditions))


def nearest_statement(sought: Sought) -> Statement:
    """The nearest places of each type, from its own index. Degrees are not kilometres, so more than are asked for."""
    assert sought.near is not None
    statement = Statement()
    latitude, longitude = sought.near
    for type in sought.types:
        where = [f"type = '{PlaceType(type).value}'", _of_country(sought, statement)]
        if type == PlaceType.HOTEL:
            where.append(f"environment = {statement.bind(str(Environment(sought.environment)))}")
        for east in _same_meridian(longitude):
            here = f"point({statement.bind(east)}, {statement.bind(latitude)})"
            statement.arms.append(
                f"(SELECT {COLUMNS}, false FROM places_place WHERE {_all(*where)}"  # noqa: S608
                f" ORDER BY point(longitude, latitude) <-> {here} LIMIT {CANDIDATES})"
            )
    return statement


def _same_meridian(longitude: float) -> Iterator[float]:
    """What lies beyond the 180th meridian is near, too."""
    yield longitude
    if abs(longitude) > 170:
        yield longitude - 360 if longitude > 0 else longitude + 360
