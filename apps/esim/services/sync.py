"""Keeps the eSIM catalogue equal to the supplier's: reads all of it, writes new and changed plans, withdraws missing ones.

A second sync of the same catalogue writes nothing. The supplier is asked outside any transaction; the result is written in one.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from django.db import transaction

from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment
from apps.common.ids import encode
from apps.common.progress import SILENT, Progress
from apps.esim.models import CatalogueGap, Plan
from apps.esim.suppliers.base import SupplierPlan
from apps.esim.suppliers.registry import esim_supplier
from apps.gateway.periodic import Tally
from apps.keys.scopes import is_sold_to
from apps.suppliers.errors import SupplierError
from apps.suppliers.rates import rate
from apps.suppliers.registry import SIMULATOR, supplier_name
from apps.suppliers.results import Withheld
from apps.suppliers.values import to_json

logger = logging.getLogger(__name__)

BATCH = 500
SYNCED = (
    "name",
    "plan_type",
    "countries",
    "region",
    "data_mb",
    "validity_days",
    "voice_minutes",
    "sms_count",
    "price_cents",
    "currency",
    "coverage",
    "activation",
    "install_within_days",
    "fair_usage_policy",
    "notes",
    "withdrawn_at",
)


@dataclass(frozen=True, slots=True)
class Synced:
    """How many plans a sync added, changed (a plan that is on sale again counts here), withdrew, and left as they were."""

    added: int = 0
    changed: int = 0
    withdrawn: int = 0
    unchanged: int = 0


NOTHING_SOLD = Synced()


def sync_plans(*, tally: Tally | None = None, progress: Progress = SILENT) -> dict[str, Synced | None]:
    """Sync the environments to which eSIMs are sold. None for one whose supplier did not answer: its plans stay as they are.

    `tally` counts which environments were synced.
    """
    tally = tally or Tally()
    synced: dict[str, Synced | None] = {}
    sold_to = [each for each in Environment.values if is_sold_to("esim", each)]
    progress.expect(len(sold_to))
    for environment in sold_to:
        progress.note(environment)
        try:
            synced[environment] = sync_environment(environment)
        except SupplierError as error:
            logger.error("the eSIM catalogue of %s could not be synced: %s", environment, error)
            synced[environment] = None
            tally.failed(environment, error)
        else:
            if synced[environment] == NOTHING_SOLD:
                tally.failed(environment, ValueError("The supplier sells no plans."))
            else:
                tally.answered(environment)
        progress.advance()
    return synced


def sync_environment(environment: str) -> Synced:
    """Sync the plans of an environment's supplier. Raises SupplierError.

    A supplier that suddenly sells nothing is not believed: that is a fault of theirs, and would empty our catalogue.
    """
    found = esim_supplier(environment).plans()
    sold = {plan.supplier_plan_id: plan for plan in found}
    supplier = supplier_name("esim", environment)
    if not sold:
        logger.error("%s sells no plans for %s: the catalogue stays as it is", supplier, environment)
        return NOTHING_SOLD
    with transaction.atomic():
        synced = _write(environment, supplier, sold)
        count_withheld(environment, supplier, found.withheld)
    if supplier != SIMULATOR:
        ask_for_rates({plan.currency for plan in sold.values()})
    return synced


def ask_for_rates(currencies: set[str]) -> None:
    """Look up the rates into the currency of every account. Listings leave out plans without one; this alerts staff."""
    for quote in Account.objects.order_by().values_list("currency", flat=True).distinct():
        for base in currencies - {quote}:
            rate(base, quote)


def plan_id(environment: str, supplier: str, supplier_plan_id: str) -> str:
    """`plan_` and 26 characters, computed from what the plan is: every sync gives the same id."""
    digest = blake2b("\x1f".join((environment, supplier, supplier_plan_id)).encode(), digest_size=16).digest()
    return f"plan_{encode(int.from_bytes(digest, 'big'), 26)}"


def _write(environment: str, supplier: str, sold: dict[str, SupplierPlan]) -> Synced:
    known = {plan.id: plan for plan in Plan.objects.filter(environment=environment, supplier_name=supplier)}
    fresh = [_row(environment, supplier, plan) for plan in sold.values()]
    added = [row for row in fresh if row.id not in known]
    changed = [row for row in fresh if row.id in known and _terms(row) != _terms(known[row.id])]
    _upsert([*added, *changed])
    still_sold = {row.id for row in fresh}
    gone = [plan.id for plan in known.values() if plan.id not in still_sold and plan.withdrawn_at is None]
    withdraw(gone)
    return Synced(len(added), len(changed), len(gone), len(fresh) - len(added) - len(changed))


def count_withheld(environment: str, supplier: str, withheld: Withheld) -> None:
    """Keep the counts of a sync. Writes nothing where they are those of the sync before."""
    counts = {"identity_check": withheld.documents_required, "unreadable": withheld.unreadable}
    catalogue: dict[str, Any] = {"environment": environment, "supplier_name": supplier}
    if not CatalogueGap.objects.filter(**catalogue, **counts).exists():
        CatalogueGap.objects.update_or_create(**catalogue, defaults=counts)


def withdraw(plan_ids: Iterable[str]) -> None:
    """Mark these plans as no longer sold, until a sync finds them again."""
    now = clock.now()
    Plan.objects.filter(pk__in=list(plan_ids), withdrawn_at=None).update(withdrawn_at=now, updated_at=now)


def _upsert(rows: list[Plan]) -> None:
    # Ordered by id, so that two syncs at once cannot deadlock.
    Plan.objects.bulk_create(
        sorted(rows, key=lambda row: row.id),
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[*SYNCED, "updated_at"],
    )


def _row(environment: str, supplier: str, plan: SupplierPlan) -> Plan:
    terms: dict[str, Any] = to_json(plan)
    return Plan(
        id=plan_id(environment, supplier, plan.supplier_plan_id),
        environment=environment,
        supplier_name=supplier,
        **terms,
    )


def _terms(plan: Plan) -> tuple[Any, ...]:
    return tuple(getattr(plan, name) for name in SYNCED)
