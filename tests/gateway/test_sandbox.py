"""What X-Partner-Customer-Ref may say: one of six triggers, or something that was not meant to be one."""

import pytest

from apps.common.errors import InvalidRequest
from apps.gateway import sandbox
from apps.gateway.sandbox import AT_BOOKING, TRIGGERS, Trigger
from tests.factories.gateway import api_of_new_partner

SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}

MISSPELT = [
    *("sbx_", "sbx_é", "sbx_\xc3\xa9", "sbx_slow\xa0", "sbx_slow!", "sbx_slow,sbx_slow", "sbx_slow;q=1"),
    *("sbx_ slow", "\xa0sbx_slow", "\x85sbx_slow", "\u2003sbx_slow", "\ufeffsbx_slow", "sbx_slow\x00"),
    *("sbx_ſlow", "sbx_slow\tx", "sbx_" + "a" * 8_000),
]


@pytest.mark.parametrize("value", [*TRIGGERS, *(f" \t{trigger}\t " for trigger in TRIGGERS)])
def test_the_six_are_triggers_with_the_spaces_that_http_allows(value: str):
    found = sandbox.read(value, environment="test", applicable=AT_BOOKING)
    assert found == (Trigger(value.strip()), "")


@pytest.mark.parametrize("value", MISSPELT)
def test_what_was_meant_to_be_one_is_refused_with_the_six(value: str):
    with pytest.raises(InvalidRequest) as refusal:
        sandbox.read(value, environment="test", applicable=AT_BOOKING)

    assert all(trigger in refusal.value.message for trigger in TRIGGERS)
    assert [detail["field"] for detail in refusal.value.extras["details"]] == ["X-Partner-Customer-Ref"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "value", [None, "", " ", "customer-7", "xsbx_slow", "sbx", "sbx-slow", "Ada sbx_slow", "SBX_slow", "é"]
)
def test_anything_else_is_a_reference_of_the_partners(value: str | None):
    assert sandbox.read(value, environment="test", applicable=AT_BOOKING) == (Trigger(), "")


@pytest.mark.parametrize("value", [*TRIGGERS, *MISSPELT])
def test_a_live_key_has_no_triggers_to_misspell(value: str):
    assert sandbox.read(value, environment="live", applicable=AT_BOOKING) == (Trigger(), "")


@pytest.mark.django_db
def test_a_misspelt_trigger_is_refused_before_the_key_is_claimed():
    api = api_of_new_partner()
    refused = api.post("/v1/flights/searches", SEARCH, key="misspelt-trigger", X_Partner_Customer_Ref="sbx_é")
    repaired = api.post("/v1/flights/searches", SEARCH, key="misspelt-trigger")

    assert (refused.status, refused.error_type, repaired.status) == (400, "invalid_request", 201)
