"""GET /v1/bookings: which bookings it lists, in which order and pages, for which keys, and what is refused."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.bookings import listing
from apps.bookings.models import Booking
from apps.bookings.serializers import STATUSES
from apps.common import clock
from apps.common.clock import rfc3339
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from tests.esim.shop import top_up_plans
from tests.factories.gateway import api_of_new_partner
from tests.hotels.front_desk import FrontDesk
from tests.support.api import Api, Reply
from tests.support.multiply import multiply
from tests.support.plans import plans_of
from tests.trips.goods import LISTS, booked, ids

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("noon", "catalogue")]

LIST = "/v1/bookings"
SCOPES = {"hotel": "hotels:book", "flight": "flights:book", "transfer": "transfers:book", "esim": "esim:read"}
TRIP = "trip-1"


@pytest.fixture
def trip(api: Api) -> dict[str, dict[str, Any]]:
    """A booking of each product, all of one trip; and one of each that belongs to none."""
    made = {product: booked(api, product, tripReference=TRIP).body for product in LISTS}
    for product in LISTS:
        booked(api, product)
    return made


def of_same_partner(**more: Any) -> Api:
    return api_of_new_partner(account=ApiKey.objects.order_by("created_at")[0].account, **more)


def all_pages(api: Api, query: str, limit: int) -> list[str]:
    found, cursor = [], ""
    while True:
        reply = api.get(f"{LIST}?{query}&limit={limit}{cursor}")
        found += ids(reply)
        assert reply.body["hasMore"] is (reply.body["nextCursor"] is not None)
        if not reply.body["hasMore"]:
            return found
        assert len(reply.body["data"]) == limit
        cursor = f"&cursor={reply.body['nextCursor']}"


def test_each_entry_is_as_its_product_lists_it(api: Api, trip: dict[str, dict[str, Any]]) -> None:
    listed = api.get(f"{LIST}?tripReference={TRIP}").body["data"]
    assert [one["id"] for one in listed] == [trip[product]["id"] for product in reversed(LISTS)]
    for one in listed:
        (own,) = api.get(f"{LISTS[one['bookingType']]}?tripReference={TRIP}").body["data"]
        assert one == {"bookingType": one["bookingType"], **own}


def test_all_are_listed_newest_first_in_one_statement_a_page(
    api: Api, trip: dict[str, dict[str, Any]]
) -> None:
    newest = list(Booking.objects.order_by("-created_at", "-id").values_list("pk", flat=True))
    assert ids(api.get(LIST)) == newest
    assert len(newest) == 8
    for limit in (1, 3, 8):
        assert all_pages(api, "", limit) == newest
    with CaptureQueriesContext(
        connection,
    ) as queries:
        api.get(LIST)
    assert len([one for one in queries if "bookings_booking" in one["sql"]]) == 1


def test_bookings_of_one_instant_are_neither_lost_nor_repeated(
    api: Api, trip: dict[str, dict[str, Any]]
) -> None:
    Booking.objects.update(created_at=clock.now())
    found = all_pages(api, "", 3)
    assert sorted(found) == sorted(Booking.objects.values_list("pk", flat=True))
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("product", LISTS)
def test_a_key_sees_the_products_that_it_may_read(
    api: Api, trip: dict[str, dict[str, Any]], product: str
) -> None:
    one = of_same_partner(scopes=[SCOPES[product]])
    assert ids(one.get(f"{LIST}?tripReference={TRIP}")) == [trip[product]["id"]]
    assert ids(api.get(f"{LIST}?tripReference={TRIP}&product={product}")) == [trip[product]["id"]]
    other = next(each for each in LISTS if each != product)
    refused = one.get(f"{LIST}?product={other}")
    assert (refused.status, refused.error["missingScope"]) == (403, SCOPES[other])


def test_a_key_that_reads_no_bookings_is_refused_by_the_first_scope(api: Api) -> None:
    refused = of_same_partner(scopes=["hotels:search", "account:read", "esim:book"]).get(LIST)
    assert (refused.status, refused.error_type) == (403, "insufficient_scope")
    assert refused.error["missingScope"] == "hotels:book"


def test_other_accounts_and_environments_see_nothing(api: Api, trip: dict[str, dict[str, Any]]) -> None:
    assert ids(api_of_new_partner(scopes=list(ENFORCED)).get(LIST)) == []
    assert ids(of_same_partner(environment="live", scopes=list(ENFORCED)).get(LIST)) == []


def test_top_ups_are_shown_by_their_order_alone(api: Api) -> None:
    order = booked(api, "esim", tripReference=TRIP).body
    body = {"planId": top_up_plans(api, order)[0]["id"]}
    assert api.post(f"/v1/esim/orders/{order['id']}/topups", body).status == 201
    assert ids(api.get(f"{LIST}?tripReference={TRIP}")) == [order["id"]]


def test_by_status(api: Api, trip: dict[str, dict[str, Any]]) -> None:
    assert api.post(f"{LISTS['hotel']}/{trip['hotel']['id']}/cancel", {}).status == 200
    assert ids(api.get(f"{LIST}?status=cancelled")) == [trip["hotel"]["id"]]
    assert ids(api.get(f"{LIST}?status=ticketed&tripReference={TRIP}")) == [trip["flight"]["id"]]
    assert ids(api.get(f"{LIST}?status=on_hold")) == []


def test_by_update_the_oldest_change_comes_first(
    api: Api,
    trip: dict[str, dict[str, Any]],
    move_clock: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listing, "HELD_BACK", timedelta(0))
    move_clock(minutes=1)
    begins = quote(rfc3339(min(one.created_at for one in Booking.objects.all())))
    query = f"updatedSince={begins}&tripReference={TRIP}"
    assert ids(api.get(f"{LIST}?{query}")) == [one["id"] for one in trip.values()]
    api.post(f"{LISTS['hotel']}/{trip['hotel']['id']}/cancel", {})
    move_clock(minutes=1)
    changed = [trip[product]["id"] for product in ("flight", "transfer", "esim", "hotel")]
    assert all_pages(api, query, 1) == all_pages(api, query, 3) == changed


def first_days(trip: dict[str, dict[str, Any]]) -> dict[str, date]:
    return {
        "hotel": date.fromisoformat(trip["hotel"]["checkIn"]),
        "flight": date.fromisoformat(trip["flight"]["slices"][0]["segments"][0]["departureAt"][:10]),
        "transfer": date.fromisoformat(trip["transfer"]["outbound"][:10]),
    }


def between(api: Api, first: date | None, last: date | None, more: str = "") -> set[str]:
    days = {"serviceFrom": first, "serviceTo": last}
    query = "&".join(f"{name}={day}" for name, day in days.items() if day is not None)
    return set(ids(api.get(f"{LIST}?tripReference={TRIP}&{query}{more}")))


def test_by_the_first_day_of_service(api: Api, trip: dict[str, dict[str, Any]]) -> None:
    one_day = timedelta(days=1)
    days = first_days(trip)
    for product, day in days.items():
        mine = trip[product]["id"]
        assert mine in between(api, day, day)
        assert mine not in between(api, day + one_day, None) | between(api, None, day - one_day)
        assert {mine} == between(api, day, None, f"&product={product}")
    assert between(api, min(days.values()), max(days.values())) == {trip[product]["id"] for product in days}
    assert between(api, None, date(9999, 12, 31), "&product=esim") == set()


def test_the_day_moves_with_the_booking(api: Api) -> None:
    """Also of rows that another release writes: the day is read from what is stored of the stay."""
    stay = booked(api, "hotel", tripReference=TRIP).body
    row = Booking.objects.get(pk=stay["id"])
    row.details = {**row.details, "check_in": "2027-08-01", "check_out": "2027-08-03"}
    row.save()
    august = date(2027, 8, 1), date(2027, 8, 31)
    assert between(api, *august) == {stay["id"]}
    assert between(api, None, date(2027, 7, 31)) == set()


def test_a_local_date_counts_not_that_of_utc(api: Api) -> None:
    order = booked(api, "flight", tripReference=TRIP).body
    row = Booking.objects.get(pk=order["id"])
    row.details["slices"][0]["leg"]["departure_at"] = "2027-05-02T00:30:00+09:00"  # 1 May in UTC
    row.save()
    assert between(api, date(2027, 5, 2), date(2027, 5, 2)) == {order["id"]}
    assert between(api, date(2027, 5, 1), date(2027, 5, 1)) == set()


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ("product=car", "product", "must be one of hotel, flight, transfer, esim"),
        ("product=", "product", "must be one of hotel, flight, transfer, esim"),
        ("status=booked", "status", f"must be one of {', '.join(STATUSES)}"),
        ("serviceFrom=2027-02-30", "serviceFrom", "must be a date in the form YYYY-MM-DD"),
        ("serviceFrom=20270201", "serviceFrom", "must be a date in the form YYYY-MM-DD"),
        ("serviceTo=", "serviceTo", "must be a date in the form YYYY-MM-DD"),
        ("serviceFrom=2027-02-02&serviceTo=2027-02-01", "serviceTo", "must not be before `serviceFrom`"),
        ("tripReference=", "tripReference", "must have 1 to 255 characters, none of them NUL"),
        ("tripReference=%00", "tripReference", "must have 1 to 255 characters, none of them NUL"),
        ("updatedSince=2099-01-01T00:00:00Z", "updatedSince", "must not be in the future"),
        ("limit=101", "limit", "must be a whole number from 1 to 100"),
        ("cursor=none", "cursor", "was not issued for this listing and these filters"),
        ("serviceTo=2027-02-01&serviceTo=2027-02-02", "serviceTo", "must be sent once"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(api: Api, query: str, field: str, message: str) -> None:
    reply: Reply = api.get(f"{LIST}?{query}")
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    assert reply.error["details"] == [{"field": field, "message": message}]


@pytest.mark.parametrize(
    "other",
    ["", "tripReference=trip-2", f"tripReference={TRIP}&product=hotel", f"tripReference={TRIP}&serviceTo=2030-01-01"],
)  # fmt: skip
def test_a_cursor_is_good_for_its_filters_alone(
    api: Api, trip: dict[str, dict[str, Any]], other: str
) -> None:
    cursor = api.get(f"{LIST}?tripReference={TRIP}&limit=1").body["nextCursor"]
    assert api.get(f"{LIST}?{other}&cursor={cursor}").status == 400
    assert api.get(f"{LISTS['esim']}?tripReference={TRIP}&cursor={cursor}").status == 400


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("", "booking_newest_first"),
        ("?tripReference=of-4000", "booking_of_trip"),
        ("?serviceFrom=2031-01-01&serviceTo=2031-01-02", "booking_by_service_day"),
    ],
)
def test_each_product_is_read_along_an_index(api: Api, query: str, index: str) -> None:
    desk = FrontDesk(api)
    with connection.cursor() as cursor:
        multiply(cursor, desk.booked()["id"], 5_000)
        cursor.execute("UPDATE bookings_booking SET trip_reference = 'of-' || substr(reference, 3)")
        cursor.execute("VACUUM ANALYZE bookings_booking")
    (plan,) = plans_of(api, LIST + query, "bookings_booking")
    assert f" {index} " in plan
    assert "Seq Scan" not in plan
