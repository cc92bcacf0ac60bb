"""The service with Hotelbeds' stand-in behind its live keys."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.conf import settings
from django.core.cache import cache
from django.test import override_settings

from apps.transfers.suppliers.hotelbeds.client import DailyQuota
from tests.support.supplier_stub import serving
from tests.transfers.suppliers.hotelbeds.stub import KEY, SECRET, HotelbedsStub


@contextmanager
def live_keys_at_hotelbeds(serving_already: HotelbedsStub | None = None) -> Iterator[HotelbedsStub]:
    """For the length of the block live keys sell the stub's transfers."""
    with nullcontext(serving_already) if serving_already else serving(HotelbedsStub()) as stub:
        hotelbeds = {"key": KEY, "secret": SECRET, "base_url": stub.host}
        with override_settings(
            SUPPLIERS={**settings.SUPPLIERS, "transfers": {"live": "hotelbeds"}},
            SUPPLIER_CREDENTIALS={**settings.SUPPLIER_CREDENTIALS, "hotelbeds": hotelbeds},
        ):
            forget_pause()
            yield stub
    forget_pause()


def forget_pause() -> None:
    """A quota that a test used up is no other test's trouble."""
    cache.delete(DailyQuota(KEY).name)
