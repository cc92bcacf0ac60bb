"""Which secret is found, where several could be."""

import json

import pytest

from apps.webhooks.doctor.matching import KnownSecret
from tests.webhooks.doctor.cases import (
    BODY,
    CURRENT,
    EVENT_ID,
    OTHER,
    PREVIOUS,
    SIGNED_AT,
    codes,
    judged,
    known,
    only,
    signed,
)


@pytest.mark.parametrize("scheme", ["service", "standard"])
@pytest.mark.parametrize(
    "secrets", [(OTHER, PREVIOUS, CURRENT), (CURRENT, PREVIOUS, OTHER)], ids=["last", "first"]
)
def test_the_current_secret_of_the_chosen_endpoint_counts_before_all_others(
    scheme: str, secrets: tuple[KnownSecret, ...]
) -> None:
    assert judged(only(signed(BODY, OTHER, PREVIOUS, CURRENT), scheme), secrets=secrets).findings == []
    assert codes(judged(only(signed(BODY, OTHER, PREVIOUS), scheme), secrets=secrets)) == ["previous_secret"]


def test_a_delivery_without_any_id_is_right_by_its_service_signature() -> None:
    body = b'{"ping":true}'
    diagnosis = judged(only(signed(body), "service"), body, original=None)
    assert (diagnosis.findings, diagnosis.event_id) == ([], "")


def test_of_another_endpoints_secret_the_body_as_it_arrived_and_as_it_was_sent_are_tried() -> None:
    """So that the time for a page stays within bounds, however many endpoints there are."""
    sent_anew = json.dumps(json.loads(BODY), ensure_ascii=False).encode()
    assert codes(judged(signed(BODY, OTHER), sent_anew)) == ["body_reserialised", "other_endpoint_secret"]
    assert codes(judged(signed(BODY, OTHER), sent_anew, original=None))[0] == "unknown_secret"
    assert codes(judged(signed(BODY, PREVIOUS), sent_anew, original=None))[:2] == [
        "body_reserialised",
        "previous_secret",
    ]


def test_of_another_endpoints_secret_the_header_s_own_timestamp_alone_is_tried() -> None:
    headers = {
        "X-Service-Signature": signed(BODY, OTHER)["X-Service-Signature"].replace(
            str(SIGNED_AT), str(SIGNED_AT + 1)
        )
    }
    assert codes(judged(headers, timestamps=(str(SIGNED_AT),))) == ["unknown_secret"]
    beside = {**headers, "webhook-timestamp": str(SIGNED_AT)}
    assert codes(judged(beside)) == ["unknown_secret"]


def test_a_previous_secret_of_another_endpoint_is_told_as_such() -> None:
    elsewhere = known(
        "https://other.example/hooks", endpoint_id="we_other", is_chosen=False, ended_at=PREVIOUS.ended_at
    )
    diagnosis = judged(signed(BODY, elsewhere), secrets=(CURRENT, elsewhere))
    assert [(each.code.value, each.where) for each in diagnosis.findings] == [
        ("other_endpoint_secret", "previous secret, https://other.example/hooks (test, we_other)")
    ]
    assert diagnosis.event_id == EVENT_ID
