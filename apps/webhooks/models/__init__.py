"""Webhooks: where a partner listens, what happened, what is owed to whom, what is sent once more in bulk, and exams."""

from apps.webhooks.models.delivery import (
    RETENTION,
    UNFINISHED,
    Attempt,
    Delivery,
    DeliveryStatus,
    Event,
    EventFeed,
    new_delivery_id,
    new_event_id,
    scheduled,
)
from apps.webhooks.models.endpoint import DisabledReason, Endpoint, EndpointStatus, new_endpoint_id
from apps.webhooks.models.exam import OPEN_EXAM, Exam, ExamStatus, StopReason, new_exam_id
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
    "OPEN_EXAM",
    "RETENTION",
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
    "Exam",
    "ExamStatus",
    "HaltReason",
    "ItemState",
    "Recovery",
    "RecoveryItem",
    "RecoveryStatus",
    "StopReason",
    "new_delivery_id",
    "new_endpoint_id",
    "new_event_id",
    "new_exam_id",
    "new_recovery_id",
    "scheduled",
]
