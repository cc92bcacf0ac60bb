"""The list of hotels in the order of their changes, and a copy that follows it by `updatedSince`."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings import listing
from apps.common import clock
from apps.common.clock import rfc3339
from apps.hotels.models import Property
from apps.hotels.property_store import keep_listed
from apps.hotels.suppliers.properties import Listed
from apps.suppliers.values import replaced
from tests.hotels.front_desk import faults
from tests.support.api import Api

pytestmark = pytest.mark.django_db
Move = Callable[..., None]


def hotel(number: int, city: str = "Lisbon", country: str = "PT", **more: Any) -> Listed:
    return Listed(f"htl_{number}", f"Hotel {number}", country, city=city, **more)


HOTELS = [
    hotel(1),
    hotel(2, "São Paulo", "BR"),
    hotel(3, "Porto"),
    hotel(4, "LISBON"),
    hotel(5, "Paris", "FR"),
]


@pytest.fixture(autouse=True)
def five_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What tests make of LATE may have come first."""
    monkeypatch.setattr(listing, "HELD_BACK", timedelta(seconds=5))


@pytest.fixture
def listed(move_clock: Move) -> None:
    """The five, one after the other, and seen by all since."""
    for one in HOTELS:
        move_clock(seconds=10)
        keep_listed("simulator", [one])
    move_clock(seconds=10)


def ids(api: Api, query: str = "") -> list[str]:
    reply = api.get(f"/v1/hotels/properties{query}")
    assert reply.status == 200, reply.body
    return [one["hotelId"].removeprefix("htl_") for one in reply.body["data"]]


def walk(api: Api, query: str) -> list[dict[str, Any]]:
    """All pages, two at a time."""
    found, cursor = [], ""
    while True:
        page = api.get(f"/v1/hotels/properties?limit=2&{query}{cursor}").body
        found += page["data"]
        assert page["hasMore"] == (page["nextCursor"] is not None)
        if not page["hasMore"]:
            return found
        cursor = f"&cursor={page['nextCursor']}"


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "12345"),
        ("?countryCode=PT", "134"),
        ("?countryCode=MT", ""),
        ("?city=lisbon", "14"),
        ("?city=Lissabon", "14"),
        ("?city=sao%20paulo", "2"),
        ("?city=Lisbon&countryCode=BR", ""),
        ("?city=Nowhere", ""),
        ("?limit=2", "12"),
    ],
)
def test_filters(api: Api, query: str, found: str) -> None:
    assert "".join(ids(api, query)) == found


def test_what_an_entry_says(api: Api, move_clock: Move) -> None:
    keep_listed(
        "simulator", [hotel(1, line="Rua 1", zip="1000", image="/hotels/pictures/1.svg", review_count=3)]
    )
    move_clock(seconds=10)
    (entry,) = api.get("/v1/hotels/properties").body["data"]
    assert entry == {
        "hotelId": "htl_1",
        "name": "Hotel 1",
        "stars": None,
        "address": {"line": "Rua 1", "city": "Lisbon", "zip": "1000", "countryCode": "PT"},
        "location": None,
        "chain": None,
        "reviewScore": None,
        "reviewCount": 3,
        "updatedAt": rfc3339(Property.objects.get().updated_at),
        "image": {"url": "http://127.0.0.1:8000/hotels/pictures/1.svg", "caption": ""},
        "deleted": False,
    }


@pytest.mark.usefixtures("listed")
def test_pages_go_by_change_and_then_by_id(api: Api, move_clock: Move) -> None:
    keep_listed("simulator", [replaced(one, review_count=1) for one in (HOTELS[3], HOTELS[1], HOTELS[2])])
    Property.objects.filter(review_count=1).update(updated_at=clock.now())
    move_clock(seconds=10)
    assert [one["hotelId"][-1] for one in walk(api, "")] == [*"15234"]


@pytest.mark.usefixtures("listed")
def test_a_copy_follows_changes_and_drops_what_was_taken_off(api: Api, move_clock: Move) -> None:
    copy = {one["hotelId"]: one for one in walk(api, "")}
    last = max(one["updatedAt"] for one in copy.values())
    move_clock(seconds=60)
    keep_listed("simulator", [replaced(HOTELS[1], name="Renamed"), replaced(HOTELS[0], deleted=True)])
    keep_listed("simulator", [replaced(HOTELS[2], deleted=True), hotel(6)])
    assert ids(api, f"?updatedSince={last}") == ["5"]  # a change shows five seconds after it
    move_clock(seconds=10)
    for one in walk(api, f"updatedSince={last}"):
        if one["deleted"]:
            del copy[one["hotelId"]]
        else:
            copy[one["hotelId"]] = one
    assert {one["name"] for one in copy.values()} == {"Renamed", "Hotel 4", "Hotel 5", "Hotel 6"}
    assert copy == {one["hotelId"]: one for one in walk(api, "")}


@pytest.mark.usefixtures("listed")
def test_a_hotel_that_changes_during_a_walk_comes_again(api: Api, move_clock: Move) -> None:
    page = api.get("/v1/hotels/properties?limit=3").body
    keep_listed("simulator", [replaced(HOTELS[0], name="Renamed")])
    move_clock(seconds=10)
    rest = api.get(f"/v1/hotels/properties?limit=9&cursor={page['nextCursor']}").body
    assert [one["name"] for one in rest["data"]] == ["Hotel 4", "Hotel 5", "Renamed"]


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("countryCode=pt", "countryCode"),
        ("countryCode=ZZ", "countryCode"),
        ("countryCode=", "countryCode"),
        ("city=", "city"),
        ("city=a%00", "city"),
        ("updatedSince=yesterday", "updatedSince"),
        ("updatedSince=2026-01-01", "updatedSince"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=made-up", "cursor"),
        ("limit=2&city=Lisbon&city=Porto", "city"),
    ],
)
def test_bad_parameters(api: Api, query: str, field: str) -> None:
    assert faults(api.get(f"/v1/hotels/properties?{query}")) == [field]


@pytest.mark.usefixtures("listed")
def test_no_instant_in_the_future_and_no_cursor_of_another_list(api: Api) -> None:
    ahead = rfc3339(clock.now() + timedelta(hours=1))
    assert faults(api.get(f"/v1/hotels/properties?updatedSince={ahead}")) == ["updatedSince"]
    cursor = api.get("/v1/hotels/properties?limit=2").body["nextCursor"]
    for other in ("countryCode=PT&", "updatedSince=2026-01-01T00:00:00Z&"):
        assert faults(api.get(f"/v1/hotels/properties?{other}cursor={cursor}")) == ["cursor"]


def test_a_full_page_is_small(api: Api, move_clock: Move) -> None:
    long = {"line": "x" * 255, "chain": "y" * 255, "image": "https://a.example/" + "z" * 480}
    keep_listed("simulator", [replaced(hotel(n, "Ł" * 255, **long), name="Ö" * 255) for n in range(100)])
    move_clock(seconds=10)
    reply = api.get("/v1/hotels/properties?limit=100")
    assert len(reply.body["data"]) == 100
    assert len(str(reply.body).encode()) < 300_000


def test_each_environment_lists_its_own(api: Api, live: Api, move_clock: Move, settings: Any) -> None:
    settings.SUPPLIERS = {**settings.SUPPLIERS, "hotels": {"live": "liteapi"}}
    keep_listed("simulator", [hotel(1)])
    keep_listed("liteapi", [hotel(2)])
    move_clock(seconds=10)
    assert (ids(api), ids(live)) == (["1"], ["2"])
