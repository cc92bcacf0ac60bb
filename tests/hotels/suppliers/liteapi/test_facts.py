"""What is learned of hotels behind the scenes: never in a search, some at a time, for some days."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.common import clock
from apps.hotels.models import HotelFacts
from apps.hotels.suppliers.liteapi import hotels as facts
from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels
from apps.hotels.suppliers.liteapi.client import NAME
from apps.hotels.tasks import learn_hotels
from apps.suppliers.errors import Unavailable
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.inventory import FACILITIES
from tests.hotels.suppliers.liteapi.stub import FACTS, LiteApiStub
from tests.hotels.suppliers.requests import a_search
from tests.support.supplier_stub import Trouble, refusal

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_pauses")]

LISBON = ["lpstub01", "lpstub02", "lpstub03"]


def amenities(hotels: LiteApiHotels) -> dict[str, list[str]]:
    return {
        offer.hotel.hotel_id: list(offer.hotel.amenities)
        for offer in hotels.search(a_search())
        if offer.hotel.amenities
    }


def test_a_search_asks_nothing_and_the_next_one_knows(desk: FrontDesk, stub: LiteApiStub) -> None:
    assert [hotel["amenities"] for hotel in desk.hotels()] == [[], [], []]
    assert stub.heard_by(*FACTS) == []
    assert learn_hotels() == 3
    assert [hotel["amenities"] for hotel in desk.hotels()] == [FACILITIES[hotel] for hotel in LISBON]
    assert learn_hotels() == 0
    assert len(stub.heard_by(*FACTS)) == 3


def test_some_are_learned_at_a_time_those_first_that_have_waited_longest(
    hotels: LiteApiHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "AT_ONCE", 2)
    hotels.search(a_search(limit=1))
    hotels.search(a_search())
    assert hotels.learn() == 2
    assert "lpstub01" in amenities(hotels)
    assert hotels.learn() == 1
    assert sorted(amenities(hotels)) == LISBON


def test_those_wanted_since_the_same_instant_are_asked_for_in_one_order(
    hotels: LiteApiHotels, stub: LiteApiStub
) -> None:
    since = clock.now()
    # Neither as they were written nor as they are named: in the order of their keys.
    for pk, hotel_id in ((3, "lpstub01"), (2, "lpstub03"), (1, "lpstub02")):
        HotelFacts.objects.create(pk=pk, supplier_name=NAME, hotel_id=hotel_id, wanted_at=since)
    hotels.learn()
    asked = [heard.query["hotelId"] for heard in stub.heard_by(*FACTS)]
    assert asked == ["lpstub02", "lpstub03", "lpstub01"]


def test_where_they_answer_slowly_the_others_wait_for_the_next_turn(
    hotels: LiteApiHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "PATIENCE_SECONDS", 0.0)
    hotels.search(a_search())
    assert [hotels.learn() for _ in range(4)] == [1, 1, 1, 0]


def test_after_a_week_they_are_asked_for_again_and_shown_meanwhile(
    hotels: LiteApiHotels, stub: LiteApiStub, move_clock: Callable[..., None]
) -> None:
    hotels.search(a_search())
    hotels.learn()
    move_clock(days=8)
    assert hotels.learn() == 0
    assert sorted(amenities(hotels)) == LISBON
    assert sorted(amenities(hotels)) == LISBON
    assert hotels.learn() == 3
    assert len(stub.heard_by(*FACTS)) == 6


@pytest.mark.parametrize("trouble", [refusal(404), refusal(400, {"error": {"code": 4002}})])
def test_a_hotel_that_they_do_not_describe_is_not_asked_for_again(
    hotels: LiteApiHotels, stub: LiteApiStub, trouble: Trouble
) -> None:
    hotels.search(a_search(limit=1))
    stub.trouble(*FACTS, trouble)
    assert (hotels.learn(), hotels.learn()) == (1, 0)


@pytest.mark.parametrize("trouble", [refusal(500), refusal(200, b"?"), refusal(200, {"data": 5})])
def test_without_an_answer_the_others_have_their_turn_first(
    hotels: LiteApiHotels, stub: LiteApiStub, trouble: Trouble
) -> None:
    hotels.search(a_search())
    stub.trouble(*FACTS, trouble)
    with pytest.raises(Unavailable):  # the periodic task counts as failed
        hotels.learn()
    assert hotels.learn() == 3
    asked = [heard.query["hotelId"] for heard in stub.heard_by(*FACTS)]
    assert (asked[0], asked[-1]) == ("lpstub01", "lpstub01")


def test_a_room_of_no_size_keeps_no_other_hotel_waiting(hotels: LiteApiHotels, stub: LiteApiStub) -> None:
    hotels.search(a_search())
    odd = {"rooms": [{"roomName": "Double", "roomSizeSquare": -1e30}]}
    stub.trouble(*FACTS, refusal(200, {"data": odd}))
    assert hotels.learn() == 3


def test_only_short_texts_are_kept_and_not_too_many(hotels: LiteApiHotels, stub: LiteApiStub) -> None:
    hotels.search(a_search(limit=1))
    told = ["x" * 500, 7, "", None, *["Pool"] * 500]
    stub.trouble(*FACTS, refusal(200, {"data": {"hotelFacilities": told}}))
    hotels.learn()
    assert HotelFacts.objects.get().amenities == ["x" * 100, *["Pool"] * 99]


def test_a_hotel_is_shown_as_they_describe_it_from_the_next_search_on(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    """Before that, with what the search itself tells."""
    before = desk.hotels()[0]
    main = "https://static.stub.example/lpstub01/main.jpg"
    assert before["images"] == [{"url": main, "caption": ""}]
    assert (before["description"], before["checkInFrom"], before["checkOutUntil"]) == (None, None, None)
    assert before["reviewScore"] == 8.7
    learn_hotels()
    after = desk.hotels()[0]
    assert after["description"] == "Hotel Miradouro lies in Lisbon & near the river. Quiet rooms."
    assert [image["caption"] for image in after["images"]] == ["From the street", "Room", "Bath"]
    assert (after["checkInFrom"], after["checkOutUntil"]) == ("14:00", "11:00")
    saver, flex = after["rates"]
    garden = {
        "name": "Double Room, Garden View",
        "beds": "1 Double bed or 2 Single bed",
        "maxOccupancy": 2,
        "sizeM2": 24,
    }
    assert flex["rooms"] == [garden]  # mapped by its id
    assert [(room["name"], room["sizeM2"]) for room in saver["rooms"]] == [("Double Room", 20)]  # by its name
    assert [(room["beds"], room["sizeM2"]) for room in before["rates"][1]["rooms"]] == [(None, None)]


def test_what_the_previous_release_learned_is_asked_for_again_and_shown_meanwhile(
    hotels: LiteApiHotels,
) -> None:
    HotelFacts.objects.create(
        supplier_name=NAME, hotel_id="lpstub01", amenities=["Pool"], learned_at=clock.now()
    )
    (offer,) = hotels.search(a_search(limit=1))
    assert offer.hotel.amenities == ("Pool",)
    assert hotels.learn() == 1
    (offer,) = hotels.search(a_search(limit=1))
    assert offer.hotel.description is not None


def test_a_search_knows_its_hotels_by_one_statement(
    hotels: LiteApiHotels, django_assert_num_queries: Callable[[int], Any]
) -> None:
    hotels.search(a_search())
    hotels.learn()
    with django_assert_num_queries(1):
        hotels.search(a_search())
