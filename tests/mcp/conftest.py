import pytest

from apps.keys.scopes import ENFORCED
from tests.esim.conftest import catalogue, places
from tests.factories.gateway import api_of_new_partner
from tests.mcp.assistant import Assistant
from tests.support.api import Api

__all__ = ["catalogue", "places"]


@pytest.fixture
def api() -> Api:
    return api_of_new_partner(cents=10_000_000, scopes=list(ENFORCED))


@pytest.fixture
def assistant(api: Api) -> Assistant:
    return Assistant(api)
