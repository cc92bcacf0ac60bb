"""The suppliers that this deployment has chosen for live keys: whether each has what it needs; checks of the settings."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured

from apps.common.environments import Environment
from apps.suppliers.registry import OFF, SIMULATOR
from apps.suppliers.vendors import vendors_of


def chosen() -> Iterator[tuple[str, str]]:
    """Product and supplier of every product that live keys buy from a real supplier."""
    for product, suppliers in settings.SUPPLIERS.items():
        if suppliers["live"] not in (SIMULATOR, OFF):
            yield product, suppliers["live"]


def refuse_misconfigured() -> None:
    """Raises ImproperlyConfigured, which names the variable: no process starts with a supplier that it cannot reach."""
    faults = [fault for product, name in chosen() for fault in _faults(product, name)]
    if faults:
        raise ImproperlyConfigured(" ".join(faults))


def _faults(product: str, name: str) -> Iterator[str]:
    variable = f"{product.upper()}_SUPPLIER"
    vendors = vendors_of(product)
    if name not in vendors:
        yield f"{variable} is {name!r}, and must be one of: {', '.join([*vendors, OFF])}."
        return
    for entry, needed in vendors[name].credentials.items():
        if needed.required and not settings.SUPPLIER_CREDENTIALS[name][entry]:
            yield f"{variable}={name} needs {needed.name}, which is not set."


@register(Tags.security, deploy=True)
def live_keys_reach_a_supplier(**kwargs: Any) -> list[CheckMessage]:
    """Every product that is sold must have a real supplier for live keys (contract §4), where live keys are served at all."""
    if settings.GATEWAY_ENVIRONMENT == Environment.TEST:
        return []
    return [
        Error(
            f"No supplier serves live keys with {product}.",
            hint=f"Set {product.upper()}_SUPPLIER to a supplier that is under contract, or to `off`.",
            id="suppliers.E001",
        )
        for product, suppliers in settings.SUPPLIERS.items()
        if suppliers["live"] == SIMULATOR
    ]


@register(Tags.security, deploy=True)
def nobody_pays_for_what_is_simulated(**kwargs: Any) -> list[CheckMessage]:
    if not settings.SIMULATE_LIVE_KEYS:
        return []
    return [
        Error(
            "Live keys may buy from the simulator: partners would pay for bookings that do not exist.",
            hint="Unset SIMULATE_LIVE_KEYS.",
            id="suppliers.E003",
        )
    ]


@register()
def rates_last_a_day(**kwargs: Any) -> list[CheckMessage]:
    """Runs with every check: with less than a day, nothing in another currency is sold until the day's rates are loaded."""
    if settings.EXCHANGE_RATE_MAX_AGE_DAYS >= 1:
        return []
    return [
        Error(
            "EXCHANGE_RATE_MAX_AGE_DAYS must be at least 1.",
            hint=f"It is {settings.EXCHANGE_RATE_MAX_AGE_DAYS}.",
            id="suppliers.E002",
        )
    ]
