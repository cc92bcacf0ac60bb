"""The service with Duffel's stand-in behind its live keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.test import override_settings

from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.stub import SECRET, DuffelStub
from tests.support.supplier_stub import serving


@contextmanager
def live_keys_at_duffel(**credentials: Any) -> Iterator[DuffelStub]:
    """For the length of the block live keys sell the stub's flights."""
    with serving(DuffelStub()) as stub:
        duffel = {
            **settings.SUPPLIER_CREDENTIALS["duffel"],
            "access_token": TOKEN,
            "webhook_secret": SECRET,
            "base_url": stub.url,
            **credentials,
        }
        with override_settings(
            SUPPLIERS={**settings.SUPPLIERS, "flights": {"live": "duffel"}},
            SUPPLIER_CREDENTIALS={**settings.SUPPLIER_CREDENTIALS, "duffel": duffel},
        ):
            yield stub
