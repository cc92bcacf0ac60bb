"""GET /v1/operations through requests."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.models import Operation, PastKey
from apps.bookings.outcomes import outcome_of_key
from apps.bookings.pruning import prune_idempotency_records
from apps.bookings.views import refuse_other_scopes
from apps.common import clock
from apps.common.errors import InsufficientScope
from apps.gateway.models import IdempotencyRecord, IdempotencyState
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import issued_key
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


def test_a_booking_that_was_made_is_named(api: Api) -> None:
    made = ordered(api)
    found = ask(api).body
    record = IdempotencyRecord.objects.get(key=KEY)
    assert made.status == 201
    assert found == {
        "idempotencyKey": KEY,
        "operation": "createFlightOrder",
        "state": "done",
        "status": 201,
        "requestId": made.headers["X-Request-Id"],
        "firstSeenAt": clock.rfc3339(record.created_at),
        "answeredAt": clock.rfc3339(record.completed_at),
        "booking": {
            "bookingType": "flight",
            "id": made.body["id"],
            "reference": made.body["reference"],
            "status": "ticketed",
        },
        "next": {"action": "read_booking", "afterSeconds": 0},
    }


def test_the_booking_is_named_as_it_is_now(api: Api) -> None:
    made = ordered(api)
    api.post(f"/v1/flights/orders/{made.body['id']}/cancel", {}, key="the-key-of-its-end")
    assert ask(api).body["booking"]["status"] == "cancelled"
    ended = ask(api, "the-key-of-its-end").body
    assert (ended["operation"], ended["state"], ended["booking"]["id"]) == (
        "cancelFlightOrder",
        "done",
        made.body["id"],
    )


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


def test_a_key_that_is_used_again_after_its_24_hours_tells_of_the_newer_call(
    api: Api, move_clock: Callable[..., None]
) -> None:
    ordered(api)
    move_clock(hours=25)
    again = ordered(api)
    assert ask(api).body["booking"]["id"] == again.body["id"]
    assert PastKey.objects.count() == 1


def test_a_search_is_forgotten_with_its_key(api: Api, move_clock: Callable[..., None]) -> None:
    search = {"origin": "LIS", "destination": "BER", "departureDate": "2027-02-10"}
    api.post("/v1/flights/searches", search, key=KEY)
    assert told(api) == ("done", "retry_same_key")
    move_clock(hours=25)
    assert told(api) == ("not_seen", "retry_same_key")
    prune_idempotency_records()
    assert told(api) == ("not_seen", "retry_same_key")
    assert not PastKey.objects.exists()


def test_a_stored_refusal_needs_a_new_key(api: Api) -> None:
    refused = ordered(api, X_Partner_Customer_Ref="sbx_price_changed")
    found = ask(api).body
    assert refused.status == 409
    assert (found["state"], found["status"], found["next"]["action"]) == ("failed", 409, "use_new_key")


def test_a_refusal_before_anything_began_needs_a_new_key(api: Api) -> None:
    api.post("/v1/flights/orders", {"offerId": 1}, key=KEY)
    found = ask(api).body
    assert (found["state"], found["status"], found["booking"]) == ("failed", 400, None)
    assert found["next"]["action"] == "use_new_key"


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


def test_a_claim_that_ran_out_before_anything_began_is_tried_again(api: Api) -> None:
    ordered(api)
    Operation.objects.all().delete()
    IdempotencyRecord.objects.filter(key=KEY).update(
        state=IdempotencyState.RUNNING, completed_at=None, status=None, lease_until=clock.now()
    )
    assert told(api) == ("failed", "retry_same_key")


def test_another_body_does_not_change_what_the_key_tells(api: Api) -> None:
    made = ordered(api)
    reused = api.post("/v1/flights/orders", {"offerId": "other"}, key=KEY)
    assert reused.error_type == "idempotency_key_reuse"
    assert ask(api).body["booking"]["id"] == made.body["id"]


def test_the_holder_of_the_external_reference_is_the_booking(api: Api) -> None:
    shop = FlightShop(api)
    body = {**order_body(shop.offer()), "externalReference": "trip-1"}
    made = api.post("/v1/flights/orders", body, key="first-key-of-trip-1")
    again = api.post("/v1/flights/orders", body, key=KEY)
    found = ask(api).body
    assert (made.status, again.status) == (201, 409)
    assert (found["state"], found["next"]["action"]) == ("failed", "read_booking")
    assert found["booking"]["id"] == made.body["id"]


def test_an_order_that_exists_already_is_the_booking(api: Api) -> None:
    plan = api.get("/v1/esim/plans?limit=1").body["data"][0]["id"]
    body = {"planId": plan, "externalReference": "esim-1"}
    made = api.post("/v1/esim/orders", body, key="first-key-of-esim-1")
    again = api.post("/v1/esim/orders", body, key=KEY)
    found = ask(api).body
    assert (made.status, again.status) == (201, 200)
    assert (found["state"], found["status"], found["next"]["action"]) == ("done", 200, "read_booking")
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


def test_a_key_sent_twice_is_refused(api: Api) -> None:
    reply = api.get(f"/v1/operations?idempotencyKey={KEY}&idempotencyKey={KEY}")
    assert (reply.status, reply.error_type) == (400, "invalid_request")


def test_the_scope_of_the_operation_is_needed(api: Api) -> None:
    ordered(api)
    (key,) = ApiKey.objects.all()
    other = api_of_new_partner(account=key.account, scopes=["hotels:book"])
    refused, unseen = ask(other), ask(other, "never-seen-before")
    assert (refused.status, refused.error["missingScope"]) == (403, "flights:book")
    assert (unseen.status, unseen.body["state"]) == (200, "not_seen")


def test_whoever_reads_the_log_is_told_which_scope_the_key_lacks_and_which_it_has(api: Api) -> None:
    ordered(api)
    (key,) = ApiKey.objects.all()
    _, secret = issued_key(key.account, scopes=["hotels:book"])
    outcome = outcome_of_key(key.account_id, key.environment, KEY, now=clock.now())
    with pytest.raises(InsufficientScope) as refused:
        refuse_other_scopes(authentication.look_up(secret), outcome)
    assert refused.value.why == (
        "The Idempotency-Key's operation needs the scope flights:book; the key has hotels:book."
    )


def test_the_scope_of_a_search_is_needed_to_ask_for_it(api: Api) -> None:
    search = {"origin": "LIS", "destination": "BER", "departureDate": "2027-02-10"}
    api.post("/v1/flights/searches", search, key=KEY)
    account = ApiKey.objects.get().account
    refused = ask(api_of_new_partner(account=account, scopes=["flights:book"]))
    assert (refused.status, refused.error["missingScope"]) == (403, "flights:search")
    assert ask(api_of_new_partner(account=account, scopes=["flights:search"])).status == 200


def test_other_accounts_and_environments_see_nothing(api: Api) -> None:
    ordered(api)
    stranger = api_of_new_partner(scopes=list(ENFORCED))
    account = ApiKey.objects.order_by("created_at")[0].account
    live = api_of_new_partner(account=account, environment="live", scopes=list(ENFORCED))
    assert told(stranger) == told(live) == ("not_seen", "retry_same_key")
    assert told(api) == ("done", "read_booking")


def test_a_call_of_the_release_before_is_told_without_its_operation(api: Api) -> None:
    made = ordered(api)
    IdempotencyRecord.objects.update(operation="", request_id="")
    found = ask(api).body
    assert (found["operation"], found["requestId"], found["state"]) == (None, None, "done")
    assert found["booking"]["id"] == made.body["id"]


def test_a_call_of_the_release_before_needs_the_scope_of_its_booking(api: Api) -> None:
    ordered(api)
    search = {"origin": "LIS", "destination": "BER", "departureDate": "2027-02-10"}
    api.post("/v1/flights/searches", search, key="the-key-of-a-search")
    IdempotencyRecord.objects.update(operation="")
    other = api_of_new_partner(account=ApiKey.objects.get().account, scopes=["hotels:book"])
    refused, search_told = ask(other), ask(other, "the-key-of-a-search")
    assert (refused.status, refused.error["missingScope"]) == (403, "flights:book")
    assert (search_told.status, search_told.body["state"]) == (200, "done")


def test_the_24_hours_are_those_of_the_sandboxs_clock(api: Api) -> None:
    made = ordered(api)
    search = {"origin": "LIS", "destination": "BER", "departureDate": "2027-02-10"}
    api.post("/v1/flights/searches", search, key="the-key-of-a-search")
    moved = api.post("/sandbox/clock", {"advanceSeconds": 25 * 3600}, key="the-key-of-the-move")
    assert moved.status == 200
    assert ask(api).body["booking"]["id"] == made.body["id"]
    assert told(api, "the-key-of-a-search") == ("not_seen", "retry_same_key")
    assert ask(api, "the-key-of-the-move").body["operation"] is not None
