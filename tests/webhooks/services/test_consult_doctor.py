"""What the doctor is told of a partner: all of their environments, and nothing of anybody else."""

from datetime import timedelta

import pytest

from apps.common import clock
from apps.webhooks.doctor.diagnosis import Pasted
from apps.webhooks.doctor.pasted import headers_of
from apps.webhooks.models import Attempt, Delivery, Endpoint
from apps.webhooks.services.consult_doctor import consult_doctor
from apps.webhooks.services.endpoints import delete_endpoint
from apps.webhooks.services.rotate_secret import rotate_secret
from apps.webhooks.signatures import signature_headers
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.webhooks.doctor.cases import BODY, EVENT_ID

pytestmark = pytest.mark.django_db


def pasted(endpoint: Endpoint, *, late: int = 0, event_id: str = EVENT_ID) -> Pasted:
    body = BODY.replace(EVENT_ID.encode(), event_id.encode())
    headers = signature_headers(
        event_id=event_id,
        timestamp=int(clock.now().timestamp()) - late,
        body=body,
        signing_secrets=[endpoint.secret],
    )
    return Pasted(headers_of("\n".join(f"{name}: {value}" for name, value in headers.items())), body)


def codes(endpoint: Endpoint, given: Pasted) -> list[str]:
    return [finding.code.value for finding in consult_doctor(endpoint=endpoint, pasted=given).findings]


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
    assert [finding.code.value for finding in diagnosis.findings] == ["previous_secret_ended"]
    assert endpoint.previous_secret_expires_at is not None
    assert clock.rfc3339(endpoint.previous_secret_expires_at) in diagnosis.findings[0].where


def test_the_overlap_of_a_live_rotation_ends_by_the_real_clock(endpoint: Endpoint) -> None:
    """The clock of the sandbox that is stored under the same account is none of its own."""
    live = EndpointFactory(account=endpoint.account, environment="live")
    before = pasted(live, late=60)
    rotate_secret(endpoint=live)
    SandboxFactory(account=endpoint.account, clock_offset=timedelta(hours=30))
    live.refresh_from_db()
    assert codes(live, before) == ["previous_secret"]


def test_the_times_of_attempts_are_known(endpoint: Endpoint) -> None:
    delivery = DeliveryFactory(
        endpoint=endpoint, event_id=EVENT_ID, event=None, event_type="booking.confirmed"
    )
    signed_at = int(clock.now().timestamp()) - 40
    Attempt.objects.create(
        delivery=delivery,
        number=1,
        attempted_at=clock.now(),
        duration_ms=1,
        request_headers={"webhook-timestamp": str(signed_at)},
    )
    headers = signature_headers(
        event_id=EVENT_ID, timestamp=signed_at, body=BODY, signing_secrets=[endpoint.secret]
    )
    altered = headers["X-Service-Signature"].replace(str(signed_at), str(signed_at + 9))
    given = Pasted([("x-service-signature", altered)], BODY)
    assert codes(endpoint, given) == ["timestamp_changed"]


def attempt_at(endpoint: Endpoint, signed_at: int, *, number: int, delivery: Delivery) -> None:
    Attempt.objects.create(
        delivery=delivery,
        number=number,
        attempted_at=clock.now(),
        duration_ms=1,
        request_headers={"webhook-timestamp": str(signed_at)},
    )


def altered(endpoint: Endpoint, signed_at: int) -> Pasted:
    """A delivery whose timestamp is nine seconds off."""
    headers = signature_headers(
        event_id=EVENT_ID, timestamp=signed_at, body=BODY, signing_secrets=[endpoint.secret]
    )
    value = headers["X-Service-Signature"].replace(str(signed_at), str(signed_at + 9))
    return Pasted([("x-service-signature", value)], BODY)


def test_the_times_of_the_ten_newest_attempts_of_this_event_are_known(endpoint: Endpoint) -> None:
    delivery = DeliveryFactory(
        endpoint=endpoint, event_id=EVENT_ID, event=None, event_type="booking.confirmed"
    )
    first = int(clock.now().timestamp()) - 200
    for number in range(1, 12):
        attempt_at(endpoint, first + 10 * number, number=number, delivery=delivery)
    found = [codes(endpoint, altered(endpoint, first + 10 * number)) for number in (1, 2, 11)]
    assert found == [["unknown_secret"], ["timestamp_changed"], ["timestamp_changed"]]
    attempt_at(endpoint, first, number=12, delivery=DeliveryFactory(endpoint=endpoint))
    sibling = DeliveryFactory(
        endpoint=EndpointFactory(account=endpoint.account), event=delivery.event, event_type="x"
    )
    attempt_at(endpoint, first, number=12, delivery=sibling)
    assert codes(endpoint, altered(endpoint, first)) == ["unknown_secret"]


def test_an_endpoint_is_named_without_what_its_address_asks(endpoint: Endpoint) -> None:
    other = EndpointFactory(account=endpoint.account, url="https://ci.example/hooks?token=secret")
    [finding] = consult_doctor(endpoint=endpoint, pasted=pasted(other)).findings
    assert finding.where == f"https://ci.example/hooks (test, {other.pk})"
