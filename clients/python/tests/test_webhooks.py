from __future__ import annotations

from collections.abc import Iterator

import pytest

from travel_partner import TravelPartner, models, webhooks

from .support import Inbox


@pytest.fixture
def endpoint(client: TravelPartner, inbox: Inbox) -> Iterator[models.WebhookEndpointWithSecret]:
    made = client.webhooks.endpoints.create(url=inbox.url, events=["booking.cancelled"])
    yield made
    client.webhooks.endpoints.delete(made.id)


def only(headers: dict[str, str], *names: str) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() in names}


def test_a_delivery_is_genuine_by_either_signature(
    client: TravelPartner,
    endpoint: models.WebhookEndpointWithSecret,
    inbox: Inbox,
    order: models.FlightOrder,
) -> None:
    client.flights.orders.cancel(order.id)
    body, headers = inbox.next()

    standard = only(headers, "webhook-id", "webhook-timestamp", "webhook-signature")
    own = only(headers, "x-service-signature")
    assert (len(standard), len(own)) == (3, 1)
    for scheme in (standard, own, headers):
        event = webhooks.verify(body, scheme, endpoint.secret)
        assert isinstance(event, models.WebhookBookingCancelled)
        assert (event.data.booking_id, event.environment) == (order.id, "test")


def test_both_secrets_verify_while_one_replaces_the_other(
    client: TravelPartner, endpoint: models.WebhookEndpointWithSecret, inbox: Inbox
) -> None:
    rotated = client.webhooks.endpoints.rotate_secret(endpoint.id)
    assert rotated.secret != endpoint.secret
    client.webhooks.endpoints.test(endpoint.id)
    body, headers = inbox.next()
    for secrets in (endpoint.secret, rotated.secret, [endpoint.secret, rotated.secret]):
        assert isinstance(webhooks.verify(body, headers, secrets), models.WebhookTest)


def test_a_foreign_secret_does_not(
    client: TravelPartner, endpoint: models.WebhookEndpointWithSecret, inbox: Inbox
) -> None:
    client.webhooks.endpoints.test(endpoint.id)
    body, headers = inbox.next()
    with pytest.raises(webhooks.WebhookVerificationError):
        webhooks.verify(body, headers, "whsec_" + "A" * 44)
