"""Whom Duffel takes: titles, genders, and names that an airline's host can print."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from apps.flights.suppliers.base import Passenger
from apps.flights.suppliers.duffel.travellers import gender_of, objections

ADA = Passenger("Ada", "Lovelace", date(1990, 12, 10), "adult", "ms")


def fields(*passengers: Passenger) -> list[str]:
    return [objection.field for objection in objections(passengers)]


@pytest.mark.parametrize(
    ("title", "gender", "taken"),
    [
        ("mr", None, "m"),
        ("ms", None, "f"),
        ("mrs", None, "f"),
        ("miss", None, "f"),
        ("dr", "f", "f"),
        ("mr", "f", "f"),
        ("dr", None, None),
    ],
)
def test_gender_is_as_given_or_as_the_title_tells(title: str, gender: str | None, taken: str | None) -> None:
    passenger = replace(ADA, title=title, gender=gender)
    assert gender_of(passenger) == taken
    assert fields(passenger) == ([] if taken else ["passengers.0.gender"])


def test_a_title_is_wanted_even_where_the_gender_is_known() -> None:
    assert fields(ADA, replace(ADA, title=None, gender="f")) == ["passengers.1.title"]


TAKEN = ["Ada", "O'Brien", "Jean-Luc", "Maria da Luz", "José", "Łukasz", "Ñúñez", "ſ", "A" * 20]
NOT_TAKEN = ["Дмитрий", "Ada2", "Ada.", "Æsir", "Œuvre", "×", "ð", "王", "O’Brien", "A" * 21, "Ada\u0301"]


@pytest.mark.parametrize("name", TAKEN)
def test_names_in_latin_letters_are_taken(name: str) -> None:
    assert fields(replace(ADA, first_name=name, last_name=name)) == []


@pytest.mark.parametrize("name", NOT_TAKEN)
def test_other_names_are_refused_in_the_partners_words(name: str) -> None:
    found: list[Any] = fields(replace(ADA, first_name=name, last_name=name))
    assert found == ["passengers.0.firstName", "passengers.0.lastName"]
