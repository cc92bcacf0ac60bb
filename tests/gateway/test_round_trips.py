"""How many SQL statements and Redis round trips a whole request costs, once its key is known. Every one is latency.

BEGIN and COMMIT are not counted: they travel with their neighbours. A number may only ever be lowered.
"""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories.gateway import api_of_new_partner
from tests.support.api import Reply
from tests.support.flight_shop import FlightShop, order_body
from tests.support.trips import counted_redis_trips

pytestmark = pytest.mark.django_db(transaction=True)

# statements, Redis round trips
ACCOUNT = (1, 2)
SEARCH = (6, 2)
SEARCH_REPLAYED = (4, 2)
REPRICE = (3, 2)
ORDER = (8, 2)
REFUSED_SCOPE = (1, 2)

BODY = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}


def cost_of(call: Callable[[], Reply], status: int) -> tuple[int, int]:
    with CaptureQueriesContext(connection) as captured, counted_redis_trips() as trips:
        assert call().status == status
    statements = [query["sql"] for query in captured if not is_free(query["sql"])]
    print("\n".join(["", *statements, *map(repr, trips)]))
    return len(statements), len(trips)


def is_free(sql: str) -> bool:
    """Transactions travel with their statements; what the simulator writes stands for a call to a supplier."""
    return sql in {"BEGIN", "COMMIT"} or "suppliers_simulatedwrite" in sql


def test_reading_the_account():
    api = api_of_new_partner()
    api.get("/v1/account")

    assert cost_of(lambda: api.get("/v1/account"), 200) == ACCOUNT


def test_searching_and_replaying():
    api = api_of_new_partner()
    api.post("/v1/flights/searches", BODY)

    assert cost_of(lambda: api.post("/v1/flights/searches", BODY, key="counted-key"), 201) == SEARCH
    assert cost_of(lambda: api.post("/v1/flights/searches", BODY, key="counted-key"), 201) == SEARCH_REPLAYED


def test_repricing():
    api = api_of_new_partner()
    path = f"/v1/flights/offers/{FlightShop(api).offer()['offerId']}"
    api.get(path)

    assert cost_of(lambda: api.get(path), 200) == REPRICE


def test_ordering():
    api = api_of_new_partner(cents=10_000_000)
    shop = FlightShop(api)
    offer = shop.offer()
    shop.ordered(offer)

    assert cost_of(lambda: api.post("/v1/flights/orders", order_body(offer)), 201) == ORDER


def test_a_refusal_costs_no_more_than_finding_out():
    api = api_of_new_partner(scopes=["flights:book"])
    api.get("/v1/flights/orders")

    assert cost_of(lambda: api.get("/v1/account"), 403) == REFUSED_SCOPE
