"""The eight operations as a partner meets them: billing, listing, filters, and whose an order is."""

from apps.flights.models import FlightSearch
from apps.flights.views import stored_search
from tests.flights.desk import Desk
from tests.support.api import Reply

ORDERS = "/v1/flights/orders"


def listing(desk: Desk, query: str = "") -> Reply:
    return desk.api.get(f"{ORDERS}?{query}")


def ids(desk: Desk, query: str = "") -> list[str]:
    reply = listing(desk, query)
    assert reply.status == 200, reply.body
    return [order["id"] for order in reply.body["data"]]


def test_a_replay_of_a_search_whose_record_is_gone_has_no_body_to_give(desk: Desk) -> None:
    body = desk.searched()
    assert stored_search(body["id"]) is not None
    FlightSearch.objects.all().delete()
    assert stored_search(body["id"]) is None


def test_a_listed_order_is_told_as_it_is_read(desk: Desk) -> None:
    order = desk.round_trip()
    order = desk.changed(order, desk.options_of(order, days=62)[-1])
    assert listing(desk).body["data"] == [desk.read(order["id"])] == [order]
