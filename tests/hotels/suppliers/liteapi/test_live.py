"""A live key's hotels, through the whole service: what is quoted, what is sent, and what is paid."""

import logging
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.bookings.flow.cancellation_quotes import quote_cancellation
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.hotels.models import HotelFacts, Property
from apps.hotels.services import book as book_service
from apps.hotels.tasks import learn_hotels
from apps.ledger.consistency import check_ledger
from apps.suppliers.models import SupplierAlert
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import ADA, BYRON, CHARLES, LISBON, FrontDesk, faults, in_days
from tests.hotels.suppliers.liteapi.stub import (
    BOOK,
    CANCEL,
    KEY,
    LEAST,
    PREBOOK,
    RATES,
    WEBHOOK_TOKEN,
    LiteApiStub,
    refused,
)
from tests.suppliers.leaks import leaks
from tests.support.api import Api
from tests.support.supplier_stub import Trouble

pytestmark = pytest.mark.django_db


def test_a_fee_for_the_way_of_paying_is_told_before_it_is_paid(desk: FrontDesk, stub: LiteApiStub) -> None:
    """Searches do not tell it: 409 says what the stay costs with it."""
    stub.books.fee_percent = 4
    rate = desk.rate()
    refused_reply = desk.book(rate)
    assert (refused_reply.status, refused_reply.error_type) == (409, "price_changed")
    whole = refused_reply.error["currentTotalCents"]
    assert whole == pytest.approx(rate["totalCents"] * 1.04, abs=1)
    booking = desk.booked(rate, maxTotalCents=whole)
    assert booking["totalCents"] == whole
    assert desk.balance() == (BALANCE_CENTS - whole, 0)
    assert SupplierAlert.objects.count() == 0


def test_a_booking_sends_the_prebook_our_reference_and_a_lead_for_each_room(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    rooms = [{"adults": 1, "childrenAges": [7]}, {"adults": 1}]
    rate = desk.rate({"destination": {"city": "Porto", "countryCode": "PT"}, "rooms": rooms})
    booking = desk.booked(rate, guests=[ADA, BYRON, CHARLES], specialRequests="A cot, please")
    (sent,) = stub.heard_by(*BOOK)
    assert sent.query["timeout"] == "100"
    assert sent.json == {
        "prebookId": next(iter(stub.books.prebooks)),
        "clientReference": booking["reference"],
        "holder": {
            "firstName": "Ada",
            "lastName": "Lovelace",
            "email": "ada@example.com",
            "phone": "+351210000000",
        },
        "guests": [
            {
                "occupancyNumber": 1,
                "firstName": "Ada",
                "lastName": "Lovelace",
                "email": "ada@example.com",
                "remarks": "A cot, please",
            },
            {
                "occupancyNumber": 2,
                "firstName": "Charles",
                "lastName": "Babbage",
                "email": "ada@example.com",
            },
        ],
        "payment": {"method": "WALLET"},
    }
    assert booking["supplier"] == {"name": "liteapi", "reference": next(iter(stub.books.bookings))}
    assert booking["totalCents"] == rate["totalCents"]


def test_the_prebook_is_kept_before_it_is_booked(
    desk: FrontDesk, stub: LiteApiStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = []
    call = book_service.BookStay.call

    def watched(self: Any, operation: Operation, trouble: str) -> Any:
        kept.append(operation.prepared["rate"]["supplier_data"]["prebook_id"])
        assert stub.books.bookings == {}
        return call(self, operation, trouble)

    monkeypatch.setattr(book_service.BookStay, "call", watched)
    desk.booked()
    stored = Operation.objects.get().prepared["rate"]["supplier_data"]["prebook_id"]
    assert kept == [stored] == list(stub.books.prebooks)


@pytest.mark.django_db(transaction=True)
def test_the_partner_pays_what_was_held_at_most(desk: FrontDesk, stub: LiteApiStub) -> None:
    rate = desk.rate()
    stub.books.overcharge = Decimal("10")
    assert desk.booked(rate)["totalCents"] == rate["totalCents"]
    assert desk.balance() == (BALANCE_CENTS - rate["totalCents"], 0)
    assert check_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_a_stay_that_cost_us_more_is_cancelled_at_no_more_than_the_partner_paid(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    stub.books.overcharge = Decimal("10")
    booking = desk.booked(desk.rate(refundable=False))
    paid = booking["totalCents"]
    cancellation = desk.cancel(booking, {"maxPenaltyCents": paid}).body["cancellation"]
    assert (cancellation["penaltyCents"], cancellation["refundCents"]) == (paid, 0)
    assert desk.balance() == (BALANCE_CENTS - paid, 0)


@pytest.mark.django_db(transaction=True)
def test_a_fee_above_the_terms_is_told_to_staff_and_not_charged(
    desk: FrontDesk, stub: LiteApiStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The partner pays what the terms say: it had agreed to no more."""
    booking = desk.booked()
    monkeypatch.setattr(stub.books, "fee", lambda booking_id: Decimal(5))
    cancellation = desk.cancel(booking, {"maxPenaltyCents": 0}).body["cancellation"]
    assert (cancellation["penaltyCents"], cancellation["refundCents"]) == (0, booking["totalCents"])
    assert desk.balance() == (BALANCE_CENTS, 0)
    fee = f"the fee of cancelling {booking['supplier']['reference']}"
    assert list(SupplierAlert.objects.values_list("kind", "detail")) == [("price_above_quote", fee)]


def test_what_the_hotel_does_not_let_be_cancelled_is_told_in_words(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    booking = desk.booked()
    stub.trouble(*CANCEL, refused(304))
    reply = desk.cancel(booking)
    assert (reply.status, reply.error["message"]) == (
        409,
        "The hotel does not let this booking be cancelled.",
    )


def test_a_penalty_is_worked_out_from_the_terms_kept_at_the_booking(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    """Whatever they say of the policy by now."""
    booking = desk.booked(desk.rate(refundable=False))
    stub.books.bookings[booking["supplier"]["reference"]]["cancellationPolicies"] = None
    reply = desk.cancel(booking, {"maxPenaltyCents": 0})
    assert reply.error["penaltyCents"] == booking["totalCents"]


def test_what_the_hotel_cancels_without_a_sum_costs_what_the_terms_kept_at_the_booking_say(
    desk: FrontDesk, stub: LiteApiStub, move_clock: Callable[..., None]
) -> None:
    """Their reading of a booking need not repeat its policy, and charges may be told before their sum."""
    booking = desk.booked()
    reference = booking["supplier"]["reference"]
    stub.books.call_off(reference, Decimal(5))
    stub.books.bookings[reference] |= {"amountRefunded": None, "cancellationPolicies": None}
    move_clock(hours=2)
    assert poll_suppliers() == 1
    assert desk.read(booking["id"]).body["cancellation"]["penaltyCents"] == 0
    assert desk.balance() == (BALANCE_CENTS, 0)


@pytest.mark.django_db(transaction=True)
def test_a_run_writes_down_no_credential_and_no_traveller(
    desk: FrontDesk,
    stub: LiteApiStub,
    caplog: pytest.LogCaptureFixture,
    impatient: Callable[[str], None],
) -> None:
    caplog.set_level(logging.DEBUG)
    guest = {"firstName": "Xanthippe", "lastName": "Quackenbush", "type": "adult"}
    contact = {"email": "quackenbush@example.com", "phone": "+351219998877"}
    rate, who = desk.rate(), {"guests": [guest], "contact": contact}
    booked = desk.booked(rate, **who, specialRequests="Feathers for Xanthippe")
    refusals = []
    for place, trouble in [
        (PREBOOK, refused(2001)),
        (BOOK, refused(2013)),
        (BOOK, refused(401, 401)),
        (BOOK, Trouble(status=200, body=b'{"data": "Quackenbush"}')),
        (BOOK, Trouble(end="hang")),
    ]:
        if trouble.end == "hang":
            impatient("BOOK")
        stub.trouble(*place, trouble)
        refusals.append(desk.book(rate, **who))
    stub.trouble(*CANCEL, refused(304))
    refusals.append(desk.cancel(booked))
    assert [reply.status for reply in refusals] == [410, 502, 503, 503, 503, 409]
    assert "H-" in caplog.text
    assert Booking.objects.count() == 6
    assert (
        leaks(
            credentials=[KEY, WEBHOOK_TOKEN],
            travellers=["Xanthippe", "Quackenbush", "+351219998877", "Feathers"],
            logs=caplog.text,
            answers=[reply.content for reply in refusals],
        )
        == []
    )


PORTUGAL = {"destination": {"countryCode": "PT"}}


def test_no_less_than_they_allow_is_suggested_to_travellers(desk: FrontDesk, live: Api) -> None:
    """The account adds 10 %, they want 15 % to be shown at least."""
    for rate in (rates := desk.hotels()[0]["rates"]):
        assert rate["suggestedRetailCents"] == pytest.approx(rate["totalCents"] * 1.15, abs=1)
    read = live.get(f"/v1/hotels/rates/{rates[0]['rateId']}").body
    assert read["suggestedRetailCents"] == rates[0]["suggestedRetailCents"]


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


def test_remarks_promotions_and_perks_are_shown_up_to_the_booking(desk: FrontDesk, live: Api) -> None:
    palacio = next(hotel for hotel in desk.hotels() if hotel["hotelId"] == "lpstub03")
    rate = next(rate for rate in palacio["rates"] if rate["refundable"])
    fee = "A Resort Fee totaling USD43.61 will be charged at the hotel. Pool & gym are free."
    told = {
        "remarks": [{"kind": "information", "text": fee}],
        "promotions": [{"name": "Winter sale", "from": "2026-11-01", "to": "2027-03-31", "percent": 15.0}],
        "perks": [{"name": "Welcome drink"}],
    }
    booking = desk.read(desk.booked(rate)["id"]).body
    for shown in (rate, live.get(f"/v1/hotels/rates/{rate['rateId']}").body):
        assert {name: shown[name] for name in told} == told
    # What the booking says beyond its rate comes after that, and nothing comes twice.
    booked = [
        {"kind": "know_before_you_go", "text": "Cash is not accepted."},
        {"kind": "optional_fees", "text": "Parking: EUR 15 a night & car."},
    ]
    assert {name: booking[name] for name in told} == {**told, "remarks": [*told["remarks"], *booked]}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"stars": [4, 5]}, ["lpstub01", "lpstub03"]),
        ({"boards": ["BB"], "sort": "price"}, ["lpstub02", "lpstub01", "lpstub03"]),
        ({"boards": ["AI"]}, []),
        ({"minReviewScore": 8.8}, []),
        ({"name": "palacio"}, ["lpstub03"]),
        ({"stars": [3, 4, 5], "name": "o", "sort": "stars", "limit": 2}, ["lpstub03", "lpstub01"]),
    ],
)
@pytest.mark.parametrize("ignores", [False, True])
def test_a_supplier_that_ignores_filters_breaks_none(
    desk: FrontDesk, stub: LiteApiStub, filters: dict[str, Any], found: list[str], ignores: bool
) -> None:
    stub.books.ignores_filters = ignores
    hotels = desk.hotels({**LISBON, **filters})
    assert [hotel["hotelId"] for hotel in hotels] == found
    if "boards" in filters:
        assert {rate["board"]["code"] for hotel in hotels for rate in hotel["rates"]} <= {"BB"}


def test_a_hotel_is_in_another_language_once_it_is_described_in_it(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    """A rate that names its room has the room's name in it."""
    body = {**LISBON, "language": "de-CH", "limit": 1}
    first = desk.search(body).body
    assert (first["language"], first["hotels"][0]["description"]) == ("de", None)
    assert set(HotelFacts.objects.values_list("language", flat=True)) == {"en", "de"}
    assert learn_hotels() == 2
    (english,), (german,) = desk.hotels({**LISBON, "limit": 1}), desk.hotels(body)
    assert english["description"] == "Hotel Miradouro lies in Lisbon & near the river. Quiet rooms."
    assert german["description"] == "Hotel Miradouro liegt in Lisbon am Fluss. Ruhige Zimmer."
    assert german["amenities"][0] == "WLAN verfügbar"
    flex = next(rate for rate in german["rates"] if rate["refundable"])
    saver = next(rate for rate in german["rates"] if not rate["refundable"])
    assert flex["roomName"] == flex["rooms"][0]["name"] == "Doppelzimmer mit Gartenblick"
    assert saver["roomName"] == "Double Room"
    assert desk.booked(flex)["room"]["roomName"] == flex["roomName"]


def test_a_destination_stands_for_the_hotels_with_the_most_reviews(live: Api, stub: LiteApiStub) -> None:
    for number, hotel in enumerate(("lpstub02", "lpstub01", "lpstub06"), start=1):
        Property.objects.create(
            supplier_name="liteapi",
            hotel_id=hotel,
            name=hotel,
            country="PT",
            city="Lisboa",
            city_key="lisboa",
            latitude=None if hotel == "lpstub06" else 38.7,
            longitude=-9.1,
            review_count=number,
            content_hash=0,
            updated_at=clock.now(),
        )
    body = {"destination": {"city": "Lisboa"}, "from": in_days(30), "to": in_days(30)}
    assert len(live.post("/v1/hotels/min-rates", body).body["data"]) == 2
    (asked,) = stub.heard_by(*LEAST)
    assert asked.json["hotelIds"] == ["lpstub01", "lpstub02"]
    assert stub.heard_by(*RATES) == []


def test_facilities_are_known_once_the_hotel_is(desk: FrontDesk, stub: LiteApiStub) -> None:
    body = {**LISBON, "facilities": ["wifi", "breakfast"], "limit": 1}
    assert desk.hotels(body) == []
    assert learn_hotels() > 0
    assert len(desk.hotels(body)) == 1
    assert desk.hotels({**body, "facilities": ["wifi", "spa"]}) == []


def test_a_filter_that_they_do_not_take_is_named(desk: FrontDesk, stub: LiteApiStub) -> None:
    stub.trouble(*RATES, refused(4000, told="invalid board type in boardType"))
    assert faults(desk.search({**LISBON, "boards": ["AI"]})) == ["boards"]


@pytest.mark.parametrize(
    ("refundable", "days", "penalties"), [(True, 30, [0, 1, 2]), (True, 1, [1, 2]), (False, 30, [2])]
)
def test_every_step_costs_what_it_says(
    desk: FrontDesk,
    stub: LiteApiStub,
    move_clock: Callable[..., None],
    refundable: bool,
    days: int,
    penalties: list[int],
) -> None:
    """Of the price, in halves. What the cancellation costs is worked out apart from the policy's text, by another clock."""
    rate = desk.rate({"checkIn": in_days(days), "checkOut": in_days(days + 2)}, refundable=refundable)
    booking = desk.booked(rate)
    half = -(-booking["totalCents"] // 2)
    promised = booking["cancellationSteps"]
    assert [min(share * half, booking["totalCents"]) for share in penalties] == [
        step["penaltyCents"] for step in promised
    ]
    for step in promised:
        seconds = (datetime.fromisoformat(step["from"]) - clock.now()).total_seconds()
        move_clock(seconds=max(0.0, seconds) + 1)
        assert desk.read(booking["id"]).body["cancellationSteps"][0] == step
        assert quote_cancellation(Booking.objects.get()).cost.penalty_cents == step["penaltyCents"]
    reply = desk.cancel(booking)
    assert (reply.status, reply.body["cancellationSteps"]) == (200, [])
    assert reply.body["cancellation"]["penaltyCents"] == promised[0]["penaltyCents"]  # of today
    assert check_ledger() == []


def test_with_a_fee_for_the_way_of_paying_it_costs_no_more_than_the_step_says(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    """Whether that fee comes back is theirs to say: the step counts it as lost."""
    stub.books.fee_percent = 4
    rate = desk.rate(refundable=False)
    booking = desk.booked(rate, maxTotalCents=rate["totalCents"] * 2)
    (step,) = booking["cancellationSteps"]
    assert step["penaltyCents"] == booking["totalCents"]
    assert desk.cancel(booking).body["cancellation"]["penaltyCents"] <= step["penaltyCents"]
