"""Reads of the catalogue: the plans that an environment's supplier sells at present."""

from dataclasses import dataclass

from django.db.models import F, QuerySet

from apps.common.ids import is_well_formed
from apps.esim.models import Plan
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


def filtered_plans(environment: str, filters: PlanFilters) -> QuerySet[Plan]:
    """The plans of one country first, then the regions', each in the order of names, which no sync disturbs."""
    plans = plans_on_sale(environment)
    if filters.country is not None:
        plans = plans.filter(countries__contains=[filters.country])
    if filters.region is not None:
        plans = plans.filter(region=filters.region)
    if filters.plan_type is not None:
        plans = plans.filter(plan_type=filters.plan_type)
    return plans.order_by(F("region").asc(nulls_first=True), "name", "id")


def plan_on_sale(environment: str, plan_id: str) -> Plan:
    """NotFound for what is unknown, malformed, withdrawn or of the other environment."""
    plan = plans_on_sale(environment).filter(pk=plan_id).first() if is_well_formed(plan_id) else None
    if plan is None:
        raise NotFound("There is no such plan.")
    return plan
