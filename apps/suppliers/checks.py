"""System checks of settings with which live keys would buy from nobody, or could buy nothing."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from apps.suppliers.choice import SIMULATOR


@register(Tags.security, deploy=True)
def live_keys_reach_a_supplier(**kwargs: Any) -> list[CheckMessage]:
    """Every product's live keys must be served by a real supplier (contract §4)."""
    return [
        Error(
            f"Live keys would buy {product} from the simulator.",
            hint=f"Set {product.upper()}_SUPPLIER to a supplier that is under contract.",
            id="suppliers.E001",
        )
        for product, suppliers in settings.SUPPLIERS.items()
        if suppliers["live"] == SIMULATOR
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
