"""What the costs are measured of: every operation, each request answered as it should be. Nothing is timed here."""

import pytest

from apps.accounts.models import Account
from apps.keys.scopes import GRANTABLE
from tests.bench.costs import hotels, measure
from tests.bench.costs.partner import Partner
from tests.bench.stays import LARGE_CITIES
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.operations import operations

UNLIMITED = {"rate_search": 10**6, "rate_booking": 10**6, "rate_read": 10**6, "search_quota": 10**6}


@pytest.fixture
def partner(transactional_db: None) -> Partner:
    api = api_of_new_partner(scopes=GRANTABLE, cents=10**12)
    Account.objects.update(**UNLIMITED)
    return Partner(api, Account.objects.get(id=partner_of(api).account_id))


def test_the_largest_request_of_every_operation_is_answered(partner: Partner) -> None:
    asked = [
        ask for part in measure.parts() for ask in part(partner) if measure.once(partner, ask).size < 10**7
    ]

    assert {ask.operation for ask in asked} == {operation.route.id for operation in operations()}


def test_a_usual_search_finds_twenty_hotels(partner: Partner) -> None:
    found = [partner.answer("searchHotels", hotels.usual())["hotels"] for _ in LARGE_CITIES]

    assert [len(each) for each in found] == [20] * 8
