"""Reads of the catalogue, and of eSIM orders and their top-ups."""

from collections.abc import Mapping

from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from apps.bookings.models import Booking, Product
from apps.bookings.selectors import booking_of, bookings_of
from apps.common.environments import Environment
from apps.common.errors import NotFound
from apps.common.ids import is_well_formed
from apps.esim.details import Conversion, OrderDetails, conversion, sold_in
from apps.esim.models import CatalogueGap, Plan, RefundRequest
from apps.keys.partner import Partner
from apps.suppliers.registry import supplier_name


def plans_on_sale(environment: str) -> QuerySet[Plan]:
    """The plans that the environment's present supplier sells; those of a former supplier cannot be ordered any more."""
    supplier = supplier_name("esim", environment)
    return Plan.objects.filter(environment=environment, supplier_name=supplier, withdrawn_at=None)


def plans_sold_in(environment: str, currency: str) -> QuerySet[Plan]:
    """Those of them with a price in an account's currency."""
    plans = plans_on_sale(environment)
    currencies = sold_in(supplier_name("esim", environment), currency)
    return plans if currencies is None else plans.filter(currency__in=currencies)


def plans_withheld(environment: str, currency: str) -> dict[str, int]:
    """How many plans the catalogue lacks, whatever a page is filtered by: `identity_check`, `unreadable`. A plan without a price
    in the account's currency counts as unreadable.
    """
    supplier = supplier_name("esim", environment)
    gap = CatalogueGap.objects.filter(environment=environment, supplier_name=supplier).first()
    identity_check, unreadable = (gap.identity_check, gap.unreadable) if gap else (0, 0)
    currencies = sold_in(supplier, currency)
    if currencies is not None:
        unreadable += plans_on_sale(environment).exclude(currency__in=currencies).count()
    return {"identity_check": identity_check, "unreadable": unreadable}


def price_at_last_sync(supplier: str, supplier_plan_id: str) -> int | None:
    """What a supplier of live keys charged for a plan at the last sync."""
    plans = Plan.objects.filter(
        environment=Environment.LIVE, supplier_name=supplier, supplier_plan_id=supplier_plan_id
    )
    return plans.values_list("price_cents", flat=True).first()


def filtered_plans(environment: str, currency: str, filters: Mapping[str, str]) -> QuerySet[Plan]:
    """The plans that all of `filters` let through, in no order. They are named as in the query: `country` (a regional plan is
    found under each of its countries), `region`, `planType`, `minDataMb`, `minDays`, `maxPriceCents` (in `currency`).
    """
    plans = plans_sold_in(environment, currency)
    if "country" in filters:
        plans = plans.filter(countries__contains=[filters["country"]])
    if "region" in filters:
        plans = plans.filter(region=filters["region"])
    if "planType" in filters:
        plans = plans.filter(plan_type=filters["planType"])
    if "minDataMb" in filters:
        plans = plans.filter(Q(data_mb=None) | Q(data_mb__gte=int(filters["minDataMb"])))
    if "minDays" in filters:
        plans = plans.filter(validity_days__gte=int(filters["minDays"]))
    if "maxPriceCents" in filters:
        plans = plans.filter(costs_at_most(environment, currency, int(filters["maxPriceCents"])))
    return plans


def costs_at_most(environment: str, currency: str, cents: int) -> Q:
    """That a plan costs no more than `cents` of an account's currency. Prices are stored in the supplier's."""
    affordable = Q(pk__in=())
    for base, convert in conversions(environment, currency).items():
        affordable |= Q(currency=base, price_cents__lte=convert.most(cents))
    return affordable


def conversions(environment: str, currency: str) -> dict[str, Conversion]:
    """How the prices of the plans on sale become prices in `currency`, by the currency that they are stored in."""
    supplier = supplier_name("esim", environment)
    bases = plans_sold_in(environment, currency).order_by().values_list("currency", flat=True).distinct()
    return {base: conversion(supplier, base, currency) for base in bases}


def plan_on_sale(environment: str, plan_id: str, currency: str) -> Plan:
    """Raises NotFound for a plan that is unknown, malformed, withdrawn, of the other environment, or without a price in the
    currency.
    """
    plans = plans_sold_in(environment, currency)
    plan = plans.filter(pk=plan_id).first() if is_well_formed(plan_id) else None
    if plan is None:
        raise NotFound("There is no such plan.", ours=True)
    return plan


# The expression is that of the index `booking_top_ups_of_order`.
ORDER_OF_TOP_UP = RawSQL("details #>> '{top_up_of,order_id}'", [])


def without_top_ups(bookings: QuerySet[Booking]) -> QuerySet[Booking]:
    """Orders of eSIMs alone: what a list of orders shows."""
    return bookings.alias(topped_up_order=ORDER_OF_TOP_UP).filter(topped_up_order=None)


def order_of(partner: Partner, order_id: str) -> Booking:
    """One order of the partner's. Raises NotFound, for the id of a top-up too."""
    booking = booking_of(partner, Product.ESIM, order_id)
    if OrderDetails.of(booking).top_up_of is not None:
        raise NotFound
    return booking


def top_ups_of(order: Booking) -> QuerySet[Booking]:
    """The order's top-ups, the oldest first, whatever became of them."""
    mine = bookings_of(order.account_id, order.environment, Product.ESIM)
    return (
        mine.alias(topped_up_order=ORDER_OF_TOP_UP)
        .filter(topped_up_order=order.pk)
        .order_by("created_at", "id")
    )


def open_refund_requests() -> QuerySet[RefundRequest]:
    """Those of live orders: the simulator decides about the others."""
    return RefundRequest.objects.filter(decided_at=None, booking__environment=Environment.LIVE)


def to_be_looked_at() -> QuerySet[RefundRequest]:
    """Those of them that staff were alerted of."""
    return open_refund_requests().filter(Q(alerted_at__isnull=False) | Q(is_certain=False))
