"""What an endpoint missed, and recoveries of it."""

from datetime import datetime, timedelta

from apps.common import clock
from apps.webhooks.models import Delivery, Endpoint, Recovery
from apps.webhooks.services.recover import Selection, start_recovery
from tests.factories.webhooks import DeliveryFactory, EventFactory


def ago(hours: float) -> datetime:
    return clock.now() - timedelta(hours=hours)


def ended(endpoint: Endpoint, status: str = "FAILED", hours: float = 1.0, **more: object) -> str:
    """A finished delivery; its event's id."""
    fields = {"next_attempt_at": None, "completed_at": ago(hours), **more}
    delivery = DeliveryFactory(endpoint=endpoint, status=status, **fields)
    return str(delivery.event_id)


def missed(endpoint: Endpoint, hours: float = 1.0, **more: object) -> str:
    return str(EventFactory(account=endpoint.account, created_at=ago(hours), **more).pk)


def since(hours: float = 24.0, **more: object) -> Selection:
    return Selection(since=clock.now() - timedelta(hours=hours), **more)  # type: ignore[arg-type]


def recovery_of(endpoint: Endpoint, failed: int, missed: int = 0, per_minute: int = 60) -> Recovery:
    """Of an endpoint that is two days old from now on."""
    now = clock.now()
    Endpoint.objects.filter(pk=endpoint.pk).update(created_at=now - timedelta(days=2))
    endpoint.refresh_from_db()
    before = now - timedelta(minutes=1)
    DeliveryFactory.create_batch(
        failed, endpoint=endpoint, status="FAILED", next_attempt_at=None, completed_at=before
    )
    EventFactory.create_batch(missed, account=endpoint.account, created_at=before)
    return start_recovery(
        endpoint=endpoint,
        selection=Selection(since=now - timedelta(days=1), include_missed=True),
        per_minute=per_minute,
    )


def running(endpoint: Endpoint, items: int, **fields: object) -> Recovery:
    """A recovery whose first delivery was accepted a while ago."""
    recovery = recovery_of(endpoint, failed=items)
    Recovery.objects.filter(pk=recovery.pk).update(**{"status": "running", "allowance": 100, **fields})
    recovery.refresh_from_db()
    return recovery


def sent_and_ended(recovery: Recovery, *statuses: str) -> None:
    """These are the results of its first deliveries."""
    for item, status in zip(recovery.items.order_by("pk"), statuses, strict=False):
        recovery.items.filter(pk=item.pk).update(state="sent")
        Delivery.objects.filter(event_id=item.event_id, endpoint=recovery.endpoint).update(status=status)


def status_of(recovery: Recovery) -> tuple[str, str | None]:
    recovery.refresh_from_db()
    return recovery.status, recovery.halt_reason
