"""Airalo's top-ups in our words: what a profile can be topped up with, and which of their orders was ours."""

import logging
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from apps.esim.suppliers.airalo.catalogue import (
    LONGEST_ID,
    LONGEST_NAME,
    TOP_UP,
    UNREADABLE,
    Terms,
    items,
    plan_type,
)
from apps.esim.suppliers.airalo.mapping import FAILED, moment, named, number_of, status_of, text
from apps.esim.suppliers.airalo.numbers import count
from apps.esim.suppliers.base import TopUpPlan, TopUpRequest

logger = logging.getLogger(__name__)

CLOCKS_APART = timedelta(minutes=5)
OWN_REFERENCE = re.compile(r"E-[2-9A-HJ-NP-TV-Z]{8}(-[A-Z0-9]+)?")
"""How our own references begin (`apps.bookings.flow.reserve`): an order that carries one belongs to that one."""


def plans_of(body: Mapping[str, Any], currency: str) -> Iterator[TopUpPlan]:
    """The packages that can be bought. One that cannot be read takes only itself off the list."""
    terms = Terms.of(body, currency)
    for package in items(body["data"]):
        try:
            plan = plan_of(package, terms)
        except UNREADABLE:
            logger.warning("a top-up of Airalo cannot be read: %.100r", package)
            continue
        if plan is not None:
            yield plan


def plan_of(package: Mapping[str, Any], terms: Terms) -> TopUpPlan | None:
    """None for what is no top-up, and for what has no price."""
    cost = terms.cost_of(package)
    if cost is None:  # their example of this list has no net price: we never pay more than travellers do
        cost = terms.retail_of(package)
    if package["type"] != TOP_UP or not cost:
        return None
    unlimited = package.get("is_unlimited") is True
    minutes, messages = count(package.get("voice")), count(package.get("text"))
    own_id = named(package["id"])
    if len(own_id) > LONGEST_ID or not count(package["day"]) or not (unlimited or count(package["amount"])):
        raise ValueError("a top-up of nothing")
    return TopUpPlan(
        supplier_plan_id=own_id,
        name=named(package["title"])[:LONGEST_NAME],
        plan_type=plan_type(unlimited, minutes, messages),
        data_mb=None if unlimited else count(package["amount"]),
        validity_days=count(package["day"]),
        voice_minutes=minutes,
        sms_count=messages,
        price_cents=count(Decimal(cost)),
        currency=terms.currency,
    )


def ours_among(orders: list[Any], request: TopUpRequest) -> list[Mapping[str, Any]]:
    """Their orders of the profile that must be the top-up, though they do not carry our reference: Airalo's own example answers
    another description than was sent.

    The same package, ordered since we asked, known under no other reference.
    """
    return [order for order in orders if is_ours(order, request)]


def is_ours(order: Mapping[str, Any], request: TopUpRequest) -> bool:
    ordered_at = moment(order["created_at"])
    if ordered_at is None or request.asked_at is None:
        return False
    described = text(order.get("description"))
    return (
        order["type"] == TOP_UP
        and named(order["package_id"]) == request.supplier_plan_id
        and number_of(order) not in request.known
        and ordered_at >= request.asked_at - CLOCKS_APART
        and OWN_REFERENCE.fullmatch(described) is None
        and status_of(order) != FAILED
    )
