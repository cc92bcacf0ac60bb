"""How many SQL statements and Redis round trips a whole request costs, once its key is known. Every one is latency.

BEGIN and COMMIT are not counted: they travel with their neighbours. A number may only ever be lowered.
"""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.keys import secrets
from apps.keys.models import KeySecret
from apps.keys.scopes import DEFAULT
from apps.keys.services import revoke_key
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop, order_body
from tests.support.trips import counted_redis_trips

pytestmark = pytest.mark.django_db(transaction=True)

# statements, Redis round trips
ACCOUNT = (1, 1)
SEARCH = (2, 1)
SEARCH_REPLAYED = (4, 1)
REPRICE = (3, 1)
ORDER = (5, 1)
REFUSED_SCOPE = (1, 2)
REFUSED_KEY = (1, 2)
REFUSED_JUNK = (0, 1)

BODY = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}
RIDE = {
    "from": {"type": "IATA", "code": "BCN"},
    "to": {"type": "GEO", "latitude": 41.39, "longitude": 2.17},
    "outbound": "2027-02-10T14:30:00",
    "adults": 2,
}


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


@pytest.mark.parametrize(
    ("product", "body"),
    [("hotels", {"destination": {"city": "Lisbon"}}), ("flights", BODY), ("transfers", RIDE)],
)
def test_searching_and_replaying(product: str, body: dict[str, object]):
    api = api_of_new_partner(scopes=DEFAULT)
    path = f"/v1/{product}/searches"
    api.post(path, body)

    assert cost_of(lambda: api.post(path, body, key="counted-key"), 201) == SEARCH
    assert cost_of(lambda: api.post(path, body, key="counted-key"), 201) == SEARCH_REPLAYED


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
    api.get("/v1/account")

    assert cost_of(lambda: api.get("/v1/account"), 403) == REFUSED_SCOPE


@pytest.mark.parametrize("over_the_limit", [False, True])
def test_a_wrong_key_costs_what_refusing_a_right_one_does(over_the_limit: bool, settings):
    """So that how long a refusal took tells nothing, and a flood of guesses costs no more than one statement each."""
    if over_the_limit:
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, "READ": 0}
    refused = 429 if over_the_limit else 401
    right = api_of_new_partner(allowed_ips=["198.51.100.7"])
    revoked = api_of_new_partner()
    revoke_key(key=KeySecret.objects.get(digest=secrets.digest(revoked.secret)).key)
    callers = {
        "right, from a wrong address": (right, 403, REFUSED_KEY),
        "never issued": (Api(secrets.make("test")), refused, REFUSED_KEY),
        "revoked": (revoked, refused, REFUSED_KEY),
        "junk": (Api("svc_test_junk"), refused, REFUSED_JUNK),
    }
    for caller, status, _ in callers.values():
        assert caller.get("/v1/account").status == status

    found = {
        name: cost_of(lambda: caller.get("/v1/account"), status)  # noqa: B023
        for name, (caller, status, _) in callers.items()
    }
    assert found == {name: cost for name, (_, _, cost) in callers.items()}


def test_an_order_needs_no_transaction_of_several_statements():
    """BEGIN and COMMIT are round trips, too."""
    api = api_of_new_partner(cents=10_000_000)
    shop = FlightShop(api)
    offer = shop.offer()

    with CaptureQueriesContext(connection) as captured:
        shop.ordered(offer)
    assert {query["sql"] for query in captured} & {"BEGIN", "COMMIT"} == set()
