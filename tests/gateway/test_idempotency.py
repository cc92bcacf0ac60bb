"""One Idempotency-Key, one execution (reliability I1 to I5), through requests."""

from collections import Counter

import pytest

from apps.accounts.models import Account
from apps.bookings.models import Booking
from apps.gateway.models import IdempotencyRecord
from apps.keys.models import ApiKey
from apps.keys.scopes import GRANTABLE
from apps.keys.services import rotate_key
from apps.ledger.models import Hold
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop, order_body
from tests.support.operations import operations
from tests.support.threads import all_at_once

pytestmark = pytest.mark.usefixtures("noon")

SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}
LIMITLESS = {"rate_search": 10**6, "rate_booking": 10**6, "rate_read": 10**6}
KEY = "one-and-the-same-key"


@pytest.fixture
def api(db: None) -> Api:
    return api_of_new_partner(cents=10_000_000, scopes=GRANTABLE)


def replayed(reply: Reply) -> bool:
    return reply.headers.get("Idempotent-Replayed") == "true"


# --- Replays --------------------------------------------------------------------------------------------------------
def test_a_replay_is_the_same_answer_under_a_fresh_request_id(api: Api, supplier_calls: list[str]):
    offer = FlightShop(api).offer()
    first = api.post("/v1/flights/orders", order_body(offer), key=KEY)
    calls = len(supplier_calls)

    replays = [api.post("/v1/flights/orders", order_body(offer), key=KEY) for _ in range(10)]

    assert first.status == 201
    assert not replayed(first)
    assert {(reply.status, reply.content, replayed(reply)) for reply in replays} == {
        (201, first.content, True)
    }
    assert len({reply.headers["X-Request-Id"] for reply in [first, *replays]}) == 11
    assert len({reply.headers["X-RateLimit-Remaining"] for reply in replays}) == 10
    assert (len(supplier_calls), Booking.objects.count()) == (calls, 1)


def test_a_stored_refusal_is_replayed_with_the_request_id_it_is_sent_with(api: Api):
    first, second = (api.post("/v1/flights/searches", {"origin": 1}, key=KEY) for _ in range(2))

    assert (first.status, second.status, replayed(second)) == (400, 400, True)
    assert second.error["requestId"] == second.headers["X-Request-Id"] != first.error["requestId"]
    assert {**first.error, "requestId": ""} == {**second.error, "requestId": ""}


@pytest.mark.parametrize("operation_id", [op.route.id for op in operations() if op.method == "POST"])
def test_every_post_replays_its_answer_byte_for_byte(api: Api, operation_id: str):
    goods = Goods(api)
    path, body = goods.request(operation_id)
    first, second = (api.post(path, body, key=KEY) for _ in range(2))

    assert first.status in {200, 201, 202}
    assert (second.status, second.content) == (first.status, first.content)
    assert (replayed(first), replayed(second)) == (False, True)


@pytest.mark.parametrize(
    ("path", "body"), [("/v1/flights/searches", {**SEARCH, "limit": 5}), ("/v1/hotels/searches", SEARCH)]
)
def test_the_same_key_for_another_body_or_path_is_reuse(api: Api, path: str, body: dict[str, object]):
    assert api.post("/v1/flights/searches", SEARCH, key=KEY).status == 201
    refused = api.post(path, body, key=KEY)

    assert (refused.status, refused.error_type, replayed(refused)) == (409, "idempotency_key_reuse", False)
    assert replayed(api.post("/v1/flights/searches", dict(reversed(SEARCH.items())), key=KEY))


# --- Whose key it is ------------------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_the_same_key_of_others_is_another_key():
    live = api_of_new_partner(environment="live", cents=10**7)
    account = Account.objects.get()
    callers = [live, api_of_new_partner(account=account), api_of_new_partner()]

    replies = [caller.post("/v1/flights/searches", SEARCH, key=KEY) for caller in callers]

    assert [(reply.status, replayed(reply)) for reply in replies] == [(201, False)] * 3
    assert len({reply.body["id"] for reply in replies}) == 3
    assert IdempotencyRecord.objects.filter(key=KEY).count() == 3


def test_another_key_of_the_same_account_may_retry(api: Api):
    first = api.post("/v1/flights/searches", SEARCH, key=KEY)
    rotated = Api(rotate_key(key=ApiKey.objects.get()))
    sibling = api_of_new_partner(account=Account.objects.get())

    for other in (rotated, sibling):
        reply = other.post("/v1/flights/searches", SEARCH, key=KEY)
        assert (reply.content, replayed(reply)) == (first.content, True)


# --- At the same time -----------------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_fifty_calls_at_once_with_one_key_book_once(supplier_calls: list[str]):
    api = api_of_new_partner(cents=10_000_000)
    Account.objects.update(**LIMITLESS)
    body = order_body(FlightShop(api).offer())

    for number in range(3):
        key = f"parallel-key-{number}"
        replies = all_at_once([lambda key=key: Api(api.secret).post("/v1/flights/orders", body, key)] * 50)
        found = Counter((reply.status, reply.error_type, replayed(reply)) for reply in replies)

        assert found[201, None, False] == 1
        assert set(found) <= {
            (201, None, False),
            (201, None, True),
            (409, "idempotency_key_in_progress", False),
        }
        assert len({reply.content for reply in replies if reply.status == 201}) == 1
        assert Booking.objects.count() == number + 1
        assert api.post("/v1/flights/orders", body, key).content == next(
            r.content for r in replies if r.status == 201
        )

    assert supplier_calls.count("book") == 3
    assert Hold.objects.filter(status="captured").count() == Hold.objects.count() == 3
