"""Traces: what this service adds to OpenTelemetry's instrumentations, and that nothing of them is loaded while they are off."""

import os
import subprocess
import sys
from typing import Any

import pytest
from opentelemetry.trace import StatusCode

from apps.common import tracing
from apps.common.errors import Conflict
from apps.common.tracing_sdk import discreet
from apps.gateway.models import IdempotencyRecord
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Terms, onboard_partner
from tests.support.api import Api
from tests.support.flight_shop import FlightShop, order_body
from tests.support.recorded import recording

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
STARTED = "import django, sys; django.setup(); print([name for name in sys.modules if 'opentelemetry.inst' in name])"
"""redis-py imports the API by itself, if it is installed."""


@pytest.mark.parametrize(
    ("traceparent", "told"),
    [
        (f"00-{TRACE}-00f067aa0ba902b7-01", TRACE),
        (f"01-{TRACE}-00f067aa0ba902b7-01-of a later version", TRACE),
        ("", ""),
        (f"00-{TRACE.upper()}-00f067aa0ba902b7-01", ""),
        (f"ff-{TRACE}-00f067aa0ba902b7-01", ""),
        (f"00-{'0' * 32}-00f067aa0ba902b7-01", ""),
        (f"00-{TRACE}-{'0' * 16}-01", ""),
        (f"00-{TRACE}-00f067aa0ba902b7-01-more", ""),
        (f"00-{TRACE}-00f067aa0ba902b7-01 Ada Byron", ""),
        (f"00-{TRACE}-00f067aa0ba902b7", ""),
        ("Ada Byron", ""),
    ],
)
def test_the_id_of_a_trace_is_taken_from_a_valid_header(traceparent: str, told: str) -> None:
    assert tracing.trace_id_of(traceparent) == told


def test_a_refusal_of_the_caller_is_no_failure() -> None:
    with recording() as recorded:
        with pytest.raises(Conflict), tracing.within("refused"):
            raise Conflict
        with pytest.raises(ZeroDivisionError), tracing.within("broken"):
            _ = 1 / 0
    refused, broken = recorded.named("refused"), recorded.named("broken")
    assert refused.attributes == {"error.type": "conflict"}
    assert broken.attributes == {"error.type": "ZeroDivisionError"}
    assert (refused.status.status_code, broken.status.status_code) == (StatusCode.UNSET, StatusCode.ERROR)
    assert broken.events == ()


def test_later_work_is_a_part_of_what_was_stored() -> None:
    with recording() as recorded:
        with tracing.within("call"):
            kept = tracing.stored()
            assert tracing.log_ids() == {"traceId": kept[:16].hex(), "spanId": kept[16:].hex()}
        with tracing.continued(kept, "later", booking_id="bkg_1"):
            pass
        with tracing.continued(None, "never"):
            pass
    assert [span.name for span in recorded.spans] == ["call", "later"]
    later = recorded.named("later")
    assert later.parent.span_id == recorded.named("call").context.span_id
    assert later.attributes == {"travel_partner.booking_id": "bkg_1"}


def test_addresses_and_texts_of_exceptions_are_not_sent() -> None:
    with recording() as recorded, tracing.within("call"):
        from apps.common import tracing_sdk

        span: Any = tracing_sdk.current()
        span.set_attributes({"http.url": "/v1/bookings?name=Ada", "http.method": "GET"})
        span.record_exception(ValueError("Ada"))
        span.set_status(StatusCode.ERROR, "ValueError: Ada")
    sent = discreet(recorded.named("call"))
    assert (sent.attributes, sent.events, sent.status.description) == ({"http.method": "GET"}, (), None)
    assert sent.status.status_code is StatusCode.ERROR


@pytest.mark.django_db(transaction=True)
def test_a_call_says_whose_it_was_and_a_retry_is_linked_to_the_first() -> None:
    terms = Terms(name="Acme", currency="EUR", balance_cents=900_000, scopes=ENFORCED)
    api = Api(onboard_partner(terms).test_secret)
    body = order_body(FlightShop(api).offer())
    with recording() as first, tracing.within("call"):
        assert api.post("/v1/flights/orders", body, "a-key-of-mine").status == 201
    call = first.named("createFlightOrder")
    with recording() as second, tracing.within("call"):
        assert api.post("/v1/flights/orders", body, "a-key-of-mine").status == 201
    replay = second.named("createFlightOrder")
    assert call.attributes["travel_partner.environment"] == "test"
    assert replay.attributes["travel_partner.replayed"] is True
    assert [link.context.trace_id for link in replay.links] == [call.context.trace_id]
    assert IdempotencyRecord.objects.get(key="a-key-of-mine").trace_context is not None


def started(**variables: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings_test", **variables}
    return subprocess.run(
        [sys.executable, "-c", STARTED], env=environment, capture_output=True, text=True, check=True
    )


def test_without_a_collector_nothing_of_opentelemetry_is_imported() -> None:
    assert started().stdout.strip() == "[]"
