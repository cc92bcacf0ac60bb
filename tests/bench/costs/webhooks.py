"""Webhooks: the longest endpoints, and a delivery that was sent as often as one can be."""

import uuid
from itertools import cycle

from apps.common import clock
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus, Endpoint
from apps.webhooks.selectors import endpoints_of
from apps.webhooks.serializers import MAX_EVENTS, MAX_URL
from apps.webhooks.services.endpoints import MAX_ENDPOINTS, delete_endpoint
from apps.webhooks.services.resend import MOST_ATTEMPTS
from tests.bench.costs.partner import LISTED, TEXT, Asks, Body, Partner, Request
from tests.factories.webhooks import DeliveryFactory, EndpointFactory

LONG = f"a URL of {MAX_URL:,} characters"
HEADERS = {"X-Service-Signature": "x" * 80, "webhook-id": "x" * 30, "webhook-signature": "x" * 50}


def endpoint() -> Body:
    url = f"https://partner.example/{uuid.uuid4().hex}".ljust(MAX_URL, "x")
    return {"url": url, "events": ["booking.confirmed"] * MAX_EVENTS, "description": TEXT}


def finished(endpoint: Endpoint, **more: object) -> Delivery:
    delivery: Delivery = DeliveryFactory(
        endpoint=endpoint,
        status=DeliveryStatus.DELIVERED,
        completed_at=clock.now(),
        next_attempt_at=None,
        **more,
    )
    return delivery


def sent_often(endpoint: Endpoint) -> Delivery:
    delivery = finished(endpoint, attempt_count=MOST_ATTEMPTS)
    Attempt.objects.bulk_create(
        Attempt(
            delivery=delivery,
            number=number,
            attempted_at=clock.now(),
            duration_ms=1,
            request_headers=HEADERS,
            status_code=200,
            response_body="x" * 8192,
        )
        for number in range(1, MOST_ATTEMPTS + 1)
    )
    return delivery


def asks(partner: Partner) -> Asks:
    rows = [
        EndpointFactory(account=partner.account, url=endpoint()["url"], description=TEXT)
        for _ in range(MAX_ENDPOINTS)
    ]
    deliveries = [finished(rows[0]) for _ in range(LISTED + 1)]
    often = sent_often(rows[0])
    ids, sendable = cycle(row.id for row in rows[:-1]), cycle(deliveries)

    def act(operation: str, body: Body) -> Request:
        return partner.request(operation, body, id=next(ids))

    def create() -> Request:
        while (standing := endpoints_of(partner.account.id, "test")).count() >= MAX_ENDPOINTS:
            delete_endpoint(endpoint=standing.order_by("created_at").last())  # type: ignore[arg-type]
        return partner.request("createWebhookEndpoint", endpoint())

    def resend() -> Request:
        return partner.request("resendWebhookDelivery", {}, id=next(sendable).id)

    def delete() -> Request:
        return partner.request("deleteWebhookEndpoint", id=EndpointFactory(account=partner.account).id)

    yield partner.reading("listWebhookEndpoints", f"all {MAX_ENDPOINTS}, {LONG}", query="limit=100")
    yield partner.reading("getWebhookEndpoint", LONG, id=rows[0].id)
    yield partner.sending("updateWebhookEndpoint", LONG, lambda: act("updateWebhookEndpoint", endpoint()))
    yield partner.sending(
        "rotateWebhookSecret", "any", lambda: act("rotateWebhookSecret", {"immediate": True})
    )
    yield partner.sending("testWebhookEndpoint", "any", lambda: act("testWebhookEndpoint", {}))
    yield partner.reading("listWebhookDeliveries", "limit 100", query="limit=100")
    yield partner.reading("listWebhookDeliveries", "limit 100, by status", query="limit=100&status=delivered")
    yield partner.reading("listEvents", "limit 100", query="limit=100")
    yield partner.reading("listEvents", "a type that is rare", query="limit=100&type=esim.topped_up")
    yield partner.reading("getWebhookDelivery", f"{MOST_ATTEMPTS} attempts of 8 KiB", id=often.id)
    yield partner.sending("resendWebhookDelivery", "any", resend)
    yield partner.sending("deleteWebhookEndpoint", "any", delete)
    yield partner.sending("createWebhookEndpoint", LONG, create)
