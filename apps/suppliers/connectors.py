"""The connectors that live keys can be given to, product by product, and what each must be told to be let in."""

from collections.abc import Iterator

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.suppliers.choice import SIMULATOR

# Product → connector → the entries of its SUPPLIER_CREDENTIALS that it cannot do without, and the variables that fill them.
CONNECTORS: dict[str, dict[str, dict[str, str]]] = {
    "flights": {"duffel": {"access_token": "DUFFEL_ACCESS_TOKEN"}},
    "hotels": {"liteapi": {"key": "LITEAPI_KEY", "payment_method": "LITEAPI_PAYMENT_METHOD"}},
    "transfers": {
        "hotelbeds": {"key": "HOTELBEDS_TRANSFERS_KEY", "secret": "HOTELBEDS_TRANSFERS_SECRET"},
    },
    "esim": {"airalo": {"client_id": "AIRALO_CLIENT_ID", "client_secret": "AIRALO_CLIENT_SECRET"}},
}


def chosen() -> Iterator[tuple[str, str]]:
    """Product and supplier of every product that live keys do not buy from the simulator."""
    for product, suppliers in settings.SUPPLIERS.items():
        if suppliers["live"] != SIMULATOR:
            yield product, suppliers["live"]


def refuse_misconfigured() -> None:
    """Raises ImproperlyConfigured, which names the variable: no process starts with a supplier that it cannot reach."""
    faults = [fault for product, name in chosen() for fault in _faults(product, name)]
    if faults:
        raise ImproperlyConfigured(" ".join(faults))


def _faults(product: str, name: str) -> Iterator[str]:
    variable = f"{product.upper()}_SUPPLIER"
    if name not in CONNECTORS[product]:
        known = ", ".join([SIMULATOR, *CONNECTORS[product]])
        yield f"{variable} is {name!r}, and must be one of: {known}."
        return
    for entry, needed in CONNECTORS[product][name].items():
        if not settings.SUPPLIER_CREDENTIALS[name][entry]:
            yield f"{variable}={name} needs {needed}, which is not set."
