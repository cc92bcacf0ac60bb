"""Their cancellation policies: from which local time on cancelling costs what."""

from collections.abc import Iterator
from datetime import datetime, tzinfo
from itertools import pairwise

from apps.transfers.suppliers.base import PolicyStep
from apps.transfers.suppliers.clocks import EARLIEST
from apps.transfers.suppliers.hotelbeds.local_time import instant
from apps.transfers.suppliers.hotelbeds.money import Amount, price_of


def is_certain(told: object, price: Amount, *, clock: tzinfo) -> bool:
    """Whether `policy_of` says what they will go by: all can be read, in the order's currency and by a clock that is known, each
    step at another instant and costing no less than the one before.
    """
    policies = told if isinstance(told, list) else []
    steps = sorted(_steps(policies, price, clock))
    rising = all(one[0] < next_[0] and one[1] <= next_[1] for one, next_ in pairwise(steps))
    return bool(policies) and len(steps) == len(policies) and rising and clock is not EARLIEST


def policy_of(told: object, price: Amount, *, clock: tzinfo, now: datetime) -> tuple[PolicyStep, ...]:
    """The steps by the time they begin, each costing no less than the one before. What has begun already holds from the booking
    on; where nothing readable is told, nothing comes back.
    """
    policies = told if isinstance(told, list) else []
    steps = sorted(_steps(policies, price, clock), key=lambda step: (step[0], step[1]))
    if not policies or len(steps) < len(policies):
        return (PolicyStep(None, price.cents),)
    begun = [cents for starts_at, cents in steps if starts_at <= now]
    dearest = max(begun, default=0)
    found = [PolicyStep(None, dearest)] if dearest else []  # a step that costs nothing is none
    for starts_at, cents in steps:
        if starts_at > now:
            found.append(PolicyStep(starts_at, max(cents, found[-1].amount_cents if found else 0)))
    return tuple(found)


def _steps(policies: list[object], price: Amount, clock: tzinfo) -> Iterator[tuple[datetime, int]]:
    for policy in policies:
        if not isinstance(policy, dict):
            continue
        starts_at = instant(policy.get("from"), clock)
        amount = price_of({"totalAmount": policy.get("amount"), "currencyId": policy.get("currencyId")})
        if starts_at is not None and amount is not None and amount.currency == price.currency:
            yield starts_at, min(amount.cents, price.cents)
