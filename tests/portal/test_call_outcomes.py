import re
from datetime import timedelta
from html import unescape
from urllib.parse import urlencode

import pytest

from apps.bookings.models import Booking, Operation
from apps.bookings.pruning import prune_idempotency_records
from apps.common import clock
from apps.gateway.models import IdempotencyRecord, IdempotencyState
from tests.factories.gateway import api_of_new_partner
from tests.portal.sample_data import write_down
from tests.support.flight_shop import FlightShop, order_body

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]
PAGE = "/portal/test/call-outcomes/"
KEY = "key of our order 4711"


@pytest.fixture
def order(api) -> dict[str, str]:
    body = {**order_body(FlightShop(api).offer()), "externalReference": "trip-4711"}
    reply = api.post("/v1/flights/orders", body, key=KEY)
    write_down()
    assert reply.status == 201
    return {**reply.body, "requestId": reply.headers["X-Request-Id"]}


def shown(portal, sought: str, page: str = PAGE) -> str:
    answer = portal.get(f"{page}?{urlencode({'q': sought})}")
    assert answer.status_code == 200
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


@pytest.mark.parametrize("by", ["key", "externalReference", "requestId"])
def test_a_call_is_found_by_whatever_is_known_of_it(portal, order, by):
    text = shown(portal, KEY if by == "key" else order[by])
    assert "Done The call succeeded." in text
    assert "Next: Read the booking. Do not send the request again." in text
    assert order["reference"] in text
    assert text.count("First seen") == 1


def test_it_is_still_told_when_the_key_is_forgotten(portal, order):
    before = clock.now() - timedelta(hours=25)
    IdempotencyRecord.objects.update(created_at=before, completed_at=before)
    prune_idempotency_records()
    assert not IdempotencyRecord.objects.exists()
    for sought in (KEY, "trip-4711"):
        assert order["reference"] in shown(portal, sought)


def test_an_open_operation_says_that_it_is_being_found_out(portal, order):
    Operation.objects.update(state="uncertain")
    Booking.objects.update(status="pending", supplier_reference="")
    IdempotencyRecord.objects.update(state=IdempotencyState.RELEASED, status=None, completed_at=None)
    text = shown(portal, KEY)
    assert "Unknown The request may have reached the supplier" in text
    assert "none" in text


def test_a_refusal_asks_for_a_new_key(portal, api):
    api.post("/v1/flights/orders", {}, key=KEY)
    text = shown(portal, KEY)
    assert "Failed The call did nothing" in text
    assert "then send it with a new Idempotency-Key." in text


def test_several_tries_under_one_reference_are_all_told(portal, api, order):
    api.post(f"/v1/flights/orders/{order['id']}/cancel", {}, key="key of its cancellation")
    text = shown(portal, "trip-4711")
    assert text.count("First seen") == 2


def test_what_was_never_seen_says_so(portal, order):
    assert "No call has begun anything under this" in shown(portal, "never-seen-before")
    assert "No call has begun anything under this" in shown(portal, KEY, "/portal/live/call-outcomes/")
    assert "Ask before you send again" in shown(portal, "")


def test_another_accounts_calls_are_not_told(portal, order):
    other = api_of_new_partner(cents=5_000_000)
    body = {**order_body(FlightShop(other).offer()), "externalReference": "trip-of-another"}
    made = other.post("/v1/flights/orders", body, key="key of another account")
    write_down()
    for sought in ("key of another account", "trip-of-another", made.headers["X-Request-Id"]):
        assert "No call has begun anything under this" in shown(portal, sought)
    assert order["reference"] in shown(portal, KEY)
