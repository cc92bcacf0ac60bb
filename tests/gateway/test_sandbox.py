"""What X-Partner-Customer-Ref may say: one of the triggers, or something that was not meant to be one."""

import pytest

from apps.common.errors import (
    InvalidRequest,
)
from apps.gateway import sandbox
from apps.gateway.sandbox import (
    AT_HANDLE,
    TRIGGERS,
    Trigger,
)

EVERYWHERE = frozenset(TRIGGERS)
MISSPELT = [
    *("sbx_", "sbx_é", "sbx_\xc3\xa9", "sbx_slow\xa0", "sbx_slow!", "sbx_slow,sbx_slow", "sbx_slow;q=1"),
    *("sbx_ slow", "\xa0sbx_slow", "\x85sbx_slow", "\u2003sbx_slow", "\ufeffsbx_slow", "sbx_slow\x00"),
    *("sbx_ſlow", "sbx_slow\tx", "sbx_" + "a" * 8_000),
]


@pytest.mark.parametrize("value", [*TRIGGERS, *(f" \t{trigger}\t " for trigger in TRIGGERS)])
def test_these_are_triggers_with_the_spaces_that_http_allows(value: str):
    found = sandbox.read(value, environment="test", applicable=EVERYWHERE)
    assert found == (Trigger(value.strip()), "")
    assert not found[0].by_dial


@pytest.mark.parametrize("value", MISSPELT)
def test_what_was_meant_to_be_one_is_refused_with_all_there_are(value: str):
    with pytest.raises(InvalidRequest) as refusal:
        sandbox.read(value, environment="test", applicable=EVERYWHERE)

    known = ", ".join(TRIGGERS)
    message, detail = f"Unknown sandbox trigger; there are: {known}.", f"must be one of {known}"
    assert (refusal.value.message, refusal.value.own_texts) == (message, {message, detail})
    assert [detail["field"] for detail in refusal.value.extras["details"]] == ["X-Partner-Customer-Ref"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "value", [None, "", " ", "customer-7", "xsbx_slow", "sbx", "sbx-slow", "Ada sbx_slow", "SBX_slow", "é"]
)
def test_anything_else_is_a_reference_of_the_partners(value: str | None):
    assert sandbox.read(value, environment="test", applicable=EVERYWHERE) == (Trigger(), "")


@pytest.mark.parametrize("value", [*TRIGGERS, *MISSPELT])
def test_a_live_key_has_no_triggers_to_misspell(value: str):
    assert sandbox.read(value, environment="live", applicable=EVERYWHERE) == (Trigger(), "")


def test_one_that_does_not_apply_to_the_operation_is_told_as_ignored():
    assert sandbox.read("sbx_slow", environment="test", applicable=AT_HANDLE) == (Trigger(), "sbx_slow")
