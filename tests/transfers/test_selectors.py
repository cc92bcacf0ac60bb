from datetime import timedelta

import pytest

from apps.common import clock
from apps.common.errors import OfferExpired
from apps.keys import authentication
from apps.suppliers.values import to_json
from apps.transfers.models import TransferSearch
from apps.transfers.selectors import belongs_to_another, like_orders, quoted_transfer
from tests.support.api import Api
from tests.transfers.agency import a_partner, an_order, search, the_booking


def test_a_quote_ends_when_the_supplier_says_although_the_search_lives_on(api, partner, move_clock):
    quote = search(api)["offers"][0]["quoteId"]
    row = TransferSearch.objects.get()
    row.offers[0]["expires_at"] = to_json(clock.now() + timedelta(minutes=5))
    row.save()
    caller = authentication.look_up(partner.test_secret)
    move_clock(minutes=4)
    assert quoted_transfer(caller, quote).id == quote
    move_clock(minutes=2)
    with pytest.raises(OfferExpired):
        quoted_transfer(caller, quote)


def test_like_orders_are_the_accounts_other_ones_for_the_same_time(api: Api) -> None:
    mine, like = (the_booking(an_order(api)["id"]) for _ in range(2))
    an_order(api, outbound="2027-02-03T14:31:00")
    an_order(Api(a_partner().test_secret))
    assert like_orders(mine) == ()  # the simulator finds an order by our reference
    mine.supplier_name = "vendor"
    assert like_orders(mine) == (like.supplier_reference,)


def test_an_order_of_a_real_supplier_belongs_to_one_booking(api: Api) -> None:
    mine, other = (the_booking(an_order(api)["id"]) for _ in range(2))
    for booking, reference in ((mine, "102-1"), (other, "102-2")):
        booking.supplier_name, booking.supplier_reference = "vendor", reference
        booking.save()
    assert [belongs_to_another(mine, reference) for reference in ("102-1", "102-2", "102-3")] == [
        False,
        True,
        False,
    ]
