"""A partner with money, and the transfer company that it books with."""

import pytest

from apps.onboarding.services.onboard_partner import Onboarded
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
