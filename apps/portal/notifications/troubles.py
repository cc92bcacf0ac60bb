"""What there is to notify of in one environment of an account, now. Reads only."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Case, TextChoices, When

from apps.account_api.statement_files import figures_of, month_in_words
from apps.accounts.clocks import now_in
from apps.accounts.models import Account, AccountAuditEntry, AuditAction, Role
from apps.accounts.sandboxes import sandboxes_of, stored_under
from apps.bookings.flow.approval import awaiting
from apps.common import clock, zones
from apps.common.environments import Environment
from apps.common.money import in_words
from apps.gateway import search_quota
from apps.keys.models import ApiKey
from apps.ledger.models import Wallet
from apps.ledger.months import Month, last_closed, lines_of, statement_of
from apps.ledger.runway import outlook_of
from apps.portal.balance import runway_words
from apps.portal.models import NotificationChoice
from apps.portal.notifications.low_balance import REPORTED
from apps.webhooks.endpoint_health import endpoints_with_health
from apps.webhooks.models import DisabledReason, EndpointStatus
from apps.webhooks.selectors import endpoints_of


class Kind(TextChoices):
    ENDPOINT_FAILING = "endpoint_failing", "A webhook endpoint is failing"
    ENDPOINT_DISABLED = "endpoint_disabled", "A webhook endpoint was disabled after 10 failures"
    APPROVAL = "approval", "A booking awaits approval"
    LOW_BALANCE = "low_balance", "The balance is low"
    QUOTA = "quota", "80 % of the day's searches are used"
    KEYS = "keys", "An API key was created or revoked"
    LIVE_ACCESS = "live_access", "Live access was approved, declined, ended or expired"
    STATEMENT = "statement", "A month’s statement is ready"


def kinds_in(environment: str, account: Account) -> list[Kind]:
    """Live access concerns live alone. So does the statement, once the account has live."""
    not_there = set()
    if environment != Environment.LIVE:
        not_there = {Kind.LIVE_ACCESS, *([Kind.STATEMENT] if has_live(account) else [])}
    return [kind for kind in Kind if kind not in not_there]


def has_live(account: Account) -> bool:
    """Whether it was ever approved for live, or has had a live key."""
    return (
        account.live_approved_until is not None
        or ApiKey.objects.filter(account=account, environment=Environment.LIVE).exists()
    )


QUOTA_SHARE = 0.8
RECENT = timedelta(hours=1)
"""An entry of the trail is reported within this time; the sweep comes every minute."""
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
    text: str | Callable[[NotificationChoice], str]
    """A function where the text takes reading: it is called once the text is sent."""
    page: str
    named: Mapping[str, str] = field(default_factory=dict)
    """What the address of the page names besides the environment."""
    again: str = "It is sent once, and again only if it recurs."
    available_cents: int | None = None
    """Of a balance: it concerns those who chose a larger amount. None: those who chose no amount of their own."""
    at: datetime | None = None
    """Of something that happened: it concerns those who had chosen it before."""
    owners_know: bool = False

    def words(self, choice: NotificationChoice) -> str:
        return self.text if isinstance(self.text, str) else self.text(choice)

    def concerns(self, choice: NotificationChoice) -> bool:
        if self.kind not in choice.wanted:
            return False
        if self.kind == Kind.LOW_BALANCE:
            available, below = self.available_cents, choice.balance_below_cents
            return below is None if available is None else below is not None and available < below
        if self.at is not None and self.at < choice.changed_at:
            return False
        is_owner = choice.membership is not None and choice.membership.role == Role.OWNER
        return not (self.owners_know and is_owner)


def troubles_of(account: Account, environment: str, kinds: Collection[str]) -> list[Trouble]:
    """Of those kinds; in test those of all its sandboxes."""
    live = environment == Environment.LIVE
    sandboxes = [] if live else sandboxes_of(account.pk)
    places = {account.pk: ""} if live else {each.account_id: each.name for each in sandboxes}
    found: list[Trouble] = []
    for account_id, sandbox in places.items():
        if Kind.APPROVAL in kinds:
            found += _of_approvals(account_id, environment, sandbox if len(places) > 1 else "")
        if {Kind.ENDPOINT_FAILING, Kind.ENDPOINT_DISABLED} & set(kinds):
            found += _of_endpoints(account_id, environment)
        if Kind.LOW_BALANCE in kinds:
            found += _of_balance(account_id, environment)
        if Kind.QUOTA in kinds:
            found += _of_quota(account, account_id, environment)
    if {Kind.KEYS, Kind.LIVE_ACCESS} & set(kinds):
        found += _of_trail(account, environment)
    if Kind.STATEMENT in kinds:
        found += _of_month(account, environment)
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


def _of_approvals(account_id: str, environment: str, sandbox: str) -> Iterator[Trouble]:
    """One for each booking, without a word of its travellers."""
    for operation in awaiting(account_id, environment):
        booking, until = operation.booking, operation.approval_expires_at
        price = in_words(operation.amount_cents, booking.currency)
        place = f" in the sandbox “{sandbox}”" if sandbox else ""
        assert until is not None
        yield Trouble(
            kind=Kind.APPROVAL,
            subject=operation.client_ref,
            title=f"A booking awaits approval: {price}",
            text=(
                f"{booking.reference}, {booking.get_product_display()}, {price}, made with the key “{booking.key.name}”{place}.\n"
                f"Approve or decline it before {zones.day_and_time(until)}. After that it expires, and its hold is released."
            ),
            page="booking",
            named={"booking_id": booking.pk},
            again="It is sent once for each booking.",
        )


def _of_balance(account_id: str, environment: str) -> Iterator[Trouble]:
    """For those who chose an amount, and for those who go by the account's: of the latter one for each `balance.low`."""
    wallets = Wallet.objects.filter(account=account_id, environment=environment)
    for wallet in wallets.annotate(is_reported=Case(When(REPORTED, then=True), default=False)):
        low = partial(
            Trouble,
            kind=Kind.LOW_BALANCE,
            title=f"The balance is low: {in_words(wallet.available_cents, wallet.currency)}",
            text=partial(_low_words, wallet),
            page="balance",
            again="It is sent once each time the balance falls below the amount.",
        )
        yield low(subject=account_id, available_cents=wallet.available_cents)
        if wallet.is_reported:
            yield low(subject=f"{account_id} {wallet.low_since}")


def _low_words(wallet: Wallet, choice: NotificationChoice) -> str:
    account_id, environment = wallet.account_id, wallet.environment
    now = now_in(account_id, environment)
    outlook = outlook_of(account_id, environment, now, currency=wallet.currency, held_for=timedelta(days=1))
    left = in_words(outlook.balance.available_cents, wallet.currency)
    below = choice.balance_below_cents or outlook.warn_below_cents
    fell = "is low" if below is None else f"fell below {in_words(below, wallet.currency)}"
    lasts = runway_words(outlook)
    sentences = [
        f"The balance {fell}: {left} is available.",
        *([f"It lasts {lasts}."] if lasts else []),
        "When it is used up, bookings fail until you top up. How to top up:",
    ]
    return "\n".join(sentences)


def _of_quota(account: Account, account_id: str, environment: str) -> Iterator[Trouble]:
    quota = search_quota.read_for(account, environment, now_in(account_id, environment).date(), account_id)
    if quota.limit and quota.used >= quota.limit * QUOTA_SHARE:
        yield Trouble(
            kind=Kind.QUOTA,
            subject=f"{account_id} {quota.day}",
            title=f"{quota.used:,} of the day's {quota.limit:,} searches are used",
            text=f"{quota.remaining:,} are left until midnight UTC. Then searches get 429; bookings and reads still work.",
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


def _of_month(account: Account, environment: str) -> Iterator[Trouble]:
    """The month that closed last, by the real time: the clock of a test environment is never behind it."""
    if environment != Environment.LIVE and has_live(account):
        return
    account_id, month = stored_under(account.pk, environment), last_closed(clock.now())
    if lines_of(account_id, environment, month).exists():
        yield Trouble(
            kind=Kind.STATEMENT,
            subject=month.name,
            title=f"Statement for {month_in_words(month)}",
            text=partial(_statement_words, account_id, month),
            page="statement",
            named={"month": month.name},
            again="It is sent once a month, if anything moved.",
        )


def _statement_words(account_id: str, month: Month, choice: NotificationChoice) -> str:
    statement = statement_of(account_id, choice.environment, month, clock.now())
    write = partial(in_words, currency=statement.figures.currency)
    rows = [
        f"{label if kind != 'part' else f'  {label}':<28}{cents:>22}"
        for label, cents, kind in figures_of(statement, write)
        if kind != "part" or statement.figures.held_cents
    ]
    head = f"{month_in_words(month)} is closed. The month runs from its first day, 00:00 UTC, to the next month's."
    return "\n".join([head, "", *rows, "", "The statement, with every line:"])
