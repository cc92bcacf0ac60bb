"""The eight operations as a partner meets them: billing, listing, filters, and whose an order is."""

import pytest

from apps.flights.models import FlightSearch
from apps.flights.views import stored_search
from tests.flights.desk import Desk, faults, refusal, search_body
from tests.support.api import Reply
from tests.support.scripted_flights import ScriptedFlights

ORDERS = "/v1/flights/orders"


def listing(desk: Desk, query: str = "") -> Reply:
    return desk.api.get(f"{ORDERS}?{query}")


def ids(desk: Desk, query: str = "") -> list[str]:
    reply = listing(desk, query)
    assert reply.status == 200, reply.body
    return [order["id"] for order in reply.body["data"]]


def test_searches_and_re_pricings_take_from_the_same_quota_and_nothing_else_does(desk: Desk) -> None:
    search = desk.api.post("/v1/flights/searches", search_body())
    offer = next(o for o in search.body["offers"] if o["conditions"]["refundable"])
    left = int(search.headers["X-Search-Quota-Remaining"])
    repriced = desk.reprice(offer)
    ordered = desk.order(offer)
    others = [
        ordered,
        desk.api.get(f"{ORDERS}/{ordered.body['id']}"),
        listing(desk),
        desk.ask_options(ordered.body),
        desk.cancel(ordered.body["id"]),
    ]
    assert (search.headers["X-Search-Billable"], repriced.headers["X-Search-Billable"]) == ("true", "true")
    assert [int(reply.headers["X-Search-Quota-Remaining"]) for reply in (repriced, *others)] == [left - 1] * 6
    assert [reply.headers.get("X-Search-Billable") for reply in others] == [None] * 5


def test_a_replay_of_a_search_whose_record_is_gone_has_no_body_to_give(desk: Desk) -> None:
    body = desk.searched()
    assert stored_search(body["id"]) is not None
    FlightSearch.objects.all().delete()
    assert stored_search(body["id"]) is None


def test_orders_are_listed_newest_first_and_page_by_cursor(desk: Desk) -> None:
    offer = desk.offer()
    made = [desk.ordered(offer)["id"] for _ in range(5)][::-1]
    first = listing(desk, "limit=2").body
    second = listing(desk, f"limit=2&cursor={first['nextCursor']}").body
    third = listing(desk, f"limit=2&cursor={second['nextCursor']}").body
    pages = (first, second, third)
    assert [order["id"] for page in pages for order in page["data"]] == made == ids(desk)
    assert [page["hasMore"] for page in pages] == [True, True, False]
    assert third["nextCursor"] is None


def test_a_listed_order_is_told_as_it_is_read(desk: Desk) -> None:
    order = desk.round_trip()
    order = desk.changed(order, desk.options_of(order, days=62)[-1])
    assert listing(desk).body["data"] == [desk.read(order["id"])] == [order]


def test_orders_are_filtered_by_status_and_reference(desk: Desk, airline: ScriptedFlights) -> None:
    offer = desk.offer()
    standing, ended, taken = (desk.order(offer, externalReference=f"TRIP-{n}").body["id"] for n in range(3))
    plain = desk.ordered(offer)["id"]
    desk.cancel(ended)
    airline.ask(120)
    desk.order(offer, externalReference="TRIP-9")
    (failed,) = ids(desk, "externalReference=TRIP-9")
    assert ids(desk, "status=ticketed") == [plain, taken, standing]
    assert ids(desk, "status=cancelled") == [ended]
    assert ids(desk, "status=failed") == [failed]
    assert ids(desk, "status=pending") == []
    assert ids(desk, "externalReference=TRIP-1") == [ended]
    assert ids(desk, "externalReference=trip-1") == ids(desk, "externalReference=TRIP") == []
    assert ids(desk, "externalReference=TRIP-1&status=cancelled") == [ended]
    assert ids(desk, "externalReference=TRIP-1&status=ticketed") == []
    assert ids(desk, "colour=blue") == [failed, plain, taken, ended, standing]


@pytest.mark.parametrize(
    "query",
    ["status=confirmed", "status=Ticketed", "status=", "limit=0", "limit=101", "limit=1.5", "cursor=made-up"],
)
def test_a_listing_refuses_what_it_cannot_read(desk: Desk, query: str) -> None:
    assert faults(listing(desk, query)) == [query.partition("=")[0]]


def test_a_cursor_is_bound_to_its_filters(desk: Desk) -> None:
    offer = desk.offer()
    for _ in range(2):
        desk.ordered(offer)
    cursor = listing(desk, "limit=1&status=ticketed").body["nextCursor"]
    assert len(ids(desk, f"limit=5&status=ticketed&cursor={cursor}")) == 1
    for other in ("", "status=cancelled&", "externalReference=T&status=ticketed&"):
        assert faults(listing(desk, f"{other}cursor={cursor}")) == ["cursor"]


def test_an_order_is_its_accounts_and_environments_alone(desk: Desk, live: Desk, stranger: Desk) -> None:
    order = desk.ordered()
    for other in (live, stranger):
        assert refusal(other.api.get(f"{ORDERS}/{order['id']}")) == (404, "not_found")
        assert refusal(other.cancel(order["id"])) == (404, "not_found")
        assert ids(other) == []
    assert desk.read(order["id"]) == order


def test_a_booking_of_another_product_is_no_flight(desk: Desk) -> None:
    hotel = desk.api.post("/v1/hotels/searches", {}).body["hotels"][0]
    ada = {"firstName": "Ada", "lastName": "Lovelace", "type": "adult"}
    contact = {"email": "ada@example.com", "phone": "+351210000000"}
    body = {"rateId": hotel["rates"][0]["rateId"], "guests": [ada], "contact": contact}
    stay = desk.api.post("/v1/hotels/bookings", body).body["id"]
    assert refusal(desk.api.get(f"{ORDERS}/{stay}")) == refusal(desk.cancel(stay)) == (404, "not_found")
    assert ids(desk) == []
