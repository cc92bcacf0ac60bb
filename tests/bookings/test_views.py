"""GET /v1/operations through requests."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.models import Operation, PastKey
from apps.bookings.pruning import prune_idempotency_records
from apps.common import clock
from apps.gateway.models import IdempotencyRecord, IdempotencyState
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop, order_body

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("noon")]
KEY = "the-key-of-my-order"


@pytest.fixture
def api() -> Api:
    return api_of_new_partner(cents=10_000_000, scopes=list(ENFORCED))


def ask(api: Api, key: str = KEY) -> Reply:
    return api.get(f"/v1/operations?idempotencyKey={key}")


def told(api: Api, key: str = KEY) -> tuple[str, str]:
    """State and next step."""
    body = ask(api, key).body
    return body["state"], body["next"]["action"]


def ordered(api: Api, key: str = KEY, **headers: str) -> Reply:
    return api.post("/v1/flights/orders", order_body(FlightShop(api).offer()), key=key, **headers)


def test_a_key_that_was_never_seen_is_told_as_such(api: Api) -> None:
    reply = ask(api)
    assert reply.status == 200
    assert reply.body == {
        "idempotencyKey": KEY,
        "operation": None,
        "state": "not_seen",
        "status": None,
        "requestId": None,
        "firstSeenAt": None,
        "answeredAt": None,
        "booking": None,
        "next": {"action": "retry_same_key", "afterSeconds": 0},
    }


def test_it_is_told_after_the_24_hours_of_the_key(api: Api, move_clock: Callable[..., None]) -> None:
    made = ordered(api)
    before = ask(api).body
    move_clock(hours=25)
    late = ask(api).body
    prune_idempotency_records()
    forgotten = ask(api).body
    assert before["booking"]["id"] == made.body["id"]
    assert late == forgotten == before
    assert not IdempotencyRecord.objects.filter(key=KEY).exists()
    assert PastKey.objects.get().key == KEY


def test_a_stored_refusal_needs_a_new_key(api: Api) -> None:
    refused = ordered(api, X_Partner_Customer_Ref="sbx_price_changed")
    found = ask(api).body
    assert refused.status == 409
    assert (found["state"], found["status"], found["next"]["action"]) == ("failed", 409, "use_new_key")


def test_after_a_502_the_same_key_goes_on(api: Api) -> None:
    refused = ordered(api, X_Partner_Customer_Ref="sbx_supplier_error")
    found = ask(api).body
    assert refused.status == 502
    assert (found["state"], found["status"], found["next"]["action"]) == ("failed", None, "retry_same_key")
    assert found["requestId"] == refused.headers["X-Request-Id"]
    assert found["booking"] is None or found["booking"]["status"] == "failed"


def test_a_call_that_runs_is_waited_for(api: Api) -> None:
    ordered(api)
    Operation.objects.all().delete()
    IdempotencyRecord.objects.filter(key=KEY).update(
        state=IdempotencyState.RUNNING,
        completed_at=None,
        status=None,
        lease_until=clock.now() + timedelta(seconds=40),
    )
    found = ask(api).body
    assert found["state"] == "running"
    assert found["next"] == {"action": "wait", "afterSeconds": 5}


def test_the_holder_of_the_external_reference_is_the_booking(api: Api) -> None:
    shop = FlightShop(api)
    body = {**order_body(shop.offer()), "externalReference": "trip-1"}
    made = api.post("/v1/flights/orders", body, key="first-key-of-trip-1")
    again = api.post("/v1/flights/orders", body, key=KEY)
    found = ask(api).body
    assert (made.status, again.status) == (201, 409)
    assert (found["state"], found["next"]["action"]) == ("failed", "read_booking")
    assert found["booking"]["id"] == made.body["id"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "is required"),
        ("?idempotencyKey=", "is required"),
        ("?idempotencyKey=short", "must have 8 to 255 printable ASCII characters"),
        ("?idempotencyKey=a%00bcdefgh", "must have 8 to 255 printable ASCII characters"),
    ],
)
def test_what_is_no_key_is_refused(api: Api, query: str, said: str) -> None:
    reply = api.get(f"/v1/operations{query}")
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    assert reply.error["details"] == [{"field": "idempotencyKey", "message": said}]


def test_the_scope_of_the_operation_is_needed(api: Api) -> None:
    ordered(api)
    (key,) = ApiKey.objects.all()
    other = api_of_new_partner(account=key.account, scopes=["hotels:book"])
    refused, unseen = ask(other), ask(other, "never-seen-before")
    assert (refused.status, refused.error["missingScope"]) == (403, "flights:book")
    assert (unseen.status, unseen.body["state"]) == (200, "not_seen")


def test_other_accounts_and_environments_see_nothing(api: Api) -> None:
    ordered(api)
    stranger = api_of_new_partner(scopes=list(ENFORCED))
    account = ApiKey.objects.order_by("created_at")[0].account
    live = api_of_new_partner(account=account, environment="live", scopes=list(ENFORCED))
    assert told(stranger) == told(live) == ("not_seen", "retry_same_key")
    assert told(api) == ("done", "read_booking")


def test_the_24_hours_are_those_of_the_sandboxs_clock(api: Api) -> None:
    made = ordered(api)
    search = {"origin": "LIS", "destination": "BER", "departureDate": "2027-02-10"}
    api.post("/v1/flights/searches", search, key="the-key-of-a-search")
    moved = api.post("/sandbox/clock", {"advanceSeconds": 25 * 3600}, key="the-key-of-the-move")
    assert moved.status == 200
    assert ask(api).body["booking"]["id"] == made.body["id"]
    assert told(api, "the-key-of-a-search") == ("not_seen", "retry_same_key")
    assert ask(api, "the-key-of-the-move").body["operation"] is not None
