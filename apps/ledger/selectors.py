"""Reads of the ledger. Every one of a partner's data begins from the account and the environment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import TruncDate

from apps.accounts.models import Account
from apps.common import clock, keyset
from apps.common.metrics import AGES, Reading, Readings, age_of
from apps.common.querysets import reference_begins
from apps.ledger.models import Hold, HoldStatus, LedgerTransaction, Wallet


@dataclass(frozen=True, slots=True)
class Balance:
    """A wallet at one instant; `available_cents` is never below zero."""

    currency: str
    balance_cents: int
    held_cents: int

    @property
    def available_cents(self) -> int:
        return self.balance_cents - self.held_cents


def balance_of(account_id: str, environment: str) -> Balance:
    """The balance, from one read of one row. Without a wallet it is zero, in the account's currency."""
    figures = Wallet.objects.filter(account_id=account_id, environment=environment).values_list(
        "currency", "balance_cents", "held_cents"
    )
    for currency, balance_cents, held_cents in figures:
        return Balance(currency, balance_cents, held_cents)
    return Balance(Account.objects.values_list("currency", flat=True).get(pk=account_id), 0, 0)


def ledger_of(account_id: str, environment: str) -> QuerySet[LedgerTransaction]:
    """The transactions, newest first. `created_at` rises strictly, so this is the order in which the money moved."""
    return LedgerTransaction.objects.filter(account_id=account_id, environment=environment).order_by(
        "-created_at", "-id"
    )


def lines_of_booking(
    account_id: str, environment: str, reference: str, *, request_id: str = ""
) -> list[LedgerTransaction]:
    """The lines of one booking, the oldest first; those of one request where it is named."""
    lines = ledger_of(account_id, environment).filter(booking_reference=reference)
    if request_id:
        lines = lines.filter(request_id=request_id)
    return list(lines.reverse())


@dataclass(frozen=True, slots=True)
class Close:
    """A wallet after its last step of a UTC day; `at` is that step's instant."""

    at: datetime
    available_cents: int
    held_cents: int


def closing_balances(account_id: str, environment: str, *, since: datetime) -> list[Close]:
    """Day by day, oldest first; days without a step are left out. The first is the last day before `since`, if there is any."""
    figures = ("created_at", "available_after_cents", "held_after_cents", "day")
    steps = ledger_of(account_id, environment).annotate(day=TruncDate("created_at", tzinfo=UTC))
    before = steps.filter(created_at__lt=since).values_list(*figures)[:1]
    days = steps.filter(created_at__gte=since).order_by("-day", "-created_at", "-id").distinct("day")
    rows = days.values_list(*figures).union(before, all=True)  # one statement
    return [Close(*figures) for *figures, _ in sorted(rows)]


PAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """`since` is included, `until` is not; `booking_reference` is a reference or its beginning."""

    type: str = ""
    booking_reference: str = ""
    since: datetime | None = None
    until: datetime | None = None


def narrowed(account_id: str, environment: str, filters: Filters) -> QuerySet[LedgerTransaction]:
    transactions = ledger_of(account_id, environment)
    if filters.type:
        transactions = transactions.filter(type=filters.type)
    if filters.booking_reference:
        transactions = transactions.filter(reference_begins("booking_reference", filters.booking_reference))
    if filters.since:
        transactions = transactions.filter(created_at__gte=filters.since)
    if filters.until:
        transactions = transactions.filter(created_at__lt=filters.until)
    return transactions


def page_of_transactions(
    account_id: str, environment: str, *, filters: Filters, cursor: str | None = None, limit: int = PAGE
) -> keyset.Page[LedgerTransaction]:
    """One page, in one statement. A cursor that is not ours shows the first page."""
    return keyset.page_of(narrowed(account_id, environment, filters), cursor, limit)


GROUPS = 25


@dataclass(frozen=True, slots=True)
class Group:
    """The lines of one booking that are listed, the newest first; or one line that belongs to no booking."""

    lines: Sequence[LedgerTransaction]

    @property
    def newest(self) -> LedgerTransaction:
        return self.lines[0]

    @property
    def amount_cents(self) -> int:
        """What the lines did to the available balance."""
        return sum(line.amount_cents for line in self.lines)

    @property
    def held_delta_cents(self) -> int:
        return sum(line.held_delta_cents for line in self.lines)


@dataclass(frozen=True, slots=True)
class GroupPage(keyset.Page[LedgerTransaction]):
    """`rows` are the newest lines of the groups."""

    groups: Sequence[Group] = ()


def page_of_groups(
    account_id: str, environment: str, *, filters: Filters, cursor: str | None = None, limit: int = GROUPS
) -> GroupPage:
    """One page of bookings by their newest line, in two statements, with all lines of each that the filters leave.

    Call it in one snapshot: a line written in between would belong to two pages.
    """
    lines = narrowed(account_id, environment, filters)
    # A comparison with a subquery, which reads one row of the index by booking for each line: a join with the newest lines of all
    # bookings would read the whole ledger.
    newest = lines.filter(booking_reference=OuterRef("booking_reference")).values("pk")[:1]
    heads = lines.filter(Q(booking_reference=None) | Q(pk=Subquery(newest)))
    page = keyset.page_of(heads, cursor, limit)
    named = {head.booking_reference for head in page.rows if head.booking_reference is not None}
    of_booking: dict[str | None, list[LedgerTransaction]] = {}
    for line in lines.filter(booking_reference__in=named) if named else ():
        of_booking.setdefault(line.booking_reference, []).append(line)
    groups = [Group(of_booking.get(head.booking_reference, [head])) for head in page.rows]
    return GroupPage(page.rows, page.older, groups)


def open_holds_by_age() -> Iterator[Reading]:
    open_ones = Hold.objects.filter(status=HoldStatus.OPEN).annotate(age=age_of("created_at", clock.now()))
    counts = dict.fromkeys(AGES, 0) | dict(open_ones.values_list("age").annotate(Count("pk")))
    for age, count in counts.items():
        yield Reading("holds_open", count, {"age": age})


OPEN_HOLDS = Readings(
    {"holds_open": "Holds that are neither captured nor released, by how long ago they were made."},
    open_holds_by_age,
)
