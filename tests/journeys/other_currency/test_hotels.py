"""A hotel sold in another currency: limits of a search, and charges at the hotel."""

from typing import Any

import pytest

from apps.onboarding.partners import Onboarded
from tests.journeys.other_currency.journey import SEARCHED_AT, Stay, store_rate
from tests.support.api import Api

pytestmark = pytest.mark.django_db


def test_a_limit_of_a_search_counts_in_the_accounts_currency(api: Api) -> None:
    store_rate("10")
    dearest = max(total for _, total in Stay(api).offers())
    reply = api.post("/v1/hotels/searches", {"maxTotalCents": dearest // 2})
    totals = [rate["totalCents"] for hotel in reply.body["hotels"] for rate in hotel["rates"]]
    assert totals == [total for total in totals if total <= dearest // 2]


def test_what_is_paid_at_the_hotel_stays_in_the_hotels_currency(api: Api, partner: Onboarded) -> None:
    store_rate(SEARCHED_AT)

    def local_charges(key: Api) -> list[Any]:
        hotels = key.post("/v1/hotels/searches", {"destination": {"countryCode": "US"}}).body["hotels"]
        return [rate["payAtHotel"] for hotel in hotels for rate in hotel["rates"]]

    assert any(local_charges(api))
    assert local_charges(api) == local_charges(Api(partner.test_secret))
