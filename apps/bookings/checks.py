"""Waits and leases that must keep an order among each other: refused wherever checks run, not in production alone."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

# The first must be below the second, or else …
ORDERED = (
    ("SUPPLIER_CALL_SECONDS", "OPERATION_LEASE_SECONDS", "recovery would pick up calls that are in progress"),
    ("SUPPLIER_CALL_SECONDS", "IDEMPOTENCY_LEASE_SECONDS", "a retry would take over from a call in progress"),
    (
        "SUPPLIER_CALL_SECONDS",
        "LOOKUP_FIRST_NOT_FOUND_SECONDS",
        "a supplier's “not found” would be believed while it is still being asked to book",
    ),
)
LEASES_ON_A_KEY = ("IDEMPOTENCY_LEASE_SECONDS", "OPERATION_LEASE_SECONDS")
LONGEST_LEASE = 60


@register()
def waits_are_in_order(**kwargs: Any) -> list[CheckMessage]:
    return [
        Error(
            f"{shorter} must be below {longer}: {otherwise}.",
            hint=f"They are {getattr(settings, shorter):g} and {getattr(settings, longer):g}.",
            id="bookings.E001",
        )
        for shorter, longer, otherwise in ORDERED
        if getattr(settings, shorter) >= getattr(settings, longer)
    ]


@register()
def dead_processes_let_go_of_keys(**kwargs: Any) -> list[CheckMessage]:
    """Partners are promised that a request which died blocks its Idempotency-Key for a minute at most, from its death.

    The claim and the operation have leases of their own, which begin and are renewed at different times; the key is free once
    both have ended. So it is each of them that must be short, not their sum.
    """
    return [
        Error(
            f"{lease} must be at most {LONGEST_LEASE}.",
            hint=f"It is {getattr(settings, lease)}.",
            id="bookings.E002",
        )
        for lease in LEASES_ON_A_KEY
        if getattr(settings, lease) > LONGEST_LEASE
    ]
