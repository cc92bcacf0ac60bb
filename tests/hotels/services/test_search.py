"""What a search keeps of what a supplier says."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.common import clock
from apps.hotels.models import HotelSearch
from apps.hotels.services.search import affordable
from apps.hotels.suppliers.base import HotelOffer
from apps.suppliers.errors import Rejected, SupplierError, Unavailable
from apps.suppliers.results import Found, Withheld
from apps.suppliers.values import from_json, replaced
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.requests import a_search
from tests.hotels.suppliers.scripted import ScriptedHotels


def test_everything_found_is_kept_in_one_row(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    reply = desk.search()
    row = HotelSearch.objects.get()
    kept = from_json(list[HotelOffer], row.hotels)
    assert (row.id, row.environment, row.supplier_name) == (reply.body["id"], "test", "simulator")
    assert [offer.hotel.hotel_id for offer in kept] == [hotel["hotelId"] for hotel in reply.body["hotels"]]
    assert row.rooms == [{"adults": 2, "children_ages": []}]


def test_a_rate_lives_no_longer_than_its_supplier_says(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: Callable[..., None]
) -> None:
    supplier.expires_at = clock.now() + timedelta(minutes=5)
    rate = desk.rate()
    assert rate["expiresAt"] == clock.rfc3339(supplier.expires_at)
    move_clock(minutes=6)
    assert desk.book(rate).error_type == "offer_expired"
    assert desk.api.get(f"/v1/hotels/rates/{rate['rateId']}").error_type == "offer_expired"


@pytest.mark.parametrize("says", [None, timedelta(days=1)])
def test_a_rate_lives_twenty_minutes_whatever_its_supplier_says(
    desk: FrontDesk, supplier: ScriptedHotels, says: timedelta | None
) -> None:
    supplier.expires_at = says and clock.now() + says
    reply = desk.search()
    assert reply.body["hotels"][0]["rates"][0]["expiresAt"] == reply.body["expiresAt"]
    row = HotelSearch.objects.get()
    kept = from_json(list[HotelOffer], row.hotels)
    assert {rate.expires_at for offer in kept for rate in offer.rates} == {row.expires_at}


def test_no_more_rates_are_quoted_than_handles_reach(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    supplier.rates_of_a_hotel = 12
    hotels = desk.hotels({"limit": 100})
    assert {len(hotel["rates"]) for hotel in hotels} == {10}
    last = hotels[-1]["rates"][-1]
    read = desk.api.get(f"/v1/hotels/rates/{last['rateId']}").body
    assert (read["hotel"]["hotelId"], read["totalCents"]) == (hotels[-1]["hotelId"], last["totalCents"])


def test_only_rates_up_to_the_price_that_was_asked_for_are_kept_and_only_hotels_that_have_one(
    supplier: ScriptedHotels,
) -> None:
    offers = supplier.search(a_search(limit=5))
    totals = sorted(rate.total_cents for offer in offers for rate in offer.rates)
    for most in (totals[0] - 1, totals[0], totals[4], totals[-1]):
        now = clock.now()
        asked = a_search(max_total_cents=most, limit=5)
        found = affordable(offers, asked, "EUR", now=now, lives_until=now + timedelta(minutes=20))
        assert all(offer.rates for offer in found)
        kept = sorted(rate.total_cents for offer in found for rate in offer.rates)
        assert kept == [total for total in totals if total <= most]


@pytest.mark.parametrize(
    ("error", "status", "type"),
    [(Rejected, 502, "upstream_error"), (Unavailable, 503, "upstream_unavailable")],
)
def test_a_supplier_that_fails_keeps_and_bills_nothing(
    desk: FrontDesk, supplier: ScriptedHotels, error: type[SupplierError], status: int, type: str
) -> None:
    supplier.raises["search"] = error
    reply = desk.search(key="search-again")
    assert (reply.status, reply.error_type) == (status, type)
    assert reply.headers["X-Search-Billable"] == "false"
    assert not HotelSearch.objects.exists()
    supplier.raises.clear()
    assert desk.search(key="search-again").headers["X-Search-Billable"] == "true"


def test_rates_that_are_withheld_are_counted_and_the_record_says_so_too(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every hotel has three rates, one of which has expired."""
    offers = []
    for offer in supplier.search(a_search(limit=2)):
        gone = replaced(offer.rates[0], expires_at=clock.now())
        offers.append(replaced(offer, rates=(gone, *offer.rates[1:])))
    monkeypatch.setattr(supplier, "search", lambda request: Found(offers, Withheld(1, 0, 2, 3)))
    first, again = (desk.search(key="search-once") for _ in range(2))
    assert [len(hotel["rates"]) for hotel in first.body["hotels"]] == [2, 2]
    counts = {"documentsRequired": 1, "noLongerSold": 2, "unsupported": 2, "unreadable": 3}
    assert first.body["withheld"] == counts
    assert again.content == first.content
    assert desk.api.get(f"/v1/hotels/searches/{first.body['id']}").content == first.content
