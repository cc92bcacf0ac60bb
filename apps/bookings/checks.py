"""Waits and leases that must keep an order among each other: refused wherever checks run, not in production alone."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

# The first must be below the second, or else …
ORDERED = (
    ("SUPPLIER_CALL_SECONDS", "OPERATION_LEASE_SECONDS", "recovery would take up calls that are under way"),
    ("SUPPLIER_CALL_SECONDS", "IDEMPOTENCY_LEASE_SECONDS", "a retry would take over from a call under way"),
    (
        "SUPPLIER_CALL_SECONDS",
        "LOOKUP_FIRST_NOT_FOUND_SECONDS",
        "a supplier's “not found” would be believed while it is still being asked to book",
    ),
)
LONGEST_IDEMPOTENCY_LEASE = 60


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
    """Partners are promised that a request which died blocks its Idempotency-Key for a minute at most."""
    if settings.IDEMPOTENCY_LEASE_SECONDS <= LONGEST_IDEMPOTENCY_LEASE:
        return []
    return [
        Error(
            f"IDEMPOTENCY_LEASE_SECONDS must be at most {LONGEST_IDEMPOTENCY_LEASE}.",
            hint=f"It is {settings.IDEMPOTENCY_LEASE_SECONDS}.",
            id="bookings.E002",
        )
    ]
