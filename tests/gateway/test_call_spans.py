"""The span of a call: its operation, how it ended, whose it was; and what a retry is linked to."""

import pytest

from apps.common.tracing import spans
from apps.gateway.models import IdempotencyRecord
from apps.keys.scopes import ENFORCED
from apps.onboarding.services.onboard_partner import Onboarded, Terms, onboard_partner
from tests.support.api import Api
from tests.support.flight_shop import FlightShop, order_body
from tests.support.recorded import recording

pytestmark = pytest.mark.django_db(transaction=True)

CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def onboarded(db: None) -> Onboarded:
    return onboard_partner(Terms(name="Acme", currency="EUR", balance_cents=900_000, scopes=ENFORCED))


@pytest.fixture
def api(onboarded: Onboarded) -> Api:
    return Api(onboarded.test_secret)


def test_a_call_is_named_by_its_operation_and_tells_how_it_ended(api: Api, onboarded: Onboarded) -> None:
    with recording() as recorded:
        reply = api.get("/v1/account", traceparent=CALLER)
    assert reply.status == 200
    call = recorded.named("getAccount")
    assert (call.parent_id, call.error) == (0x00F067AA0BA902B7, None)
    assert call.attributes == {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "travel_partner.request_id": reply.headers["X-Request-Id"],
        "travel_partner.account_id": onboarded.account.id,
        "travel_partner.environment": "test",
    }
    assert "gate" in recorded.within(call)
    assert not {"traceparent", "tracestate"} & {name.lower() for name in reply.headers}


def test_a_refusal_says_which_and_did_not_fail(api: Api) -> None:
    with recording() as recorded:
        assert api.post("/v1/flights/searches", {}).status == 400
        assert Api("svc_test_nobody").get("/v1/account").status == 401
        assert api.get("/v1/nothing").status == 404
        assert api.send("PUT", "/v1/account").status == 405
    search, account, nowhere, no_method = (span for span in recorded if span.kind == 1)
    assert [span.attributes["error.type"] for span in (search, account)] == [
        "invalid_request",
        "invalid_api_key",
    ]
    assert (search.name, account.name, nowhere.name) == ("searchFlights", "getAccount", "no operation")
    assert nowhere.attributes["http.response.status_code"] == 404
    assert (no_method.name, no_method.attributes["http.response.status_code"]) == ("no operation", 405)
    # A Redis that was just started is told its scripts when it does not know them.
    assert {span.attributes["error.type"] for span in recorded if span.error} <= {"NoScriptError"}


def test_a_failure_of_the_supplier_is_a_span_that_failed(api: Api) -> None:
    shop = FlightShop(api)
    offer = shop.offer()
    with recording() as recorded:
        assert shop.order(offer, X_Partner_Customer_Ref="sbx_supplier_error").status == 502
    assert recorded.named("createFlightOrder").error == "upstream_error"


def test_a_retry_is_linked_to_the_call_that_had_the_key_first(api: Api) -> None:
    body = order_body(FlightShop(api).offer())
    with recording() as first:
        assert api.post("/v1/flights/orders", body, "a-key-of-mine").status == 201
    with recording() as second:
        assert api.post("/v1/flights/orders", body, "a-key-of-mine").status == 201
    call, replay = first.named("createFlightOrder"), second.named("createFlightOrder")
    assert replay.attributes["travel_partner.replayed"] is True
    assert replay.trace_id != call.trace_id
    assert [ids[0] for ids in second.named("gate").links] == [call.trace_id]


def test_a_retry_is_linked_to_nothing_where_the_first_call_was_not_recorded(api: Api) -> None:
    body = order_body(FlightShop(api).offer())
    with recording(sampled=False) as first:
        assert api.post("/v1/flights/orders", body, "a-key-of-mine").status == 201
    with recording() as second:
        assert api.post("/v1/flights/orders", body, "a-key-of-mine").status == 201
    assert first == []
    assert second.named("gate").links == []
    assert IdempotencyRecord.objects.get(key="a-key-of-mine").trace_context is None


@pytest.mark.parametrize("traceparent", ["nonsense", CALLER.upper(), CALLER + "-more", "ff" + CALLER[2:]])
def test_a_header_that_is_wrong_begins_a_trace_of_its_own(api: Api, traceparent: str) -> None:
    with recording() as recorded:
        assert api.get("/v1/account", traceparent=traceparent).status == 200
    call = recorded.named("getAccount")
    assert call.parent_id == 0
    assert call.trace_id != 0x4BF92F3577B34DA6A3CE929D0E0E4736


def test_while_traces_are_off_no_call_begins_one(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr(spans, "is_on", False)
    monkeypatch.setattr(spans, "begin_trace", lambda *span: begun.append(span))
    assert api.get("/v1/account").status == 200
    assert begun == []
