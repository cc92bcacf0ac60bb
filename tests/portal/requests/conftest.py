import pytest

from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api


@pytest.fixture
def api(account) -> Api:
    return api_of_new_partner(account=account, name="Web shop", cents=5_000_000)
