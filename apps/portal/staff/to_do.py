"""What waits for staff, on the first page of the back office: each item with its age, its account and the one next action.

Most of it is read by one statement, from small partial indexes, so the page costs the same whatever waits.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import (
    Case,
    CharField,
    Count,
    DateTimeField,
    F,
    QuerySet,
    TextField,
    Value,
    When,
    Window,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, Concat
from django.urls import reverse
from django.utils.http import urlencode

from apps.accounts.models import Account, User
from apps.bookings.models import Operation, OperationState, Settlement
from apps.bookings.selectors import LATE, stuck_operations
from apps.common import clock
from apps.common.environments import Environment
from apps.common.money import in_words
from apps.esim.selectors import to_be_looked_at
from apps.gateway.periodic import known_tasks
from apps.hotels.models import CorrectionRequest
from apps.ledger.models import MovementState, StaffMovement, Wallet
from apps.request_log.selectors import lost_calls
from apps.suppliers.models import SupplierAlert
from apps.webhooks.endpoint_health import Health, endpoints_with_health, failing
from apps.webhooks.metrics import LATE_SECONDS
from apps.webhooks.models import DisabledReason, Endpoint
from apps.webhooks.selectors import due_lag

DAY = timedelta(days=1)
SHOWN = 5
"""Items of a kind, the oldest first; the list has the others."""


@dataclass(frozen=True, slots=True)
class Item:
    """`account_id` and `environment` are empty for what is no account's; `since` is None where that is not known."""

    label: str
    note: str
    since: datetime | None
    account_id: str
    environment: str
    address: str
    action: str
    account: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """`total` counts also the items that are not among `items`; `address` leads to all of them."""

    title: str
    items: tuple[Item, ...]
    total: int
    address: str


class Kind(NamedTuple):
    """`right` is the permission to see it, and names the model; `may` the permission that the action needs. Who has it not gets
    "View" for a link to the same page.
    """

    title: str
    right: str
    action: str
    may: str
    query: str = ""

    @property
    def page(self) -> str:
        """The name of its pages in the back office: `ledger_staffmovement`."""
        return self.right.replace(".view_", "_")

    @property
    def listing(self) -> str:
        address = reverse(f"admin:{self.page}_changelist")
        return f"{address}?{self.query}" if self.query else address


KINDS = {
    "live_keys": Kind(
        "Requests for live keys", "portal.view_livekeyrequest", "Decide", "portal.change_livekeyrequest"
    ),
    "operations": Kind(
        "Bookings to resolve", "bookings.view_operation", "Resolve", "bookings.change_operation"
    ),
    "settlements": Kind(
        "Failed settlements", "bookings.view_settlement", "Review", "bookings.view_settlement"
    ),
    "corrections": Kind(
        "Overdue name corrections",
        "hotels.view_correctionrequest",
        "Decide",
        "hotels.change_correctionrequest",
        "standing=overdue",
    ),
    "refunds": Kind(
        "eSIM refund requests",
        "esim.view_refundrequest",
        "Decide",
        "esim.change_refundrequest",
        "standing=alerted",
    ),
    "movements": Kind(
        "Top-ups and adjustments to confirm",
        "ledger.view_staffmovement",
        "Confirm",
        "ledger.confirm_staffmovement",
        "state__exact=proposed",
    ),
    "balances": Kind("Low balances", "ledger.view_wallet", "Top up", "ledger.add_staffmovement"),
    "alerts": Kind(
        "Supplier alerts",
        "suppliers.view_supplieralert",
        "Review",
        "suppliers.view_supplieralert",
        "cleared_at__isempty=1",
    ),
    "failing": Kind(
        "Failing endpoints", "webhooks.view_endpoint", "Review", "webhooks.view_endpoint", "failing=now"
    ),
    "disabled": Kind(
        "Endpoints disabled after 10 failures",
        "webhooks.view_endpoint",
        "Review",
        "webhooks.view_endpoint",
        f"disabled_reason__exact={DisabledReason.CONSECUTIVE_FAILURES}",
    ),
    "backlog": Kind("Late webhook deliveries", "webhooks.view_delivery", "Review", "webhooks.view_delivery"),
    "lost": Kind(
        "Calls missing from the request log",
        "request_log.view_lostcalls",
        "Review",
        "request_log.view_lostcalls",
    ),
    "tasks": Kind(
        "Periodic tasks that fail or are late",
        "gateway.view_taskrecord",
        "Review",
        "gateway.view_taskrecord",
    ),
}
"""In the order of the page: what holds up a partner comes first."""

Part = QuerySet[Any, Any]
COLUMNS = ("kind_", "id_", "label_", "note_", "at_", "account_", "environment_", "total_")
NOTHING = Value("")


def may_act(person: User) -> bool:
    """Whether anything could ever wait for this person."""
    return any(person.has_perm(kind.right) for kind in KINDS.values())


def to_do(person: User, now: datetime | None = None) -> list[Group]:
    """What waits, of the kinds that this person may see. At most six statements."""
    now = now or clock.now()
    may = [name for name, kind in KINDS.items() if person.has_perm(kind.right)]
    found: dict[str, tuple[list[Item], int]] = {}
    for row in read(parts(may, now)):
        items, _ = found.setdefault(row[0], ([], row[-1]))
        items.append(item_of(row, person))
    found |= {name: waits for name, waits in others(may, now) if waits[1]}
    names = names_of({each.account_id for items, _ in found.values() for each in items})
    return [
        Group(
            kind.title,
            tuple(replace(each, account=names.get(each.account_id, "")) for each in found[name][0]),
            found[name][1],
            kind.listing,
        )
        for name, kind in KINDS.items()
        if name in found
    ]


def parts(may: list[str], now: datetime) -> Iterator[Part]:
    booking = {
        "label": "booking__reference",
        "account": "booking__account_id",
        "environment": "booking__environment",
    }
    wallet = {"account": "wallet__account_id", "environment": "wallet__environment"}
    if "live_keys" in may:
        asked = Account.objects.filter(live_requested_at__isnull=False)
        at, note = "live_requested_at", "live_request_note"
        yield part("live_keys", asked, at, label="name", note=note, account="pk", environment=NOTHING)
    if "operations" in may:
        uncertain = {"state": OperationState.UNCERTAIN}
        stuck = Operation.objects.filter(pk__in=stuck_operations(now).values("pk"))
        stuck = stuck.exclude(**uncertain, created_at__gte=now - LATE)
        why = Case(
            When(state=OperationState.REVIEW, then=Value("needs a decision")),
            When(**uncertain, then=Value("outcome unknown for over an hour")),
            default=Value("pending for over a day, money held"),
            output_field=CharField(),
        )
        yield part("operations", stuck, "created_at", note=Concat("kind", Value(": "), why), **booking)
    if "settlements" in may:
        owed = Settlement.objects.filter(settled_at__isnull=True, failures__gt=0)
        yield part("settlements", owed, "created_at", note="failure", **booking)
    if "corrections" in may:
        overdue = CorrectionRequest.objects.filter(decided_at=None, alerted_at__isnull=False)
        yield part("corrections", overdue, "requested_at", note="booking__supplier_name", **booking)
    if "refunds" in may:
        yield part("refunds", to_be_looked_at(), "requested_at", note="booking__supplier_name", **booking)
    if "movements" in may:
        proposed = StaffMovement.objects.filter(state=MovementState.PROPOSED)
        label = stored_money("amount_cents", "wallet__currency")
        yield part("movements", proposed, "proposed_at", label=label, note="proposed_by_id", **wallet)
    if "balances" in may:
        available = F("balance_cents") - F("held_cents")
        low = Wallet.objects.filter(environment=Environment.LIVE, warn_below_cents__gt=available)
        amounts = {"label": stored_money(available), "note": stored_money("warn_below_cents")}
        yield part("balances", low, Coalesce("low_since", "moved_at"), **amounts)
    if "alerts" in may:
        open_ = SupplierAlert.objects.filter(cleared_at__isnull=True)
        told: dict[str, str | Combinable] = {
            "label": "supplier",
            "note": Concat("kind", Value(" "), "detail"),
        }
        yield part("alerts", open_, "first_at", **told, account=NOTHING, environment=NOTHING)
    if "disabled" in may:
        ended = Endpoint.objects.filter(
            disabled_reason=DisabledReason.CONSECUTIVE_FAILURES, deleted_at__isnull=True
        )
        yield part("disabled", ended, "disabled_at", label="url")


def part(
    kind: str,
    found: QuerySet[Any],
    at: str | Combinable,
    *,
    label: str | Combinable,
    note: str | Combinable = NOTHING,
    account: str | Combinable = "account_id",
    environment: str | Combinable = "environment",
) -> Part:
    """The oldest of a kind, and how many there are, in the columns that all parts have."""
    texts = {"id": "pk", "label": label, "note": note, "account": account, "environment": environment}
    columns: dict[str, Any] = {f"{name}_": Cast(value, TextField()) for name, value in texts.items()}
    columns |= {"kind_": Value(kind, output_field=TextField()), "at_": Cast(at, DateTimeField())}
    columns["total_"] = Window(Count("pk"))
    rows: Part = found.order_by().annotate(**columns).order_by("at_").values_list(*COLUMNS)[:SHOWN]
    return rows


def read(together: Iterator[Part]) -> list[tuple[Any, ...]]:
    each = list(together)
    if not each:
        return []
    rows = each[0].union(*each[1:], all=True) if each[1:] else each[0]
    return sorted(rows, key=lambda row: row[4])


def item_of(row: tuple[Any, ...], person: User) -> Item:
    name, pk, label, note, at, account_id, environment, _ = row
    kind = KINDS[name]
    acts = person.has_perm(kind.may)
    address = reverse(f"admin:{kind.page}_change", args=[pk])
    if name == "movements":
        mine = note == str(person.pk)
        label, note, acts = money_words(label), "proposed by you" if mine else "", acts and not mine
    elif name == "balances":
        label, note = f"{money_words(label)} available", f"warns below {money_words(note)}"
        if acts:
            query = urlencode({"account": account_id, "environment": environment})
            address = f"{reverse('admin:ledger_staffmovement_add')}?{query}"
    elif name == "alerts":
        words, _, detail = note.partition(" ")
        note = f"{words.replace('_', ' ')}{': ' if detail else ''}{detail}"
    return Item(label, note, at, account_id, environment, address, kind.action if acts else "View")


def stored_money(cents: str | Combinable, currency: str = "currency") -> Concat:
    return Concat(Cast(cents, TextField()), Value(" "), currency, output_field=TextField())


def money_words(stored: str) -> str:
    """`1,500.00 EUR`, of `150000 EUR`."""
    cents, _, currency = stored.partition(" ")
    return in_words(int(cents), currency)


def others(may: list[str], now: datetime) -> Iterator[tuple[str, tuple[list[Item], int]]]:
    """What is not rows of a table that wait."""
    if "failing" in may:
        fail = endpoints_with_health(failing(Endpoint.objects.order_by("created_at")), now)
        oldest = sorted(fail, key=lambda each: each[1].failing_since or now)[:SHOWN]
        yield "failing", ([failing_item(endpoint, health, now) for endpoint, health in oldest], len(fail))
    if "backlog" in may and (lag := due_lag()) >= LATE_SECONDS:
        since = now - timedelta(seconds=lag)
        yield "backlog", ([of_service("backlog", "Oldest delivery that is due", since)], 1)
    if "lost" in may and (lost := lost_calls(since=now - DAY)):
        yield "lost", ([of_service("lost", f"{lost:,} calls in 24 hours")], 1)
    if "tasks" in may:
        troubles = [
            of_service("tasks", row.task, row.last_success_at, trouble)
            for periodic, row in known_tasks()
            if (trouble := row.trouble(periodic, now))
        ]
        yield "tasks", (troubles[:SHOWN], len(troubles))


def failing_item(endpoint: Endpoint, health: Health, now: datetime) -> Item:
    address = reverse("admin:webhooks_endpoint_change", args=[endpoint.pk])
    said, since = health.failing_words(now), health.failing_since
    of = (endpoint.account_id, endpoint.environment)
    return Item(endpoint.url, said, since, *of, address, KINDS["failing"].action)


def of_service(name: str, label: str, since: datetime | None = None, note: str = "") -> Item:
    kind = KINDS[name]
    return Item(label, note, since, "", "", kind.listing, kind.action)


def names_of(account_ids: set[str]) -> dict[str, str]:
    """The partner's name, also for the row of a sandbox."""
    rows = Account.objects.select_related("sandbox_of").in_bulk(account_ids - {""})
    return {pk: (row.sandbox_of or row).name for pk, row in rows.items()}
