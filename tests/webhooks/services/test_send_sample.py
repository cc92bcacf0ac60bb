from datetime import timedelta

import pytest

from apps.accounts.actors import SUPPORT
from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.webhooks.events import EMITTED, TEST
from apps.webhooks.models import Delivery, Endpoint, Event
from apps.webhooks.services.endpoints import disable_endpoint
from apps.webhooks.services.recover import Selection, preview
from apps.webhooks.services.send_test import send_sample
from tests.factories.webhooks import EndpointFactory
from tests.support.receiver import Receiver
from tests.webhooks.conftest import Deliver

pytestmark = pytest.mark.django_db


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


def test_it_is_a_new_event_of_now_each_time(endpoint: Endpoint) -> None:
    first, second = (
        send_sample(endpoint=endpoint, type="booking.confirmed", name="flight", actor=SUPPORT)
        for _ in range(2)
    )
    assert first.event_id != second.event_id
    assert first.event.created_at >= clock.now() - timedelta(minutes=1)
    assert '"bookingType":"flight"' in first.event.payload


def test_it_is_nothing_that_happened(endpoint: Endpoint) -> None:
    """A sibling that subscribes to the type has not missed it."""
    sibling = EndpointFactory(account=endpoint.account, created_at=clock.now() - timedelta(hours=1))
    since = clock.now() - timedelta(minutes=5)
    Event.objects.create(account=endpoint.account, environment="test", type="booking.confirmed", payload="{}")
    send_sample(endpoint=endpoint, type="booking.confirmed", actor=SUPPORT)
    assert preview(endpoint=sibling, selection=Selection(since, include_missed=True)).missed == 1
    assert Event.objects.exclude(booking_id="").count() == 0


def test_who_sent_it_is_in_the_trail(endpoint: Endpoint) -> None:
    delivery = send_sample(endpoint=endpoint, type="payment.refunded", actor=SUPPORT)
    entry = AccountAuditEntry.objects.get()
    assert (entry.action, entry.subject_id) == ("webhooks.sample_sent", endpoint.pk)
    assert entry.details == {"type": "payment.refunded", "delivery": delivery.pk}


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
