"""A partner with money, and the transfer company that it books with."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from apps.onboarding.partners import Onboarded
from apps.suppliers.vendors import Vendor
from apps.transfers.suppliers import registry
from tests.journeys.other_currency.dollars import Dollars
from tests.journeys.other_currency.journey import SEARCHED_AT, store_rate
from tests.support.api import Api
from tests.transfers.agency import Company, a_company, a_partner


@pytest.fixture
def partner(db: None) -> Onboarded:
    return a_partner()


@pytest.fixture
def api(partner: Onboarded) -> Api:
    return Api(partner.test_secret)


@pytest.fixture
def company(monkeypatch: pytest.MonkeyPatch) -> Company:
    return a_company(monkeypatch)


@pytest.fixture
def live(db: None) -> Api:
    """A partner with a live key."""
    secret = a_partner(live=True).live_secret
    assert secret is not None
    return Api(secret)


@pytest.fixture
def former(db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Company:
    """Who sells to live keys, for dollars, until the test calls `another_sells`."""
    company = Company()
    monkeypatch.setitem(registry.VENDORS, "former", Vendor("former", lambda: Dollars(company)))
    settings.SUPPLIERS = {**settings.SUPPLIERS, "transfers": {"live": "former"}}
    store_rate(SEARCHED_AT)
    return company


@pytest.fixture
def another_sells(settings: Settings) -> Callable[[], None]:
    """From then on live keys search elsewhere."""

    def change() -> None:
        settings.SUPPLIERS = {**settings.SUPPLIERS, "transfers": {"live": "simulator"}}

    return change
