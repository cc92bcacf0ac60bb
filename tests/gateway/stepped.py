"""A call as a check of the gateway meets it, for the tests of `apps/gateway/steps.py`."""

from typing import Any

import pytest
from django.test import RequestFactory

from apps.common.errors import GatewayError
from apps.gateway import steps
from apps.gateway.call import Call
from apps.gateway.rate_limits import Window
from apps.gateway.routes import RateClass, Route
from apps.keys.partner import Partner

SEARCH = Route("search", scope="flights:search", rate_class=RateClass.SEARCH, answer=None, product="flights")
READ = Route("read", scope="flights:book", rate_class=RateClass.READ, answer=None, inactive_status=402)
PARTNER = Partner(
    "acc_a", "active", "key_a", "test", frozenset({"flights:book", "flights:search"}), (), "EUR", 0
)
ADDRESS = "198.51.100.7"
FULL = Window(limit=5, used=5, reset_at=4_000_000_000, admitted=False)


def call_of(method: str = "GET", body: bytes = b"", **sent: Any) -> Call:
    request = RequestFactory().generic(method, "/v1/flights", body, REMOTE_ADDR=ADDRESS, **sent)
    call = Call(request, "a-request", {"GET": READ, "POST": SEARCH}, {})
    call.partner_found = PARTNER
    return call


def refused(step: steps.Check, call: Call, kind: type[GatewayError]) -> GatewayError:
    with pytest.raises(kind) as refusal:
        step(call)
    return refusal.value
