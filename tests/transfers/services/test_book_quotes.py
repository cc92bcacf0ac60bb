"""Which quotes can be ordered, by whom."""

import pytest

from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.simulation import Market
from apps.transfers.suppliers import registry
from tests.support.api import Api
from tests.transfers.agency import (
    BALANCE_CENTS,
    Company,
    a_partner,
    an_offer,
    money,
    order,
)


def test_a_sold_out_quote_is_gone(api: Api, partner: Onboarded, company: Company) -> None:
    offer = an_offer(api)
    company.market = Market(sold_out=True)
    assert order(api, offer["quoteId"]).error_type == "offer_expired"
    assert money(partner) == (BALANCE_CENTS, 0)


def test_a_quote_can_be_ordered_twice(api: Api) -> None:
    quote = an_offer(api)["quoteId"]
    assert order(api, quote).body["id"] != order(api, quote).body["id"]


def test_a_quote_of_a_supplier_that_is_no_longer_known_is_unavailable(
    api: Api, partner: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    quote = an_offer(api)["quoteId"]
    monkeypatch.delitem(registry.VENDORS, "simulator")
    reply = order(api, quote)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert money(partner) == (BALANCE_CENTS, 0)


@pytest.mark.parametrize(
    "quote",
    ["quote_nonsense", "rate_01m7x5p1nhjfd1zv7t4c4h1nst00", "quote_01m7x5p1nhjfd1zv7t4c4h1nst00", "x" * 255],
)
def test_a_quote_that_never_was_is_gone(api: Api, quote: str) -> None:
    assert order(api, quote).error_type == "offer_expired"


def test_a_quote_beyond_the_offers_is_gone(api: Api) -> None:
    quote = an_offer(api)["quoteId"]
    assert order(api, quote[:-1] + "9").error_type == "offer_expired"


def test_a_quote_belongs_to_the_partner_and_the_environment_that_searched(
    api: Api, partner: Onboarded
) -> None:
    quote = an_offer(api)["quoteId"]
    other = a_partner(live=True)
    for secret in (other.test_secret, other.live_secret):
        assert order(Api(secret or ""), quote, flightNumber="TP1").error_type == "offer_expired"
    assert order(api, quote).status == 201
