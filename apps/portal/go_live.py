"""The way from a test key to a live one, step by step, as far as this account has come."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists

from apps.accounts.models import Account
from apps.bookings.models import Booking
from apps.common.environments import Environment
from apps.gateway.request_log.models import CallHour
from apps.keys.models import ApiKey
from apps.webhooks.models import Delivery, DeliveryStatus


@dataclass(frozen=True, slots=True)
class Step:
    """`name` is what templates branch on; `done` whether it is behind."""

    name: str
    title: str
    done: bool


def steps_of(account: Account, now: datetime) -> tuple[Step, ...]:
    """In order; what is done stays done, also out of order or with a key revoked since. An approval lapses. One query."""
    has = Account.objects.filter(pk=account.pk).values_list(
        Exists(account.keys.filter(environment=Environment.TEST)),
        Exists(account.keys.filter(environment=Environment.LIVE)),
        Exists(CallHour.objects.filter(account=account, environment=Environment.TEST)),
        Exists(Booking.objects.filter(account=account, environment=Environment.TEST)),
        Exists(Delivery.objects.filter(account=account, status=DeliveryStatus.DELIVERED)),
    )
    test_key, live_key, called, booked, delivered = has.get()
    return (
        Step("test_key", "Test key", test_key),
        Step("first_call", "First call", called),
        Step("first_booking", "First booking", booked),
        Step("webhook", "Webhook verified", delivered),
        Step("approval", "Approval", account.may_issue_live_keys(now)),
        Step("live_key", "Live key", live_key),
    )


def next_step(steps: Sequence[Step]) -> Step | None:
    """The first that is not done; None when all are."""
    return next((step for step in steps if not step.done), None)


def live_keys_of(account: Account) -> int:
    """How many keys would go on working if the approval lapsed."""
    return ApiKey.objects.filter(account=account, environment=Environment.LIVE, revoked_at=None).count()
