"""The stand-in, our adapter before it, and a partner whose live key sells through them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.hotels.suppliers.liteapi import client as liteapi_client
from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels
from apps.hotels.suppliers.liteapi.client import LiteApiClient
from apps.suppliers import http
from apps.suppliers.http import Limits
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.stub import LiteApiStub
from tests.support.api import Api
from tests.support.supplier_stub import serving


@pytest.fixture
def stub() -> Iterator[LiteApiStub]:
    with serving(LiteApiStub()) as stub:
        yield stub


@pytest.fixture
def hotels(stub: LiteApiStub) -> LiteApiHotels:
    return LiteApiHotels(LiteApiClient(stub.credentials()))


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits between attempts at a supplier that refuses on purpose."""
    monkeypatch.setattr(http, "BACKOFF_SECONDS", (0.0, 0.0))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """`impatient("BOOK")`: from now on that call is not waited for. Only for what is not answered: this machine is busy."""

    def shorten(call: str) -> None:
        monkeypatch.setattr(liteapi_client, f"{call}_LIMITS", Limits(connect=20, read=0.4))

    return shorten


@pytest.fixture
def connected(settings: Any, stub: LiteApiStub) -> None:
    """Live keys' hotels come from the stand-in."""
    settings.SUPPLIERS = {**settings.SUPPLIERS, "hotels": {"live": "liteapi"}}
    settings.SUPPLIER_CREDENTIALS = {**settings.SUPPLIER_CREDENTIALS, "liteapi": stub.credentials()}


@pytest.fixture
def live(connected: None, live: Api) -> Api:
    return live


@pytest.fixture
def desk(live: Api) -> FrontDesk:
    return FrontDesk(live)
