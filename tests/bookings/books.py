"""What a test looks at after the end of an operation."""

from apps.bookings.models import Operation
from apps.common import clock
from apps.ledger.models import Hold
from apps.ledger.selectors import balance_of
from apps.onboarding.services.onboard_partner import Onboarded
from apps.webhooks.models import Event


def funds(onboarded: Onboarded) -> tuple[int, int]:
    """Available and held, in cents."""
    balance = balance_of(onboarded.account.id, "test")
    return balance.available_cents, balance.held_cents


def latest() -> Operation:
    return Operation.objects.select_related("booking").latest("id")


def hold_of(operation: Operation) -> Hold:
    return Hold.objects.get(pk=operation.hold_id)


def events() -> list[str]:
    return list(Event.objects.order_by("created_at", "id").values_list("type", flat=True))


def seconds_to_next(operation: Operation) -> int:
    assert operation.next_attempt_at is not None
    return round((operation.next_attempt_at - clock.now()).total_seconds())


def with_staff_still(operation: Operation) -> bool:
    """As it was: nothing is due, the lease is free, the funds are held."""
    now = latest()
    assert now.pk == operation.pk
    free = (now.state, now.next_attempt_at) == ("review", None) and now.lease_until <= clock.now()
    return free and hold_of(now).status == "open" and now.booking.status == "pending"
