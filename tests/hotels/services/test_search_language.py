"""A search in another language: its texts, what it falls back to, and that nothing else differs."""

from typing import Any

import pytest

from apps.hotels.models import HotelFacts
from apps.hotels.suppliers.simulator.texts import LANGUAGES, TEXTS
from tests.hotels.front_desk import LISBON, FrontDesk
from tests.support.api import Api

TEXT = ("description", "amenities")


def apart_from_texts(hotels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{n: v for n, v in hotel.items() if n not in (*TEXT, "rates")} for hotel in hotels]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_texts_are_in_the_language_and_the_record_keeps_it(api: Api, desk: FrontDesk, language: str) -> None:
    english = desk.search().body
    search = desk.search({**LISBON, "language": language}, key="in-words")
    assert (english["language"], search.body["language"]) == ("en", language)
    assert apart_from_texts(search.body["hotels"]) == apart_from_texts(english["hotels"])
    for told, before in zip(search.body["hotels"], english["hotels"], strict=True):
        assert told["description"] != before["description"]
        assert set(told["amenities"]) <= set(TEXTS[language].facilities.values())
    again = desk.search({**LISBON, "language": language}, key="in-words")
    read = api.get(f"/v1/hotels/searches/{search.body['id']}")
    assert read.content == again.content == search.content


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("pt-BR", "pt"),
        ("DE", "de"),
        ("de_AT", "de"),
        ("en-GB", "en"),
        ("xx", "en"),
        ("zh", "en"),
        ("español", "en"),
    ],
)
def test_the_first_part_of_a_tag_counts_and_an_unknown_one_is_english(
    desk: FrontDesk, tag: str, language: str
) -> None:
    assert desk.search({**LISBON, "language": tag, "limit": 1}).body["language"] == language


def test_facilities_are_filtered_in_any_language(desk: FrontDesk) -> None:
    body = {**LISBON, "facilities": ["gym", "wifi"], "sort": "price"}
    english, french = desk.hotels(body), desk.hotels({**body, "language": "fr"})
    assert [hotel["hotelId"] for hotel in french] == [hotel["hotelId"] for hotel in english] != []


def test_a_booking_and_a_rate_keep_the_language_of_their_search(api: Api, desk: FrontDesk) -> None:
    hotel = desk.hotels({**LISBON, "language": "it", "limit": 1})[0]
    rate = hotel["rates"][0]
    booking = desk.booked(rate)
    for shown in (api.get(f"/v1/hotels/rates/{rate['rateId']}").body, booking):
        assert [shown["hotel"][name] for name in TEXT] == [hotel[name] for name in TEXT]


def test_a_search_in_english_asks_for_no_description(desk: FrontDesk, supplier_calls: list[str]) -> None:
    desk.search({**LISBON, "language": "xx"})
    assert "in_language" not in supplier_calls
    assert not HotelFacts.objects.exists()
