"""The suppliers that this deployment has chosen for live keys, and whether it has told what they need."""

from collections.abc import Iterator

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.suppliers.choice import OFF, SIMULATOR
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
