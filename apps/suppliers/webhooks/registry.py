"""Whose webhooks are taken: `POST /suppliers/<name>/webhooks`."""

from django.conf import settings

from apps.suppliers.vendors import Webhooks, vendors_of


def webhooks_of(supplier: str) -> Webhooks | None:
    """The declaration of a supplier's webhooks. None for a supplier that sends none, or does not serve this deployment's live
    keys.
    """
    for product, suppliers in settings.SUPPLIERS.items():
        vendor = vendors_of(product).get(supplier) if suppliers["live"] == supplier else None
        if vendor is not None and vendor.webhooks is not None:
            return vendor.webhooks
    return None
