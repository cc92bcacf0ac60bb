from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.services.onboard_partner import Onboarded
from apps.common import clock
from apps.gateway.errors import OfferExpired
from apps.keys import catalogue
from apps.suppliers.codec import from_json, to_json
from apps.transfers.models import TransferSearch
from apps.transfers.selectors import quoted_transfer
from apps.transfers.suppliers.base import TransferOffer
from apps.transfers.suppliers.base import TransferSearch as Request
from tests.support.api import Api
from tests.transfers.agency import search


def test_a_quote_is_the_offer_at_its_place_and_what_it_answers(api: Api, partner: Onboarded) -> None:
    found = search(api)
    row = TransferSearch.objects.get()
    for place, offer in enumerate(found["offers"]):
        quoted = quoted_transfer(catalogue.look_up(partner.test_secret), offer["quoteId"])
        assert (quoted.id, quoted.supplier_name) == (offer["quoteId"], "simulator")
        assert quoted.offer == from_json(TransferOffer, row.offers[place])
        assert quoted.offer.total_cents == offer["totalCents"]
        assert quoted.request == from_json(Request, row.request)


def test_a_quote_ends_when_the_supplier_says_although_the_search_lives_on(
    api: Api, partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    quote = search(api)["offers"][0]["quoteId"]
    row = TransferSearch.objects.get()
    row.offers[0]["expires_at"] = to_json(clock.now() + timedelta(minutes=5))
    row.save()
    caller = catalogue.look_up(partner.test_secret)
    move_clock(minutes=4)
    assert quoted_transfer(caller, quote).id == quote
    move_clock(minutes=2)
    with pytest.raises(OfferExpired):
        quoted_transfer(caller, quote)
