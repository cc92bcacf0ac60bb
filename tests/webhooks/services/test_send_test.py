"""Test deliveries and samples."""

from datetime import timedelta

import pytest

from apps.accounts.actors import SUPPORT
from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.onboarding.sandboxes import reset_sandbox
from apps.webhooks.events import EMITTED, TEST
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint, Event
from apps.webhooks.services.endpoints import disable_endpoint
from apps.webhooks.services.recover import Selection, preview
from apps.webhooks.services.send_test import send_sample, send_test
from tests.factories.webhooks import EndpointFactory
from tests.support.receiver import Receiver
from tests.webhooks.conftest import Deliver

pytestmark = pytest.mark.django_db


@pytest.mark.django_db
def test_a_call_that_a_reset_overtakes_sends_no_test_of_the_new_environment(endpoint: Endpoint) -> None:
    """The endpoint has moved there by then; what was asked for before is not seen afterwards."""
    before = Endpoint.objects.get(pk=endpoint.pk)
    reset_sandbox(account_id=endpoint.account_id)
    with pytest.raises(Conflict) as refused:
        send_test(endpoint=before)
    assert refused.value.own_texts == {"This test environment was reset or closed in the meantime."}
    assert Delivery.objects.count() == 0
    assert send_test(endpoint=Endpoint.objects.get(pk=endpoint.pk)).status == DeliveryStatus.PENDING


def test_each_type_arrives_as_its_sample_signed_and_marked(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    types = sorted(EMITTED | {TEST})
    for type in types:
        send_sample(endpoint=endpoint, type=type, actor=SUPPORT)
    assert deliver() == len(types)
    got = {received.json["type"]: received for received in receiver.requests}
    assert sorted(got) == types
    assert all(received.json["data"]["sample"] is True for received in got.values())
    assert all(received.json["environment"] == "test" for received in got.values())
    assert all(received.json["id"] == received.headers["webhook-id"] for received in got.values())
    assert all("X-Service-Signature" in received.headers for received in got.values())
    assert set(Delivery.objects.values_list("status", "event_type")) == {("DELIVERED", TEST)}


def test_it_is_nothing_that_happened(endpoint: Endpoint) -> None:
    """A sibling that subscribes to the type has not missed it."""
    sibling = EndpointFactory(account=endpoint.account, created_at=clock.now() - timedelta(hours=1))
    since = clock.now() - timedelta(minutes=5)
    Event.objects.create(account=endpoint.account, environment="test", type="booking.confirmed", payload="{}")
    send_sample(endpoint=endpoint, type="booking.confirmed", actor=SUPPORT)
    assert preview(endpoint=sibling, selection=Selection(since, include_missed=True)).missed == 1
    assert Event.objects.exclude(booking_id="").count() == 0


def test_a_live_a_disabled_endpoint_and_a_type_without_sample_are_refused(endpoint: Endpoint) -> None:
    live, disabled = EndpointFactory(environment="live"), EndpointFactory()
    disable_endpoint(endpoint=disabled)
    before = AccountAuditEntry.objects.count()
    for refused, reason in ((live, "test environment alone"), (disabled, "This endpoint is disabled")):
        with pytest.raises(Conflict, match=reason) as refusal:
            send_sample(endpoint=refused, type="booking.confirmed", actor=SUPPORT)
        assert refusal.value.own_texts == {refusal.value.message}
    for type, name in (("booking.failed", ""), ("booking.confirmed", "unheard")):
        with pytest.raises(NotFound) as unknown:
            send_sample(endpoint=endpoint, type=type, name=name, actor=SUPPORT)
        assert unknown.value.own_texts == {"There is no sample of this event."}
    assert (Delivery.objects.count(), Event.objects.count()) == (0, 0)
    assert AccountAuditEntry.objects.count() == before
