"""What the doctor is told of a partner: all of their environments, and nothing of anybody else."""

import base64
import hmac
import json
from datetime import UTC, datetime, timedelta

import pytest

from apps.common import clock
from apps.webhooks.doctor import TEXTS, Pasted, consult_doctor
from apps.webhooks.models import Endpoint, Event
from apps.webhooks.services.endpoints import delete_endpoint, rotate_secret
from apps.webhooks.signatures import signature_headers
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.webhooks import EndpointFactory, EventFactory
from tests.webhooks.sent import BODY, EVENT_ID

pytestmark = pytest.mark.django_db


def pasted(endpoint: Endpoint, *, late: int = 0, event_id: str = EVENT_ID) -> Pasted:
    body = BODY.replace(EVENT_ID.encode(), event_id.encode())
    headers = signature_headers(
        event_id=event_id,
        timestamp=int(clock.now().timestamp()) - late,
        body=body,
        signing_secrets=[endpoint.secret],
    )
    return Pasted({name.lower(): value for name, value in headers.items()}, body)


def codes(endpoint: Endpoint, given: Pasted) -> list[str]:
    return [finding.code for finding in consult_doctor(endpoint=endpoint, pasted=given).findings]


@pytest.fixture
def endpoint() -> Endpoint:
    endpoint = EndpointFactory()
    EventFactory(id=EVENT_ID, account=endpoint.account, payload=BODY.decode())
    return endpoint


def test_secrets_of_other_sandboxes_and_of_live_are_known(endpoint: Endpoint) -> None:
    hidden = AccountFactory(sandbox_of=endpoint.account)
    elsewhere = EndpointFactory(account=hidden, url="https://ci.example/hooks")
    live = EndpointFactory(account=endpoint.account, environment="live")
    for other in (elsewhere, live):
        assert codes(endpoint, pasted(other)) == ["other_endpoint_secret"]
    assert codes(elsewhere, pasted(endpoint)) == ["other_endpoint_secret"]
    assert codes(endpoint, pasted(EndpointFactory(account=AccountFactory()))) == ["unknown_secret"]


def test_an_event_of_another_partner_is_as_unknown_as_one_that_nobody_has(endpoint: Endpoint) -> None:
    assert codes(endpoint, pasted(endpoint)) == []
    for event_id in (EventFactory().pk, "evt_nobodys"):
        assert codes(endpoint, pasted(endpoint, event_id=event_id)) == ["event_unknown"]


def test_a_deleted_endpoint_has_no_secret(endpoint: Endpoint) -> None:
    other = EndpointFactory(account=endpoint.account)
    given = pasted(other)
    delete_endpoint(endpoint=other)
    assert codes(endpoint, given) == ["unknown_secret"]


def test_the_overlap_of_a_rotation_ends_by_the_clock_of_the_environment(endpoint: Endpoint) -> None:
    before = pasted(endpoint, late=60)
    endpoint, _ = rotate_secret(endpoint=endpoint)
    assert codes(endpoint, before) == ["previous_secret"]
    SandboxFactory(account=endpoint.account, clock_offset=timedelta(hours=30))
    diagnosis = consult_doctor(endpoint=endpoint, pasted=before)
    assert [finding.code for finding in diagnosis.findings] == ["previous_secret_ended"]
    assert endpoint.previous_secret_expires_at is not None
    assert clock.rfc3339(endpoint.previous_secret_expires_at) in diagnosis.findings[0].where


@pytest.mark.parametrize("forgotten", [False, True])
@pytest.mark.parametrize(
    ("body", "code", "where"),
    [
        (json.dumps(json.loads(BODY)).encode(), "body_reserialised", "spacing, escaped unicode; they differ"),
        (BODY.replace(b"/", b"\\/"), "body_reserialised", "escaped slashes; they differ from byte"),
        (BODY + b"\n", "body_reserialised", "trailing newline; they differ from byte 189"),
        (b"\xef\xbb\xbf" + BODY, "body_reserialised", "they differ from byte 0"),
        (BODY.decode("latin-1").encode(), "body_charset", "they differ from byte 146"),
    ],
)
def test_a_rewritten_body_is_named_with_its_place(
    endpoint: Endpoint, forgotten: bool, body: bytes, code: str, where: str
) -> None:
    right = pasted(endpoint)
    if forgotten:
        Event.objects.all().delete()
    diagnosis = consult_doctor(endpoint=endpoint, pasted=right._replace(body=body))
    assert (diagnosis.findings[0].code, diagnosis.compared) == (code, not forgotten)
    assert where in diagnosis.findings[0].where


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "body_empty"),
        (BODY[:100], "body_changed"),
        (BODY.replace(b"12000", b"12001"), "body_changed"),
        (b"null", "body_changed"),
        (b"[" * 30_000, "body_changed"),
    ],
)
def test_another_body_than_was_sent_is_named(endpoint: Endpoint, body: bytes, code: str) -> None:
    assert codes(endpoint, pasted(endpoint)._replace(body=body))[0] == code


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("x-service-signature", "t=1764000000", "header_cut"),
        ("x-service-signature", "v1=" + "0" * 64, "header_cut"),
        ("x-service-signature", "t=1764000000,v1=" + "0" * 40, "header_cut"),
        ("x-service-signature", "t=1764000000,v1=" + "0" * 64, "unknown_secret"),
        ("webhook-signature", "v1,AAAA", "header_cut"),
        ("content-type", "application/json", "header_missing"),
    ],
)
def test_an_unreadable_header_is_named(endpoint: Endpoint, name: str, value: str, code: str) -> None:
    assert codes(endpoint, Pasted({name: value}, BODY)) == [code]


def test_nobody_learns_part_of_a_signature(endpoint: Endpoint) -> None:
    """Whoever could ask whether a part of one is right would guess it bit by bit."""
    header = pasted(endpoint).headers["x-service-signature"]
    wrong = header.partition("v1=")[0] + "v1=" + "0" * 64
    told = [
        consult_doctor(endpoint=endpoint, pasted=Pasted({"x-service-signature": each[:-24]}, BODY))
        for each in (header, wrong)
    ]
    assert told[0] == told[1]


def digest_of(given: Pasted, key: bytes, *, head: str = "", body: bytes = BODY) -> str:
    timestamp = given.headers["webhook-timestamp"]
    return hmac.digest(key, (head or f"{timestamp}.").encode() + body, "sha256").hex()


def test_what_the_receivers_code_computed_is_explained(endpoint: Endpoint) -> None:
    right, key = pasted(endpoint), endpoint.secret.encode()
    given = right._replace(
        headers={"x-service-signature": right.headers["x-service-signature"], **right.headers}
    )
    other = EndpointFactory(account=endpoint.account)
    bare = endpoint.secret.removeprefix("whsec_")
    computed = {
        digest_of(given, key): ["comparison"],
        f"v1={digest_of(given, key)}": ["comparison"],
        digest_of(given, base64.b64decode(bare)): ["key_form"],
        digest_of(given, bare.encode()): ["key_form"],
        digest_of(given, other.secret.encode()): ["other_endpoint_secret"],
        digest_of(given, b"nobody's"): ["computed_unknown"],
        base64.b64encode(bytes.fromhex(digest_of(given, key))).decode(): ["signature_encoding"],
        hmac.digest(key, BODY, "sha256").hex(): ["signed_text"],
        "what is this": ["computed_unknown"],
    }
    assert {text: codes(endpoint, given._replace(computed=text)) for text in computed} == computed


@pytest.mark.parametrize(("late", "expected"), [(300, []), (-300, []), (302, ["timestamp_off"])])
def test_five_minutes_are_allowed(endpoint: Endpoint, late: int, expected: list[str]) -> None:
    given = pasted(endpoint)
    signed_at = int(given.headers["webhook-timestamp"])
    arrived = datetime.fromtimestamp(signed_at + late, UTC)
    assert codes(endpoint, given._replace(received_at=arrived)) == expected


def test_no_finding_contains_a_secret_or_a_signature_that_was_not_pasted(endpoint: Endpoint) -> None:
    other = EndpointFactory(account=endpoint.account)
    right = pasted(endpoint).headers
    signatures = [right["webhook-signature"][3:], right["x-service-signature"].partition("v1=")[2]]
    said = "".join(
        repr(consult_doctor(endpoint=endpoint, pasted=Pasted(headers, body, computed)).findings)
        for headers in ({"x-service-signature": "t=1,v1=" + "0" * 64}, pasted(other).headers, {})
        for body in (BODY, b"{}", b"")
        for computed in ("", "00" * 32)
    )
    hidden = [each.secret.removeprefix("whsec_") for each in (endpoint, other)] + signatures
    assert [each for each in hidden if each in said] == []
    assert len(said) > 1_000
    assert all(text.count(". ") >= 1 and text.endswith(".") for text in TEXTS.values())


def test_an_endpoint_is_named_without_what_its_address_asks(endpoint: Endpoint) -> None:
    other = EndpointFactory(account=endpoint.account, url="https://ci.example/hooks?token=secret")
    [finding] = consult_doctor(endpoint=endpoint, pasted=pasted(other)).findings
    assert finding.where == f"https://ci.example/hooks (test, {other.pk})"
