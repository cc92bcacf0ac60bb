"""`updatedSince` on the listings: order, pages, what is held back, and what is refused."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.core import signing
from django.db import connection, transaction

from apps.accounts.services.move_clock import move_clock as move_sandbox_clock
from apps.bookings import listing, statements
from apps.bookings.flow.reserve import NewBooking, reserve_booking
from apps.bookings.flow.settle import end
from apps.bookings.listing import HELD_BACK
from apps.bookings.models import Booking, Settlement
from apps.bookings.statements import mark_settled, save_change
from apps.common import clock
from apps.common.clock import rfc3339
from apps.gateway.pagination import SALT, write_cursor
from apps.gateway.requests import Caller
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking, an_operation
from tests.bookings.services.settling import ended
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop
from tests.support.locks import until_somebody_waits
from tests.support.plans import read_as_the_table_lies

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


def test_they_come_in_that_order_however_the_rows_are_found(api: Api, orders: list[dict[str, Any]]) -> None:
    begins = clock.now() - timedelta(minutes=2)
    for order, seconds in zip(orders, (20, 40, 30), strict=True):
        Booking.objects.filter(pk=order["id"]).update(updated_at=clock.now() - timedelta(seconds=seconds))
    with transaction.atomic():
        read_as_the_table_lies()
        assert ids(since(api, begins)) == [orders[place]["id"] for place in (1, 2, 0)]


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


def test_a_page_that_holds_just_what_there_is_is_the_last(api: Api, orders: list[dict[str, Any]]) -> None:
    reply = since(api, orders[0]["updatedAt"], more=f"&limit={len(orders)}")
    assert (len(ids(reply)), reply.body["hasMore"], reply.body["nextCursor"]) == (len(orders), False, None)


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


def test_a_cursor_is_good_for_its_instant_alone(api: Api, orders: list[dict[str, Any]]) -> None:
    cursor = since(api, orders[0]["updatedAt"], more="&limit=1").body["nextCursor"]
    newest = api.get(f"{ORDERS}?limit=1").body["nextCursor"]
    assert since(api, orders[1]["updatedAt"], more=f"&cursor={cursor}").error_type == "invalid_request"
    assert api.get(f"{ORDERS}?cursor={cursor}").error_type == "invalid_request"
    assert since(api, orders[0]["updatedAt"], more=f"&cursor={newest}").error_type == "invalid_request"


@pytest.mark.parametrize("place", [[], ["yesterday", "id"], [None, "id"], ["2026-11-20", "id", "more"]])
def test_a_cursor_that_stands_at_no_booking_is_refused(
    api: Api, orders: list[dict[str, Any]], place: list[str | None]
) -> None:
    begins = orders[0]["updatedAt"]
    binding = signing.loads(since(api, begins, more="&limit=1").body["nextCursor"], salt=SALT)[0]
    reply = since(api, begins, more=f"&cursor={write_cursor(place, binding)}")
    assert (reply.status, reply.error["details"][0]["field"]) == (400, "cursor")


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


def test_this_very_instant_is_taken(api: Api, clock_stands_still: datetime) -> None:
    assert since(api, clock_stands_still.isoformat()).status == 200


@pytest.mark.parametrize(
    "text", ["0001-01-01T00:00:00+23:59", "2020-02-29t23:59:59.123456789z", "2020-01-01T00:00:00-11:30"]
)
def test_every_past_instant_is_taken(api: Api, orders: list[dict[str, Any]], text: str) -> None:
    assert ids(since(api, text)) == [order["id"] for order in orders]


def test_an_instant_sent_twice_is_refused(api: Api) -> None:
    reply = api.get(f"{ORDERS}?updatedSince=2020-01-01T00:00:00Z&updatedSince=2021-01-01T00:00:00Z")
    assert reply.status == 400


def test_the_last_five_seconds_are_held_back(
    api: Api, clock_stands_still: datetime, move_clock: Callable[..., None]
) -> None:
    order = FlightShop(api).ordered()
    assert ids(since(api, order["updatedAt"])) == []
    move_clock(seconds=5)
    assert ids(since(api, order["updatedAt"])) == []
    move_clock(seconds=1)
    assert ids(since(api, order["updatedAt"])) == [order["id"]]


def test_no_more_is_shown_once_the_databases_clock_was_set_back(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        listing, "UNDER_WAY", "SELECT interval '-1 hour', interval '-1 hour' WHERE %s::text IS NOT NULL"
    )
    order = FlightShop(api).ordered()
    assert ids(since(api, order["updatedAt"])) == []


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


def test_whoever_writes_to_another_database_holds_nothing_back(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "HELD_BACK", timedelta(0))
    begins = clock.now()
    with psycopg.connect(os.environ["DATABASE_URL"]) as other:
        other.execute("SELECT pg_current_xact_id()")  # as its first write does
        order = FlightShop(api).ordered()["id"]
        assert ids(since(api, begins)) == [order]


def test_what_the_reader_itself_has_written_is_shown(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "HELD_BACK", timedelta(0))
    order = FlightShop(api).ordered()["id"]
    begins = clock.now()
    with transaction.atomic():
        booking = Booking.objects.get(pk=order)  # the transaction begins here, not after the instant is taken
        Booking.objects.filter(pk=booking.pk).update(updated_at=clock.now())
        assert ids(since(api, begins)) == [order]


def test_the_page_is_read_from_the_index_of_updates(api: Api) -> None:
    (key,) = ApiKey.objects.all()
    rows = Booking.objects.filter(
        account_id=key.account_id,
        environment="test",
        product="flight",
        updated_at__gte=datetime(2020, 1, 1, tzinfo=UTC),
        updated_at__lt=clock.now(),
    ).order_by("updated_at", "id")[:21]
    for _ in range(60):
        a_booking(key)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE bookings_booking")
        cursor.execute("SET enable_seqscan = off")
    try:
        plan = rows.explain()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET enable_seqscan")
    assert "booking_by_update" in plan
    assert "Sort" not in plan


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


def test_a_change_beside_a_moved_clock_is_stamped_by_the_clock_of_its_statement(
    onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "LATE", timedelta(seconds=4))
    there, live = a_booking(onboarded.test_key), a_booking(onboarded.test_key, environment="live")
    taken = there.now()
    move_sandbox_clock(account_id=onboarded.account.pk, by=timedelta(days=30))
    for booking in (there, live):
        save_change(booking, now=taken)
        booking.refresh_from_db()
    assert there.updated_at > database_now() + timedelta(days=29)
    assert live.updated_at < database_now() + timedelta(days=1)


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


def test_a_statement_that_began_before_the_clock_moved_may_still_write(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "HELD_BACK", timedelta(0))
    order = FlightShop(api).ordered()["id"]
    (key,) = ApiKey.objects.all()
    begins = clock.now()
    with waiting_statement():
        Booking.objects.filter(pk=order).update(updated_at=clock.now())
        assert ids(since(api, begins)) == [order]
        move_sandbox_clock(account_id=key.account_id, by=timedelta(days=30))
        assert ids(since(api, begins)) == []
        with reading():  # runs no statement
            assert ids(since(api, begins)) == []
    with reading(), waiting_statement():
        assert ids(since(api, begins)) == [order]


@contextmanager
def waiting_statement() -> Iterator[None]:
    """A statement under way that has written nothing yet."""

    def wait() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(32), pg_advisory_unlock(32)")
        finally:
            connection.close()

    thread = threading.Thread(target=wait)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(32)")
        try:
            thread.start()
            until_somebody_waits()
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(32)")
            thread.join()
