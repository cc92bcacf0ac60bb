"""The steps from a test key to a live key, and which of them an account has done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists

from apps.accounts.models import Account
from apps.accounts.selectors.sandboxes import rows_of
from apps.bookings.models import Booking
from apps.common.environments import Environment
from apps.gateway.request_log.models import CallHour
from apps.keys.models import ApiKey
from apps.webhooks.models import Delivery, DeliveryStatus


@dataclass(frozen=True, slots=True)
class GoLiveStep:
    """`name` is for templates, `title` for people."""

    name: str
    title: str
    done: bool


def steps_of(account: Account, now: datetime) -> tuple[GoLiveStep, ...]:
    """All steps in order. A step stays done, even if its key was revoked since; only the approval can lapse. One query."""
    rows = {"account__in": rows_of(account.pk)}
    has = Account.objects.filter(pk=account.pk).values_list(
        Exists(ApiKey.objects.filter(**rows, environment=Environment.TEST)),
        Exists(account.keys.filter(environment=Environment.LIVE)),
        Exists(CallHour.objects.filter(**rows, environment=Environment.TEST)),
        Exists(Booking.objects.filter(**rows, environment=Environment.TEST)),
        Exists(Delivery.objects.filter(**rows, status=DeliveryStatus.DELIVERED)),
    )
    test_key, live_key, called, booked, delivered = has.get()
    return (
        GoLiveStep("test_key", "Test key", test_key),
        GoLiveStep("first_call", "First call", called),
        GoLiveStep("first_booking", "First booking", booked),
        GoLiveStep("webhook", "Webhook verified", delivered),
        GoLiveStep("approval", "Approval", account.may_issue_live_keys(now)),
        GoLiveStep("live_key", "Live key", live_key),
    )


def next_step(steps: Sequence[GoLiveStep]) -> GoLiveStep | None:
    """The first step that is not done; None if all are."""
    return next((step for step in steps if not step.done), None)


def live_keys_of(account: Account) -> int:
    """How many live keys keep working when the approval lapses."""
    return ApiKey.objects.filter(account=account, environment=Environment.LIVE, revoked_at=None).count()
