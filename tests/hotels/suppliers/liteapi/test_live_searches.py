"""What a live key's searches ask and tell, through the whole service."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.hotels.front_desk import FrontDesk, faults
from tests.hotels.suppliers.liteapi.stub import RATES, LiteApiStub
from tests.support.api import Api

pytestmark = pytest.mark.django_db

PORTUGAL = {"destination": {"countryCode": "PT"}}


def test_a_search_tells_what_is_paid_at_the_hotel_and_nothing_of_theirs(desk: FrontDesk) -> None:
    hotel = desk.hotels()[0]
    assert (hotel["hotelId"], hotel["name"]) == ("lpstub01", "Hotel Miradouro")
    assert [rate["board"]["code"] for rate in hotel["rates"]] == ["RO", "BB"]
    assert hotel["rates"][1]["payAtHotel"] == [
        {"description": "City tax", "amountCents": 800, "currency": "EUR"}
    ]
    assert hotel["rates"][1]["cancellationPolicy"]["refundableTag"] == "RFN"
    assert "OFFERSTUB" not in json.dumps(hotel)


def test_no_less_than_they_allow_is_suggested_to_travellers(desk: FrontDesk, live: Api) -> None:
    """The account adds 10 %, they want 15 % to be shown at least."""
    for rate in (rates := desk.hotels()[0]["rates"]):
        assert rate["suggestedRetailCents"] == pytest.approx(rate["totalCents"] * 1.15, abs=1)
    read = live.get(f"/v1/hotels/rates/{rates[0]['rateId']}").body
    assert read["suggestedRetailCents"] == rates[0]["suggestedRetailCents"]


def test_taxes_are_told_apart_and_what_is_paid_there_is_added(desk: FrontDesk) -> None:
    rate = desk.hotels()[0]["rates"][1]
    assert [(tax["description"], tax["included"]) for tax in rate["taxes"]] == [
        ("VAT", True),
        ("City tax", False),
    ]
    assert rate["totalWithLocalChargesCents"] == rate["totalCents"] + 800


def test_a_country_is_searched_city_by_city(desk: FrontDesk, stub: LiteApiStub) -> None:
    assert {hotel["address"]["city"] for hotel in desk.hotels(PORTUGAL)} == {"Lisbon", "Porto"}
    assert [heard.json["cityName"] for heard in stub.heard_by(*RATES)] == ["Lisbon", "Porto", "Braga"]
    desk.hotels({**PORTUGAL, "limit": 2})
    assert len(stub.heard_by(*RATES)) == 4


def test_a_city_that_does_not_answer_is_forgiven_where_another_did(
    desk: FrontDesk, stub: LiteApiStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stub.books, "rates", answering_once(stub.books.rates))
    assert {hotel["address"]["city"] for hotel in desk.hotels(PORTUGAL)} == {"Lisbon"}


def answering_once(rates: Callable[[Any], Any]) -> Callable[[Any], Any]:
    answers = [rates]

    def once(body: Any) -> Any:
        return answers.pop()(body) if answers else {"error": {"code": 5000}}

    return once


def test_what_is_not_where_the_search_says_takes_no_place_of_its_limit(desk: FrontDesk) -> None:
    porto = {"city": "Porto", "countryCode": "PT"}
    body = {"hotelIds": ["lpstub01", "lpstub04"], "destination": porto, "limit": 1}
    assert [hotel["hotelId"] for hotel in desk.hotels(body)] == ["lpstub04"]


def test_a_city_of_unknown_country_is_refused_by_its_field(desk: FrontDesk, stub: LiteApiStub) -> None:
    assert faults(desk.search({"destination": {"city": "Nowhereville"}})) == ["destination.countryCode"]
    assert stub.heard_by(*RATES) == []


def test_a_test_key_never_reaches_it(live: Api, stub: LiteApiStub, api: Api) -> None:
    assert FrontDesk(api).hotels() != []
    assert stub.heard == []
