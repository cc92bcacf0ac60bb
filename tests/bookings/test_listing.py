"""`updatedSince` on the listings: order, pages, what is held back, and what is refused."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection, transaction

from apps.accounts.clocks import move_clock as move_sandbox_clock
from apps.bookings import listing, statements
from apps.bookings.flow.reserve import NewBooking, reserve_booking
from apps.bookings.flow.settle import end
from apps.bookings.listing import HELD_BACK, list_parameters
from apps.bookings.models import Booking, Settlement
from apps.bookings.statements import mark_settled, save_change
from apps.common import clock
from apps.common.clock import rfc3339
from apps.gateway.requests import Caller
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Onboarded
from tests.bookings.rows import a_booking, an_operation, ended
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("noon")]

ORDERS = "/v1/flights/orders"
LISTINGS = {
    "hotel": "/v1/hotels/bookings",
    "flight": ORDERS,
    "transfer": "/v1/transfers/orders",
    "esim": "/v1/esim/orders",
}


@pytest.fixture
def api() -> Api:
    return api_of_new_partner(cents=10_000_000, scopes=list(ENFORCED))


def since(api: Api, instant: datetime | str, *, path: str = ORDERS, more: str = "") -> Reply:
    text = instant if isinstance(instant, str) else rfc3339(instant)
    return api.get(f"{path}?updatedSince={quote(text)}{more}")


def ids(reply: Reply) -> list[str]:
    return [order["id"] for order in reply.body["data"]]


@pytest.fixture
def orders(api: Api, move_clock: Callable[..., None]) -> list[dict[str, Any]]:
    """Three orders, a minute apart, the last one a minute ago."""
    shop, made = FlightShop(api), []
    for _ in range(3):
        made.append(shop.order(shop.offer()).body)
        move_clock(minutes=1)
    return made


def test_bookings_come_in_the_order_in_which_they_changed(api: Api, orders: list[dict[str, Any]]) -> None:
    first, second, third = (order["id"] for order in orders)
    before = orders[0]["updatedAt"]
    assert ids(since(api, before)) == [first, second, third]
    api.post(f"{ORDERS}/{first}/cancel", {})
    Booking.objects.filter(pk=first).update(updated_at=clock.now() - timedelta(seconds=30))
    assert ids(since(api, before)) == [second, third, first]
    assert ids(since(api, orders[2]["updatedAt"])) == [third, first]
    page = since(api, before, more="&limit=2")
    rest = since(api, before, more=f"&limit=2&cursor={page.body['nextCursor']}")
    assert (ids(page), ids(rest)) == ([second, third], [first])


def test_whoever_goes_on_from_the_last_instant_misses_nothing(api: Api, orders: list[dict[str, Any]]) -> None:
    """The instant is written in milliseconds and kept in microseconds."""
    resumed = [ids(since(api, order["updatedAt"], more="&limit=1")) for order in orders]
    assert resumed == [[order["id"]] for order in orders]


def test_pages_go_on_where_the_one_before_ended(api: Api, orders: list[dict[str, Any]]) -> None:
    begins = orders[0]["updatedAt"]
    seen, cursor = [], ""
    while True:
        reply = since(api, begins, more=f"&limit=2{cursor}")
        seen += ids(reply)
        assert reply.body["hasMore"] == (reply.body["nextCursor"] is not None)
        if not reply.body["hasMore"]:
            break
        cursor = f"&cursor={reply.body['nextCursor']}"
    assert seen == [order["id"] for order in orders]


def test_rows_of_one_instant_are_each_read_once(api: Api) -> None:
    (key,), instant = ApiKey.objects.all(), clock.now() - timedelta(minutes=1)
    made = sorted(a_copy(api, key, updated_at=instant).pk for _ in range(3))
    first = since(api, instant, more="&limit=2")
    rest = since(api, instant, more=f"&limit=2&cursor={first.body['nextCursor']}")
    assert (ids(first), ids(rest)) == (made[:2], made[2:])


def a_copy(api: Api, key: ApiKey, **columns: Any) -> Booking:
    """A booking that the listing can show."""
    shop = FlightShop(api)
    order = shop.order(shop.offer()).body
    Booking.objects.filter(pk=order["id"]).update(**columns)
    return Booking.objects.get(pk=order["id"])


def test_filters_narrow_it(api: Api, orders: list[dict[str, Any]]) -> None:
    api.post(f"{ORDERS}/{orders[1]['id']}/cancel", {})
    Booking.objects.filter(pk=orders[1]["id"]).update(updated_at=clock.now() - timedelta(seconds=30))
    assert ids(since(api, orders[0]["updatedAt"], more="&status=cancelled")) == [orders[1]["id"]]


@pytest.mark.parametrize("product", LISTINGS)
def test_every_listing_takes_it(api: Api, product: str) -> None:
    reply = since(api, clock.now() - timedelta(days=1), path=LISTINGS[product])
    assert (reply.status, reply.body["data"], reply.body["nextCursor"]) == (200, [], None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-11-20",
        "2026-11-20T14:03:22",
        "2026-11-20 14:03:22Z",
        "2026-11-20T14:03Z",
        "2026-13-20T14:03:22Z",
        "2026-11-20T14:03:60Z",
        "2026-11-20T14:03:22 02:00",
        "0000-01-01T00:00:00Z",
        "２０２６-11-20T14:03:22Z",
        "1764000000",
    ],
)
def test_what_is_no_instant_is_refused(api: Api, text: str) -> None:
    reply = since(api, text)
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    assert [detail["field"] for detail in reply.error["details"]] == ["updatedSince"]


@pytest.mark.parametrize("ahead", [timedelta(seconds=1), timedelta(days=400)])
def test_the_future_is_refused(api: Api, ahead: timedelta) -> None:
    reply = since(api, clock.now() + ahead)
    assert (reply.status, reply.error["details"][0]["message"]) == (400, "must not be in the future")


def test_the_last_five_seconds_are_held_back(
    api: Api, clock_stands_still: datetime, move_clock: Callable[..., None]
) -> None:
    order = FlightShop(api).ordered()
    assert ids(since(api, order["updatedAt"])) == []
    move_clock(seconds=5)
    assert ids(since(api, order["updatedAt"])) == []
    move_clock(seconds=1)
    assert ids(since(api, order["updatedAt"])) == [order["id"]]


@contextmanager
def uncommitted_change(booking_id: str) -> Iterator[None]:
    """Another session has changed the booking; it commits at the end of the block."""
    changed, done = threading.Event(), threading.Event()

    def change() -> None:
        try:
            with transaction.atomic():
                Booking.objects.filter(pk=booking_id).update(updated_at=clock.now())
                changed.set()
                done.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=change)
    thread.start()
    assert changed.wait(30)
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_nothing_is_shown_that_a_late_commit_precedes(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "HELD_BACK", timedelta(0))
    shop = FlightShop(api)
    late, other = shop.ordered()["id"], shop.ordered()["id"]
    begins = clock.now()
    with uncommitted_change(late):
        Booking.objects.filter(pk=other).update(updated_at=clock.now())
        assert ids(since(api, begins)) == []
    assert ids(since(api, begins)) == [late, other]


def test_a_transaction_that_reads_alone_holds_nothing_back(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "HELD_BACK", timedelta(0))
    begins = clock.now()
    with reading():
        order = FlightShop(api).ordered()["id"]
        assert ids(since(api, begins)) == [order]


@contextmanager
def reading() -> Iterator[None]:
    began, done = threading.Event(), threading.Event()

    def read() -> None:
        try:
            with transaction.atomic():
                Booking.objects.exists()
                began.set()
                done.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=read)
    thread.start()
    assert began.wait(30)
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_the_instants_are_those_of_the_sandboxs_clock(api: Api, move_clock: Callable[..., None]) -> None:
    api.post("/sandbox/clock", {"advanceSeconds": 86_400})
    order = FlightShop(api).ordered()
    assert datetime.fromisoformat(order["updatedAt"]) > clock.now() + timedelta(hours=23)
    move_clock(seconds=HELD_BACK.total_seconds() + 1)
    assert ids(since(api, order["updatedAt"])) == [order["id"]]


def test_a_change_after_a_pause_is_stamped_by_the_time_of_its_statement(
    onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever writes it: the answer tells the earlier instant, the row another one than lists have passed."""
    monkeypatch.setattr(statements, "LATE", timedelta(seconds=4))
    monkeypatch.setattr(clock, "_database_now", lambda: database_now() - timedelta(seconds=20))
    new = NewBooking(
        product="flight",
        total_cents=1_000,
        currency="EUR",
        supplier_name="simulator",
        external_reference=None,
        details={},
    )
    caller = Caller(authentication.look_up(onboarded.test_secret), "req_1")
    reserved = reserve_booking(caller=caller, new=new).booking
    saved, booked, settled = (a_booking(onboarded.test_key) for _ in range(3))
    operation = an_operation(booked, state="calling", kind="change", hold_id="", amount_cents=0)
    owed = Settlement.objects.create(
        operation=an_operation(settled, state="confirmed"), booking=settled, action="credit", amount_cents=1
    )
    before = database_now()
    save_change(saved, "status")
    end(operation, ended(), None)
    owed.settled_at = clock.now()
    assert mark_settled(owed, {})
    assert saved.updated_at < before - timedelta(seconds=19)
    for booking in (reserved, saved, booked, settled):
        booking.refresh_from_db()
        assert before - timedelta(seconds=6) < booking.updated_at < database_now(), booking


def database_now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (instant,) = cursor.fetchone()
    assert isinstance(instant, datetime)
    return instant


def test_nothing_is_shown_that_a_change_by_an_older_clock_precedes(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "HELD_BACK", timedelta(0))
    shop = FlightShop(api)
    late, other = shop.ordered()["id"], shop.ordered()["id"]
    (key,) = ApiKey.objects.all()
    Booking.objects.update(next_news_at=None)  # else moving the clock waits for the row
    begins = clock.now()
    with uncommitted_change(late):
        Booking.objects.filter(pk=other).update(updated_at=clock.now())
        move_sandbox_clock(account_id=key.account_id, by=timedelta(days=30))
        assert ids(since(api, begins)) == []
    assert ids(since(api, begins)) == [late, other]
    with uncommitted_change(late):  # which goes by the clock of now
        assert ids(since(api, begins)) == [late, other]


def test_an_external_reference_has_a_character_at_least() -> None:
    schemas = {parameter.name: parameter.schema for parameter in list_parameters(("confirmed",))}
    assert list(schemas) == [
        "limit",
        "cursor",
        "externalReference",
        "tripReference",
        "status",
        "updatedSince",
    ]
    assert (schemas["externalReference"]["minLength"], schemas["status"]["enum"]) == (1, ["confirmed"])


def test_a_cursor_goes_on_with_the_listing_and_the_filters_it_came_from(shop: FlightShop, api: Api) -> None:
    offer = shop.offer()
    made = [shop.order(offer).body["id"] for _ in range(2)]
    first = api.get(f"{ORDERS}?limit=1&status=ticketed").body
    assert [order["id"] for order in first["data"]] == [made[1]]
    cursor = first["nextCursor"]
    rest = api.get(f"{ORDERS}?limit=1&status=ticketed&cursor={cursor}").body
    assert ([order["id"] for order in rest["data"]], rest["hasMore"]) == ([made[0]], False)
    assert api.get(f"{ORDERS}?limit=1&cursor={cursor}").error_type == "invalid_request"
    assert api.get(f"/v1/hotels/bookings?limit=1&status=confirmed&cursor={cursor}").status == 400
