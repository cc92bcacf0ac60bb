"""Which of their orders is the one that was lost."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.suppliers.errors import Unavailable
from apps.transfers.suppliers.base import LeadPassenger, OrderRequest
from apps.transfers.suppliers.hotelbeds import adapter
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from tests.transfers.suppliers.hotelbeds.books import without
from tests.transfers.suppliers.hotelbeds.stub import LIST, HotelbedsStub
from tests.transfers.suppliers.requests import HOTEL, PALMA, a_search, an_order, new_ref

pytestmark = pytest.mark.django_db


def ordered(hotelbeds: HotelbedsTransfers, lead: LeadPassenger | None = None, **search: Any) -> OrderRequest:
    """As the look-up has it: with the offer that was booked."""
    asked = a_search(**search)
    offer = hotelbeds.reprice(asked, hotelbeds.search(asked)[0])
    request = an_order(offer, **search)
    request = replace(request, lead_passenger=lead or request.lead_passenger, sent_at=clock.now())
    hotelbeds.book(request)
    return request


def reference_of(stub: HotelbedsStub, request: OrderRequest) -> str:
    (found,) = (
        one["reference"] for one in stub.bookings.values() if one["clientReference"] == request.client_ref
    )
    return str(found)


def found(hotelbeds: HotelbedsTransfers, request: OrderRequest) -> str | None:
    order = hotelbeds.find_order(request.client_ref, request)
    return order.supplier_reference if order else None


def queries(stub: HotelbedsStub) -> list[dict[str, str]]:
    return [heard.query for heard in stub.heard_by("GET", LIST)]


def test_it_is_looked_for_by_the_day_it_was_sent(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    request = ordered(hotelbeds)
    assert found(hotelbeds, request) == reference_of(stub, request)
    assert request.sent_at is not None
    day = request.sent_at.date()
    asked = {
        "fromDate": (day - timedelta(days=1)).isoformat(),
        "toDate": (day + timedelta(days=1)).isoformat(),
        "dateType": "CREATION_DATE",
        "limit": "100",
    }
    assert queries(stub) == [asked, {**asked, "offset": "1"}]


@pytest.mark.parametrize("first_offset", [0, 1])
@pytest.mark.parametrize("page", [1, 2, 3, 7])
def test_every_page_is_gone_through(hotelbeds, stub, monkeypatch, first_offset, page):
    monkeypatch.setattr(adapter, "PAGE", page + first_offset)
    stub.first_offset = first_offset
    requests = [ordered(hotelbeds) for _ in range(5)]
    assert [found(hotelbeds, request) for request in requests] == list(stub.bookings)


def test_where_creation_is_no_date_to_list_by_the_ride_is(hotelbeds, stub):
    stub.date_types = ("FROM_DATE",)
    ordered(hotelbeds, outbound=a_search().outbound + timedelta(days=40))
    request = ordered(hotelbeds)
    assert found(hotelbeds, request) == reference_of(stub, request)
    refused, *listed = queries(stub)
    assert (refused["dateType"], listed[0]["dateType"]) == ("CREATION_DATE", "FROM_DATE")
    assert (listed[0]["fromDate"], listed[0]["toDate"]) == ("2027-02-02", "2027-02-04")


def test_an_order_that_never_was_is_not_there(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    """Though there is one of the same traveller for the same ride."""
    request = ordered(hotelbeds)
    assert found(hotelbeds, replace(request, client_ref=new_ref())) is None


def test_a_list_that_does_not_repeat_our_reference_is_read_on_in_the_details(hotelbeds, stub):
    stub.list_names_reference = False
    requests = [ordered(hotelbeds) for _ in range(3)]
    assert [found(hotelbeds, request) for request in requests] == list(stub.bookings)
    assert (
        found(hotelbeds, replace(requests[0], client_ref=new_ref(), offer=unknown_key(requests[0]))) is None
    )


def unknown_key(request: OrderRequest) -> Any:
    return replace(request.offer, supplier_data={**request.offer.supplier_data, "rateKey": "another"})


def test_where_nothing_repeats_our_reference_the_rate_key_tells(hotelbeds, stub):
    stub.list_names_reference = stub.detail_names_reference = False
    requests = [ordered(hotelbeds) for _ in range(3)]
    assert [found(hotelbeds, request) for request in requests] == list(stub.bookings)


def nothing_tells(stub: HotelbedsStub) -> None:
    """Neither reference nor rate key comes back: holder and ride alone are left."""
    stub.list_names_reference = stub.detail_names_reference = False
    for booking in stub.bookings.values():
        booking["transfers"] = [without(transfer, "rateKey") for transfer in booking["transfers"]]


GRACE = LeadPassenger("Grace", "Hopper", "grace@example.com", "+12125550000")


def test_at_last_holder_and_ride_tell(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    mine = ordered(hotelbeds)
    others = [
        ordered(hotelbeds, GRACE),
        ordered(hotelbeds, replace(mine.lead_passenger, email="other@example.com")),
        ordered(hotelbeds, start=HOTEL, end=PALMA),
        ordered(hotelbeds, end=replace(HOTEL, code="266")),
        ordered(hotelbeds, outbound=a_search().outbound + timedelta(days=2)),
    ]
    references = [reference_of(stub, request) for request in (mine, *others)]
    nothing_tells(stub)
    assert [found(hotelbeds, request) for request in (mine, *others)] == references


def test_two_orders_alike_are_told_apart_by_the_one_that_is_known(hotelbeds, stub):
    known, lost = ordered(hotelbeds), ordered(hotelbeds)
    references = [reference_of(stub, request) for request in (known, lost)]
    nothing_tells(stub)
    with pytest.raises(Unavailable):
        found(hotelbeds, lost)
    assert found(hotelbeds, replace(lost, others=(references[0],))) == references[1]
    assert found(hotelbeds, replace(lost, others=tuple(references))) is None
