"""What of their answers partners see, held against answers: nothing in them is undocumented, and what is shown is really read."""

import json
from decimal import Decimal
from typing import Any

import pytest

from apps.hotels.suppliers.liteapi.content import FOUND_HOTEL, HOTEL, LISTED_HOTEL, RATES
from apps.hotels.suppliers.liteapi.mapping import offers
from apps.hotels.suppliers.liteapi.properties import described_as, listed_as
from apps.suppliers.content import Content, Fate
from tests.hotels.suppliers.liteapi.books import Books
from tests.hotels.suppliers.liteapi.inventory import INNS
from tests.hotels.suppliers.requests import a_search
from tests.suppliers.answers import is_read, paths_of, watched

SEARCH = {
    "hotelIds": ["lpstub01"],
    "occupancies": [{"adults": 2, "children": [7]}],
    "checkin": "2027-02-03",
    "checkout": "2027-02-04",
    "currency": "EUR",
    "guestNationality": "US",
}
SUBJECTS = [RATES, FOUND_HOTEL, LISTED_HOTEL, HOTEL]
INSTEAD = {  # read only where the field before it is missing
    "roomTypes[].rates[].retailRate.total[].amount",
    "roomTypes[].rates[].retailRate.total[].currency",
    "roomTypes[].rates[].retailRate.suggestedSellingPrice[].amount",
    "roomTypes[].rates[].retailRate.suggestedSellingPrice[].currency",
    "main_photo",
}


def received(value: Any) -> Any:
    """As it comes in: numbers with a fraction are decimals."""
    return json.loads(json.dumps(value), parse_float=Decimal)


def answers() -> dict[str, Any]:
    """One object of each kind, from the stand-in."""
    found = received(Books().rates({**SEARCH, "includeHotelData": True, "roomMapping": True}))
    described = received(Books().hotel(INNS[0].id))
    return {
        RATES.subject: found["data"][0],
        FOUND_HOTEL.subject: found["hotels"][0],
        HOTEL.subject: described["data"],
        LISTED_HOTEL.subject: received(Books().hotels({"countryCode": "PT"}))["data"][0],
    }


@pytest.mark.parametrize("content", SUBJECTS, ids=lambda content: content.subject)
def test_an_answer_has_no_field_that_is_not_documented(content: Content) -> None:
    assert content.undocumented(paths_of(answers()[content.subject])) == []


def test_what_is_shown_is_read() -> None:
    told = answers()
    seen: dict[str, set[str]] = {subject: set() for subject in told}
    under_watch = {subject: watched(value, seen[subject]) for subject, value in told.items()}
    answer = {"data": [under_watch[RATES.subject]], "hotels": [under_watch[FOUND_HOTEL.subject]]}
    assert len(list(offers(answer, a_search(city=None, country=None)))) == 1
    described_as(under_watch[HOTEL.subject], "en")
    listed_as(under_watch[LISTED_HOTEL.subject])
    for content in SUBJECTS:
        fates = content.fates()
        there = paths_of(told[content.subject])
        shown = {path for path in there if fates.get(path, ("",))[0] == Fate.SHOWN} - INSTEAD
        assert len(shown) >= 9
        assert [
            path for path in sorted(shown) if not is_read(path.removesuffix("[]"), seen[content.subject])
        ] == []
