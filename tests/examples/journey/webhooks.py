"""Webhooks: an endpoint, its deliveries, one sent again, a new secret, the end of the endpoint."""

from typing import Any

from apps.webhooks.events import EMITTED
from tests.examples.stage import Stage


def set_up(stage: Stage) -> dict[str, Any]:
    endpoint: dict[str, Any] = stage.call(
        "createWebhookEndpoint",
        "every-event",
        "For every event; the secret is shown only here",
        url="https://partner.example/hooks",
        events=sorted(EMITTED),
        description="Booking system",
    )
    return endpoint


def look_after(stage: Stage, endpoint: dict[str, Any]) -> None:
    id = endpoint["id"]
    stage.call("getWebhookEndpoint", "enabled", "An enabled endpoint", id=id)
    stage.call(
        "updateWebhookEndpoint",
        "described",
        "Another description",
        id=id,
        description="Booking system, Lisbon",
    )
    test = stage.call("testWebhookEndpoint", "pending", "A test delivery, scheduled", id=id)
    deliver_again(stage, test)
    stage.call("rotateWebhookSecret", "new-secret", "A new secret; the old one works for another day", id=id)
    stage.prepare("createWebhookEndpoint", url="https://partner.example/refunds", events=["payment.refunded"])
    stage.call(
        "listWebhookEndpoints",
        "newest",
        "The newest endpoint, and a cursor for the next ones",
        query={"limit": "1"},
    )
    stage.call("deleteWebhookEndpoint", "deleted", "Nothing more is sent to it", id=id)
    read_feed(stage)


def read_feed(stage: Stage) -> None:
    """From the oldest event on, as somebody does who missed some deliveries."""
    first = stage.call(
        "listEvents", "oldest", "The oldest events, and where to continue", query={"limit": "2"}
    )
    stage.call(
        "listEvents",
        "of-a-booking",
        "Later events of a booking",
        query={
            "after": first["nextAfter"],
            "bookingReference": first["data"][0]["data"]["bookingReference"],
            "type": "booking.cancelled,payment.refunded",
        },
    )


def deliver_again(stage: Stage, test: dict[str, Any]) -> None:
    stage.call(
        "listWebhookDeliveries",
        "newest",
        "The newest deliveries, and a cursor for the next ones",
        query={"limit": "2"},
    )
    stage.call(
        "listWebhookDeliveries",
        "of-a-type",
        "Test deliveries that arrived at an endpoint",
        query={"status": "DELIVERED", "eventType": "webhook.test", "endpointId": test["endpointId"]},
    )
    stage.call(
        "getWebhookDelivery", "delivered", "A delivery with the request and the response", id=test["id"]
    )
    stage.call("resendWebhookDelivery", "pending", "One more attempt, scheduled", id=test["id"])
