"""What waits for a retry comes as much sooner as a sandbox's clock is moved; nobody else's does."""

from datetime import timedelta

from apps.accounts.services.move_clock import move_clock
from apps.common import clock
from apps.webhooks.models import Delivery, Event
from apps.webhooks.services.prune import prune, prune_sandboxes
from tests.factories.webhooks import DeliveryFactory, EndpointFactory

HOUR = timedelta(hours=1)


def test_retries_are_pulled_back_in_the_moved_environment_alone(db: None) -> None:
    due = clock.now() + 2 * HOUR
    waiting = DeliveryFactory(next_attempt_at=due)
    finished = DeliveryFactory(
        endpoint=waiting.endpoint, status="DELIVERED", next_attempt_at=None, completed_at=clock.now()
    )
    live = DeliveryFactory(
        endpoint=EndpointFactory(account=waiting.account, environment="live"), next_attempt_at=due
    )
    other = DeliveryFactory(next_attempt_at=due)

    move_clock(account_id=waiting.account_id, by=HOUR)

    times = dict(Delivery.objects.values_list("pk", "next_attempt_at"))
    assert times == {waiting.pk: due - HOUR, finished.pk: None, live.pk: due, other.pk: due}
    waiting.refresh_from_db()
    assert waiting.next_attempt_shown_at == due


def test_history_is_forgotten_by_the_clock_of_its_sandbox(db: None) -> None:
    ended = {"status": "DELIVERED", "next_attempt_at": None, "completed_at": clock.now()}
    old, kept = DeliveryFactory(**ended), DeliveryFactory(**ended)
    unfinished = DeliveryFactory(endpoint=old.endpoint)
    assert prune_sandboxes() == 0
    move_clock(account_id=old.account_id, by=timedelta(days=29))
    assert prune_sandboxes() == 0
    move_clock(account_id=old.account_id, by=timedelta(days=2))

    assert prune()["deliveries"] == 0

    assert set(Delivery.objects.values_list("pk", flat=True)) == {kept.pk, unfinished.pk}
    assert set(Event.objects.values_list("pk", flat=True)) == {kept.event_id, unfinished.event_id}
