"""What there is to notify of in one environment of an account, now. Reads only."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import TextChoices

from apps.accounts.clocks import now_in
from apps.accounts.models import Account, AccountAuditEntry, AuditAction, Role
from apps.accounts.sandboxes import sandboxes_of
from apps.common import clock
from apps.common.environments import Environment
from apps.common.money import in_words
from apps.gateway import search_quota
from apps.ledger.selectors import balance_of
from apps.portal.models import NotificationChoice
from apps.webhooks.endpoint_health import endpoints_with_health
from apps.webhooks.models import DisabledReason, EndpointStatus
from apps.webhooks.selectors import endpoints_of


class Kind(TextChoices):
    ENDPOINT_FAILING = "endpoint_failing", "A webhook endpoint is failing"
    ENDPOINT_DISABLED = "endpoint_disabled", "A webhook endpoint was disabled after 10 failures"
    LOW_BALANCE = "low_balance", "The balance is below an amount"
    QUOTA = "quota", "80 % of the day's searches are used"
    KEYS = "keys", "An API key was created or revoked"
    LIVE_ACCESS = "live_access", "Live access was approved, declined, ended or expired"


def kinds_in(environment: str) -> list[Kind]:
    """Live access concerns live alone."""
    return [kind for kind in Kind if kind != Kind.LIVE_ACCESS or environment == Environment.LIVE]


QUOTA_SHARE = 0.8
RECENT = timedelta(hours=1)
"""What is in the trail is told within this time of its entry; the sweep comes every minute."""
KEY_ACTIONS = {AuditAction.KEY_CREATED: "was created", AuditAction.KEY_REVOKED: "was revoked"}
ACCESS_ACTIONS = {
    AuditAction.ACCESS_APPROVED: "Live access was approved",
    AuditAction.ACCESS_REFUSED: "The request for live access was declined",
    AuditAction.ACCESS_LAPSED: "Live access has expired",
    AuditAction.ACCESS_WITHDRAWN: "Live access was ended",
}
OWNERS_ARE_TOLD = (AuditAction.ACCESS_APPROVED, AuditAction.ACCESS_REFUSED, AuditAction.ACCESS_LAPSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """`subject` with the kind says whether it is the same one still. `page` is the name of the page that helps."""

    kind: Kind
    subject: str
    title: str
    text: str
    page: str
    available_cents: int | None = None
    """Of a balance: it concerns those who chose a larger amount."""
    at: datetime | None = None
    """Of something that happened: it concerns those who had chosen it before."""
    owners_know: bool = False

    def concerns(self, choice: NotificationChoice) -> bool:
        if self.kind not in choice.kinds:
            return False
        if self.available_cents is not None:
            return (
                choice.balance_below_cents is not None and self.available_cents < choice.balance_below_cents
            )
        if self.at is not None and self.at < choice.changed_at:
            return False
        is_owner = choice.membership is not None and choice.membership.role == Role.OWNER
        return not (self.owners_know and is_owner)


def troubles_of(account: Account, environment: str, kinds: Collection[str]) -> list[Trouble]:
    """Of those kinds; in test those of all its sandboxes."""
    live = environment == Environment.LIVE
    places = [account.pk] if live else [sandbox.account_id for sandbox in sandboxes_of(account.pk)]
    found: list[Trouble] = []
    for account_id in places:
        if {Kind.ENDPOINT_FAILING, Kind.ENDPOINT_DISABLED} & set(kinds):
            found += _of_endpoints(account_id, environment)
        if Kind.LOW_BALANCE in kinds:
            found.append(_of_balance(account_id, environment))
        if Kind.QUOTA in kinds:
            found += _of_quota(account, account_id, environment)
    if {Kind.KEYS, Kind.LIVE_ACCESS} & set(kinds):
        found += _of_trail(account, environment)
    return found


def _of_endpoints(account_id: str, environment: str) -> Iterator[Trouble]:
    now = now_in(account_id, environment)
    for endpoint, health in endpoints_with_health(endpoints_of(account_id, environment), now):
        if endpoint.status == EndpointStatus.ENABLED and health.is_failing:
            yield Trouble(
                kind=Kind.ENDPOINT_FAILING,
                subject=endpoint.pk,
                title="A webhook endpoint is failing",
                text=f"{endpoint.url}\n{health.failing_words(now)}.",
                page="webhooks",
            )
        elif endpoint.disabled_reason == DisabledReason.CONSECUTIVE_FAILURES:
            yield Trouble(
                kind=Kind.ENDPOINT_DISABLED,
                subject=endpoint.pk,
                title="A webhook endpoint was disabled",
                text=f"{endpoint.url}\nDisabled after 10 failures in a row. It misses events until you enable it.",
                page="webhooks",
            )


def _of_balance(account_id: str, environment: str) -> Trouble:
    balance = balance_of(account_id, environment)
    left = in_words(balance.available_cents, balance.currency)
    return Trouble(
        kind=Kind.LOW_BALANCE,
        subject=account_id,
        title=f"The balance is low: {left}",
        text=f"{left} is available. When it is used up, bookings fail until you top up.",
        page="balance",
        available_cents=balance.available_cents,
    )


def _of_quota(account: Account, account_id: str, environment: str) -> Iterator[Trouble]:
    quota = search_quota.read_for(account, environment, now_in(account_id, environment).date(), account_id)
    if quota.limit and quota.used >= quota.limit * QUOTA_SHARE:
        yield Trouble(
            kind=Kind.QUOTA,
            subject=f"{account_id} {quota.day}",
            title=f"{quota.used:,} of the day's {quota.limit:,} searches are used",
            text=f"{quota.remaining:,} are left until midnight UTC. Then searches answer 429; bookings and reads go on.",
            page="home",
        )


def _of_trail(account: Account, environment: str) -> Iterator[Trouble]:
    live = environment == Environment.LIVE
    entries = AccountAuditEntry.objects.filter(
        account=account,
        environment__in=[environment, ""] if live else [environment],
        action__in=[*KEY_ACTIONS, *(ACCESS_ACTIONS if live else ())],
        created_at__gte=clock.now() - RECENT,
    )
    for entry in entries.order_by("created_at", "id"):
        is_key = entry.action in KEY_ACTIONS
        action = AuditAction(entry.action)
        title = f"The key “{entry.subject_name}” {KEY_ACTIONS[action]}" if is_key else ACCESS_ACTIONS[action]
        yield Trouble(
            kind=Kind.KEYS if is_key else Kind.LIVE_ACCESS,
            subject=entry.pk,
            title=title,
            text=f"By {entry.actor_label}.",
            page="keys" if is_key else "production_access",
            at=entry.created_at,
            owners_know=entry.action in OWNERS_ARE_TOLD,
        )
