"""Return journeys and extras as any supplier's: two offers of one way each become one, with the terms of the whole. Pure."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from apps.transfers.suppliers.base import (
    DIRECTIONS,
    INBOUND,
    Extra,
    PolicyStep,
    TransferOffer,
    WayBack,
)

Terms = tuple[tuple[PolicyStep, ...], bool]
"""A policy, and whether it is certain (`TransferOffer.policy_is_certain`)."""
BACK = "back."
"""Before the names of the second leg's entries in `supplier_data`."""
ALWAYS = datetime.min.replace(tzinfo=UTC)


def joined(there: TransferOffer, back: TransferOffer) -> TransferOffer:
    """One offer of both legs, at the sum of their prices. Both are in one currency."""
    policy, certain = of_the_whole(
        [(one.cancellation_policy, one.policy_is_certain) for one in (there, back)]
    )
    expiries = [one.expires_at for one in (there, back) if one.expires_at is not None]
    return replace(
        there,
        total_cents=there.total_cents + back.total_cents,
        cancellation_policy=policy,
        policy_is_certain=certain,
        expires_at=min(expiries, default=None),
        supplier_data={
            **there.supplier_data,
            **{BACK + name: value for name, value in back.supplier_data.items()},
        },
        back=WayBack(back.vehicle, back.duration_minutes, back.pickup_at, back.remarks, back.waiting_times),
        extras=extras_of_both(there.extras, back.extras),
    )


def of_the_whole(legs: Iterable[Terms]) -> Terms:
    """The terms of several rides that are cancelled together: at each instant the sum of what each costs by then."""
    terms = list(legs)
    starts = sorted({step.starts_at or ALWAYS for policy, _ in terms for step in policy})
    steps = tuple(
        PolicyStep(None if at == ALWAYS else at, sum(cost_at(policy, at) for policy, _ in terms))
        for at in starts
    )
    return steps, all(certain for _, certain in terms)


def cost_at(policy: tuple[PolicyStep, ...], instant: datetime) -> int:
    """By the latest step that has begun."""
    begun = (step.amount_cents for step in policy if (step.starts_at or ALWAYS) <= instant)
    return max(begun, default=0)


def with_extras(terms: Terms, ride_cents: int, extras_cents: int) -> Terms:
    """The terms of a ride with its extras, where its supplier says what cancelling the ride costs and not what becomes of the
    extras: who loses the whole ride loses them too. What a part of the ride costs with them is not said, so the worst is.
    """
    policy, certain = terms
    if not extras_cents:
        return terms
    whole = ride_cents + extras_cents
    steps = tuple(
        replace(step, amount_cents=min(step.amount_cents + extras_cents, whole) if step.amount_cents else 0)
        for step in policy
    )
    return steps, certain and all(step.amount_cents in (0, ride_cents) for step in policy)


def extras_of_both(there: tuple[Extra, ...], back: tuple[Extra, ...]) -> tuple[Extra, ...]:
    """An extra that both legs offer is ordered for both, at the sum of its prices."""
    returning = {extra.code: extra for extra in back}
    found = [_of_both(extra, returning.pop(extra.code, None)) for extra in there]
    return (*found, *map(_on_the_way_back, returning.values()))


def _of_both(there: Extra, back: Extra | None) -> Extra:
    if back is None:
        return there
    least, most = max(there.min_quantity, back.min_quantity), min(there.max_quantity, back.max_quantity)
    if least > most:  # of no number that both legs take: the way there alone
        return there
    cents = there.unit_cents + back.unit_cents
    return Extra(there.code, there.name, cents, most, DIRECTIONS, least)


def _on_the_way_back(extra: Extra) -> Extra:
    return Extra(extra.code, extra.name, extra.unit_cents, extra.max_quantity, (INBOUND,), extra.min_quantity)
