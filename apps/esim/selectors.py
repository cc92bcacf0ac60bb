"""Reads of the catalogue: the plans that an environment's supplier sells at present."""

from dataclasses import dataclass

from django.db.models import F, QuerySet

from apps.common.environments import Environment
from apps.common.ids import is_well_formed
from apps.esim.models import Plan
from apps.esim.prices import sold_in
from apps.gateway.errors import NotFound
from apps.suppliers.choice import supplier_name


@dataclass(frozen=True, slots=True)
class PlanFilters:
    """None is any. A regional plan is found under each of its countries."""

    country: str | None = None
    region: str | None = None
    plan_type: str | None = None


def plans_on_sale(environment: str) -> QuerySet[Plan]:
    """What the environment's present supplier has not withdrawn; another supplier's plans cannot be ordered any more."""
    supplier = supplier_name("esim", environment)
    return Plan.objects.filter(environment=environment, supplier_name=supplier, withdrawn_at=None)


def plans_sold_in(environment: str, currency: str) -> QuerySet[Plan]:
    """Those of them that have a price in an account's currency."""
    plans = plans_on_sale(environment)
    currencies = sold_in(supplier_name("esim", environment), currency)
    return plans if currencies is None else plans.filter(currency__in=currencies)


def price_at_last_sync(supplier: str, supplier_plan_id: str) -> int | None:
    """What a supplier of live keys asked for a plan when it was heard last."""
    plans = Plan.objects.filter(
        environment=Environment.LIVE, supplier_name=supplier, supplier_plan_id=supplier_plan_id
    )
    return plans.values_list("price_cents", flat=True).first()


def filtered_plans(environment: str, currency: str, filters: PlanFilters) -> QuerySet[Plan]:
    """The plans of one country first, then the regions', each in the order of names, which no sync disturbs."""
    plans = plans_sold_in(environment, currency)
    if filters.country is not None:
        plans = plans.filter(countries__contains=[filters.country])
    if filters.region is not None:
        plans = plans.filter(region=filters.region)
    if filters.plan_type is not None:
        plans = plans.filter(plan_type=filters.plan_type)
    return plans.order_by(F("region").asc(nulls_first=True), "name", "id")


def plan_on_sale(environment: str, plan_id: str, currency: str) -> Plan:
    """NotFound for what is unknown, malformed, withdrawn, of the other environment, or without a price in the currency."""
    plans = plans_sold_in(environment, currency)
    plan = plans.filter(pk=plan_id).first() if is_well_formed(plan_id) else None
    if plan is None:
        raise NotFound("There is no such plan.")
    return plan
