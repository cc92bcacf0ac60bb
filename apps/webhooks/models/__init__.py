"""Webhooks: where a partner listens, what happened, what is owed to whom, and what is sent once more in bulk."""

from apps.webhooks.models.delivery import (
    UNFINISHED,
    Attempt,
    Delivery,
    DeliveryStatus,
    Event,
    new_delivery_id,
    new_event_id,
)
from apps.webhooks.models.endpoint import DisabledReason, Endpoint, EndpointStatus, new_endpoint_id
from apps.webhooks.models.feed import EventFeed
from apps.webhooks.models.recovery import (
    UNDER_WAY,
    HaltReason,
    ItemState,
    Recovery,
    RecoveryItem,
    RecoveryStatus,
    new_recovery_id,
)

__all__ = [
    "UNDER_WAY",
    "UNFINISHED",
    "Attempt",
    "Delivery",
    "DeliveryStatus",
    "DisabledReason",
    "Endpoint",
    "EndpointStatus",
    "Event",
    "EventFeed",
    "HaltReason",
    "ItemState",
    "Recovery",
    "RecoveryItem",
    "RecoveryStatus",
    "new_delivery_id",
    "new_endpoint_id",
    "new_event_id",
    "new_recovery_id",
]
