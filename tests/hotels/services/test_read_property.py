"""A hotel's content: from what is stored, else asked for once; in the language asked for, else in English; never an error."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from apps.common import clock
from apps.common.languages import best_of
from apps.hotels.models import HotelFacts, Property
from apps.hotels.services.sync_properties import sync_properties
from apps.hotels.suppliers.simulator import properties as simulated
from apps.hotels.suppliers.simulator.texts import LANGUAGES
from apps.hotels.tasks import learn_hotels
from tests.hotels.front_desk import FrontDesk, rates
from tests.hotels.suppliers.liteapi.stub import CATALOGUE, FACTS, LiteApiStub, refused
from tests.support.api import Api, Reply
from tests.support.supplier_stub import refusal, serving

pytestmark = pytest.mark.django_db
Move = Callable[..., None]
FACTS_OF_ALL = [
    "hotelId",
    "name",
    "stars",
    "address",
    "location",
    "chain",
    "reviewScore",
    "reviewCount",
    "updatedAt",
]
KEYS = [
    *FACTS_OF_ALL,
    *("description", "images", "facilities", "rooms", "policies", "kind", "airport", "phone"),
    *("languages", "language"),
]


@pytest.fixture(autouse=True)
def nothing_remembered(db: None) -> None:
    cache.clear()


@pytest.fixture
def stub(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("apps.suppliers.http.BACKOFF_SECONDS", (0.0, 0.0))
    monkeypatch.setattr(simulated, "CITIES_LISTED", (0, 0))
    with serving(LiteApiStub()) as stub:
        settings.SUPPLIERS = {**settings.SUPPLIERS, "hotels": {"live": "liteapi"}}
        settings.SUPPLIER_CREDENTIALS = {**settings.SUPPLIER_CREDENTIALS, "liteapi": stub.credentials()}
        settings.HOTEL_CONTENT_COUNTRIES = ["PT", "ES"]
        yield stub


def read(api: Api, hotel_id: str, language: str = "") -> Reply:
    return api.get(f"/v1/hotels/properties/{hotel_id}" + (f"?language={language}" if language else ""))


def test_every_hotel_that_a_test_key_finds_has_content_in_each_language(desk: FrontDesk) -> None:
    found = desk.hotels({"destination": {"city": "Funchal"}})
    assert found
    assert not Property.objects.exists()
    for hotel in found:
        seen = set()
        for language in LANGUAGES:
            reply = read(desk.api, hotel["hotelId"], language)
            assert (reply.status, [*reply.body], reply.body["language"]) == (200, KEYS, language)
            assert (reply.body["name"], reply.body["location"]) == (hotel["name"], hotel["location"])
            assert reply.body["languages"] == [*LANGUAGES]
            asked = [remark["text"] for remark in hotel["rates"][0]["remarks"]]
            told = (reply.body["policies"]["importantInformation"] or "").splitlines()
            assert (told if language == "en" else len(told)) == (asked if language == "en" else len(asked))
            assert all(facility["code"] for facility in reply.body["facilities"])
            seen.add(reply.body["description"])
        assert len(seen) == len(LANGUAGES)


def test_the_rooms_of_a_test_hotel_are_those_that_it_sells(desk: FrontDesk) -> None:
    hotel = desk.hotels()[0]
    rooms = {room["name"]: room for room in read(desk.api, hotel["hotelId"]).body["rooms"]}
    sold = [rate["rooms"][0] for rate in rates([hotel])]
    assert sold
    for room in sold:
        described = rooms[room["name"]]
        assert (described["sizeM2"], described["beds"]) == (room["sizeM2"], room["beds"])
    picture = rooms[sold[0]["name"]]["images"][0]["url"]
    assert desk.api.client.get(picture.removeprefix("http://127.0.0.1:8000")).status_code == 200


def test_a_hotel_without_coordinates_has_content_and_is_not_sold(desk: FrontDesk) -> None:
    sync_properties()
    unmapped = Property.objects.filter(latitude=None).first()
    assert unmapped is not None
    reply = read(desk.api, unmapped.hotel_id)
    assert (reply.status, reply.body["location"]) == (200, None)
    assert desk.hotels({"hotelIds": [unmapped.hotel_id]}) == []


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("PT-br", "pt"),
        ("de_AT", "de"),
        ("xx", "en"),
        ("uk", "en"),
        ("zz-Hant-419-x-odd", "en"),
        ("<b>", "en"),
        ("%F0%9F%98%80", "en"),
    ],
)
def test_language_tags_count_by_their_first_part(desk: FrontDesk, tag: str, language: str) -> None:
    reply = read(desk.api, "htl_2267057_00", tag)
    assert (reply.status, reply.body["language"]) == (200, language)


def test_norwegian_has_two_names() -> None:
    assert [best_of(("en", "nb"), tag) for tag in ("no", "nn-NO", "nb", "")] == ["nb", "nb", "nb", "en"]


@pytest.mark.parametrize("tag", ["a%00b", "x" * 256])
def test_what_no_language_can_be_is_refused(desk: FrontDesk, tag: str) -> None:
    reply = read(desk.api, "htl_2267057_00", tag)
    assert (reply.status, reply.error["details"][0]["field"]) == (400, "language")


@pytest.mark.parametrize("hotel_id", ["htl_1_00", "htl_2267057_99", "lp1897", "%20", "a" * 65, "é", "x'--"])
def test_an_unknown_hotel_is_not_found(api: Api, hotel_id: str) -> None:
    assert (read(api, hotel_id).status, Property.objects.count()) == (404, 0)


def test_a_live_hotel_as_liteapi_describes_it(live: Api, stub: LiteApiStub) -> None:
    sync_properties()
    at = "https://static.stub.example"
    hotel = read(live, "lpstub01").body
    room = hotel["rooms"][0]
    del hotel["rooms"], hotel["updatedAt"], hotel["languages"]
    assert hotel == {
        "hotelId": "lpstub01",
        "name": "Hotel Miradouro",
        "stars": 4.5,
        "address": {"line": "Rua do Stub 7", "city": "Lisbon", "zip": "1000-001", "countryCode": "PT"},
        "location": {"latitude": 38.7251, "longitude": -9.1496},
        "chain": None,
        "reviewScore": 8.7,
        "reviewCount": 412,
        "description": "Hotel Miradouro lies in Lisbon & near the river.\nQuiet rooms.",
        "images": [
            {"url": f"{at}/lpstub01/{name}.jpg", "caption": caption}
            for name, caption in (("front", "From the street"), ("room", "Room"), ("bath", "Bath"))
        ],
        "facilities": [
            {"code": "wifi", "name": "WiFi available"},
            {"code": None, "name": "Stars to look at"},
        ],
        "policies": {
            "checkInFrom": "14:00",
            "checkInUntil": "00:00",
            "checkOutUntil": "11:00",
            "importantInformation": "Guests show an identity card on arrival.\nDeposit: EUR 100.",
            "items": [
                {"kind": "children", "name": "Children", "text": "Children of any age are allowed."},
                {"kind": "pets", "name": "Pets", "text": "Pets are allowed.\nCharges may apply."},
            ],
        },
        "kind": "Hotels",
        "airport": "LIS",
        "phone": "+351210000001",
        "language": "en",
    }
    assert room == {
        "name": "Superior Garden Double",
        "description": "A room.",
        "images": [
            {"url": f"{at}/rooms/101/bed.jpg", "caption": "Bed"},
            {"url": f"{at}/rooms/101/bath-hd.jpg", "caption": "Bath"},
        ],
        "beds": "1 Double bed (131-150 cm wide) or 2 Single bed (90-130 cm wide)",
        "sizeM2": 24,
        "maxOccupancy": 3,
        "amenities": ["Hairdryer"],
        "views": ["Garden view"],
    }


def test_a_language_is_asked_for_once_and_facilities_keep_their_codes(live: Api, stub: LiteApiStub) -> None:
    sync_properties()
    first = read(live, "lpstub01", "de")
    assert first.body["description"] == "Hotel Miradouro liegt in Lisbon am Fluss.\nRuhige Zimmer."
    assert first.body["facilities"][0] == {"code": None, "name": "WLAN verfügbar"}  # until English is known
    assert learn_hotels() == 1
    again = read(live, "lpstub01", "de-CH")
    assert again.body["facilities"][0] == {"code": "wifi", "name": "WLAN verfügbar"}
    assert [heard.query.get("language") for heard in stub.heard_by(*FACTS)] == ["de", None]


def test_a_hotel_that_no_list_had_yet_is_stored_when_it_is_read(live: Api, stub: LiteApiStub) -> None:
    """And one of a search needs no further call, once it was learned of."""
    assert read(live, "lpstub06").body["location"] is None
    assert Property.objects.get().name == "Quinta Sem Mapa"
    FrontDesk(live).hotels()
    learn_hotels()
    asked = len(stub.heard_by(*FACTS))
    assert (read(live, "lpstub01").status, len(stub.heard_by(*FACTS))) == (200, asked)


@pytest.mark.parametrize(
    "trouble", [refusal(500), refusal(200, b"?"), refusal(200, {"data": 5}), refused(401, 401)]
)
def test_without_an_answer_it_is_described_as_far_as_it_is_known(
    live: Api, stub: LiteApiStub, trouble: Any
) -> None:
    sync_properties()
    stub.trouble(*FACTS, trouble)
    listed_only = read(live, "lpstub01", "de").body
    assert (listed_only["language"], listed_only["description"]) == ("en", None)
    assert listed_only["images"] == [{"url": "https://static.stub.example/lpstub01/main.jpg", "caption": ""}]
    asked = len(stub.heard_by(*FACTS))
    assert read(live, "lpstub01", "de").body == listed_only  # not asked again for a minute
    assert len(stub.heard_by(*FACTS)) == asked
    assert read(live, "lpstub01", "en").body["description"].startswith("Hotel Miradouro lies")
    assert read(live, "lpstub01", "de").body["language"] == "en"


def test_what_nothing_is_known_of_is_unavailable_without_an_answer(live: Api, stub: LiteApiStub) -> None:
    stub.trouble(*FACTS, refusal(500, times=9))
    reply = read(live, "lpstub01")
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")


@pytest.mark.parametrize("trouble", [refusal(404), refused(4002, told="hotelId is missing or invalid")])
def test_a_hotel_that_the_supplier_does_not_know_is_asked_for_once(
    live: Api, stub: LiteApiStub, trouble: Any
) -> None:
    stub.trouble(*FACTS, trouble)
    assert [read(live, "lp0").status for _ in range(3)] == [404, 404, 404]
    assert len(stub.heard_by(*FACTS)) == 1


def test_a_listed_hotel_that_is_not_described_is_shown_as_it_is_listed(live: Api, stub: LiteApiStub) -> None:
    sync_properties()
    stub.trouble(*FACTS, refusal(404))
    for _ in range(2):
        assert read(live, "lpstub01").body["description"] is None
    assert len(stub.heard_by(*FACTS)) == 1


def test_a_hotel_that_was_taken_off_is_not_found_nor_asked_for(
    live: Api, stub: LiteApiStub, move_clock: Move
) -> None:
    sync_properties()
    move_clock(seconds=3_601)
    stub.books.touch("lpstub01", clock.now(), gone=True)
    sync_properties()
    assert (read(live, "lpstub01").status, stub.heard_by(*FACTS)) == (404, [])
    stub.books.touch("lpstub02", clock.now(), gone=True)  # which only its description says so far
    assert (read(live, "lpstub02").status, read(live, "lpstub02").status) == (404, 404)
    assert len(stub.heard_by(*FACTS)) == 1


def test_what_was_described_a_week_ago_is_shown_and_asked_for_behind_the_scenes(
    live: Api, stub: LiteApiStub, move_clock: Move
) -> None:
    read(live, "lpstub01", "de")
    learn_hotels()
    stub.books.redecorated["lpstub01"] = {"hotelDescription": "New."}
    move_clock(days=8)
    old = read(live, "lpstub01", "de").body
    assert old["description"] != "New."
    assert HotelFacts.objects.filter(wanted_at__isnull=False).count() == 2
    learn_hotels()
    new = read(live, "lpstub01", "de").body
    assert (new["description"], new["updatedAt"] > old["updatedAt"]) == ("New.", True)


def test_the_two_environments_have_hotels_of_their_own(live: Api, api: Api, stub: LiteApiStub) -> None:
    assert read(live, "lpstub01").status == 200
    assert (read(api, "lpstub01").status, read(live, "htl_2267057_00").status) == (404, 404)
    assert stub.heard_by(*CATALOGUE) == []
