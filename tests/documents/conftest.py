import pytest

from apps.onboarding.partners import Onboarded
from tests.documents.counter import Counter
from tests.hotels.conftest import onboard
from tests.support.api import Api


@pytest.fixture
def partner(db: None) -> Onboarded:
    """A partner with 100,000.00 EUR and a live key, named Acme Travel."""
    return onboard()


@pytest.fixture
def counter(partner: Onboarded) -> Counter:
    return Counter(Api(partner.test_secret))
