"""Answers, part by part: hotels with their rates, prebooks, bookings."""

import json
import time
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.common import clock
from apps.hotels.suppliers.base import (
    Area,
    Board,
    Cancellation,
    Hotel,
    HotelOffer,
    LocalCharge,
    Rate,
    Stay,
    StayFacts,
)
from apps.hotels.suppliers.liteapi.mapping import (
    cancellation_of,
    cancellation_told,
    confirmed_rate,
    facts_said,
    offers,
    quote_of,
    rate_of,
    stay_of,
)
from apps.hotels.suppliers.liteapi.money import Price
from apps.suppliers.errors import Expired
from apps.suppliers.results import Found, Withheld
from tests.hotels.suppliers.liteapi.samples import (
    CITY_TAX,
    NON_REFUNDABLE,
    POLICY_STEPS,
    POLICY_TEXT,
    VAT,
    a_booking,
    a_rate,
    a_room_type,
    an_answer,
    money,
)
from tests.hotels.suppliers.requests import a_search

HOTEL = Hotel(
    hotel_id="lpstub01",
    name="Hotel Miradouro",
    stars=4,
    street="Rua do Stub 7",
    city="Lisbon",
    country="PT",
    latitude=Decimal("38.71"),
    longitude=Decimal("-9.14"),
    amenities=(),
    images='[{"url":"https://static.example/lpstub01/main.jpg","caption":""}]',
    review_score=Decimal("8.7"),
)
RATE = Rate(
    room_name="Double Room, Garden View",
    board=Board("BB", "Bed and Breakfast"),
    refundable=True,
    total_cents=21_240,
    currency="EUR",
    cancellation_policy=POLICY_TEXT,
    pay_at_hotel=(LocalCharge("City tax", 800, "EUR"),),
    expires_at=None,
    supplier_data={"offer_id": "OFFERSTUB0001", "amount": "212.4", "currency": "EUR", "adults": "2"},
    penalty_steps=POLICY_STEPS,
    rooms='[{"name":"Double Room, Garden View","beds":null,"maxOccupancy":2,"sizeM2":null}]',
    taxes=(
        '[{"description":"VAT","amountCents":1202,"currency":"EUR","included":true},'
        '{"description":"City tax","amountCents":800,"currency":"EUR","included":false}]'
    ),
    least_public_cents=24_000,
)
PREBOOK = {
    "prebookId": "PREBOOKSTUB1",
    "currency": "EUR",
    "price": Decimal("219.9"),
    "commission": 0,
    "priceDifferencePercent": Decimal("3.53"),
    "cancellationChanged": False,
    "boardChanged": False,
    "roomTypes": [],
}


def found(answer: dict[str, Any], **changes: Any) -> Found[HotelOffer]:
    return offers(answer, a_search(**changes))


def test_the_documented_answer() -> None:
    assert found(an_answer()) == [HotelOffer(HOTEL, (RATE,))]


@pytest.mark.parametrize("total", [money("212.4"), [money("212.4")], None, []])
def test_the_total_comes_as_an_object_as_a_list_or_not_at_all(total: object) -> None:
    assert rate_of(a_room_type(offerRetailRate=total), "2") == RATE


def test_net_is_the_total_less_the_commission_of_every_room() -> None:
    rooms = [a_rate(total="120", commission="10.05"), a_rate(total="92.4", commission="7")]
    rate = rate_of(a_room_type(*rooms), "2,2")
    assert rate.total_cents == 19_535
    assert rate.supplier_data["amount"] == "195.35"


@pytest.mark.parametrize("fee", [Decimal("8.5"), money("8.5"), [money("8.5")]], ids=str)
def test_what_the_way_of_paying_costs_is_part_of_the_cost(fee: object) -> None:
    rate = rate_of(a_room_type(processingFee=fee), "2")
    assert (rate.total_cents, rate.supplier_data["amount"]) == (22_090, "220.9")
    assert confirmed_rate(RATE, {**PREBOOK, "processingFee": fee}).total_cents == 22_840


@pytest.mark.parametrize(
    ("room_type", "least"),
    [
        (a_room_type(), 24_000),
        (a_room_type(suggestedSellingPrice=[money("250")]), 25_000),
        (a_room_type(suggestedSellingPrice=None), None),
        (
            a_room_type(
                suggestedSellingPrice=None,
                rates=[a_rate(least="120", total="100"), a_rate(least="130", total="112.4")],
            ),
            25_000,
        ),
        (
            a_room_type(
                suggestedSellingPrice=None, rates=[a_rate(least="120", total="100"), a_rate(total="112.4")]
            ),
            None,
        ),
    ],
)
def test_the_least_that_may_be_shown_in_public(room_type: dict[str, Any], least: int | None) -> None:
    assert rate_of(room_type, "2").least_public_cents == least


@pytest.mark.parametrize(
    ("taxes", "told"),
    [
        (None, []),
        ([{**VAT, "amount": "x"}, VAT], [("VAT", 1202, "EUR", True)]),
        ([{**VAT, "currency": "ZZZ"}, VAT], [("VAT", 1202, "EUR", True)]),
        ([{**VAT, "amount": 10**18}], []),
        ([CITY_TAX, VAT, VAT], [("VAT", 2404, "EUR", True), ("City tax", 800, "EUR", False)]),
        ([{**VAT, "included": None}], []),
    ],
    ids=str,
)
def test_the_taxes_that_they_tell(taxes: list[Any] | None, told: list[tuple[Any, ...]]) -> None:
    shown = json.loads(rate_of(a_room_type(a_rate(taxes=taxes)), "2").taxes)
    assert [tuple(tax.values()) for tax in shown] == told


def test_what_each_room_is() -> None:
    rate = rate_of(a_room_type(a_rate(mappedRoomId=7), a_rate(name="Twin", maxOccupancy="?")), "2,1")
    assert [(room["name"], room["maxOccupancy"]) for room in json.loads(rate.rooms)] == [
        ("Double Room, Garden View", 2),
        ("Twin", None),
    ]
    assert rate.supplier_data["room_ids"] == "7,"
    odd = rate_of(a_room_type(a_rate(mappedRoomId="7,8")), "2")
    assert odd.supplier_data["room_ids"] == ""


def test_rooms_are_one_rate_with_the_policies_of_all() -> None:
    rate = rate_of(a_room_type(a_rate(), a_rate(name="Twin", cancellationPolicies=NON_REFUNDABLE)), "2,1")
    assert rate.room_name == "Double Room, Garden View + Twin"
    assert rate.refundable is False
    assert rate.cancellation_policy == (
        f'[{POLICY_TEXT}, {{"cancelPolicyInfos": [], "hotelRemarks": [], "refundableTag": "NRFN"}}]'
    )
    assert rate.pay_at_hotel == (LocalCharge("City tax", 1_600, "EUR"),)


@pytest.mark.parametrize(
    ("taxes", "charges"),
    [
        (None, ()),
        ([{**CITY_TAX, "included": True}], ()),
        ([{**CITY_TAX, "amount": 0}], ()),
        ([{**CITY_TAX, "currency": "JPY", "amount": 120}], (LocalCharge("City tax", 120, "JPY"),)),
        ([{"included": False, "amount": "2.505"}], (LocalCharge("Tax", 251, "EUR"),)),
    ],
)
def test_only_what_the_price_leaves_out_is_paid_at_the_hotel(
    taxes: list[Any] | None, charges: tuple[LocalCharge, ...]
) -> None:
    assert rate_of(a_room_type(a_rate(taxes=taxes)), "2").pay_at_hotel == charges


@pytest.mark.parametrize(
    ("told", "board"),
    [
        (("HB", "Half Board"), Board("HB", "Half Board")),
        (("BI", "Breakfast Included"), Board("BB", "Breakfast Included")),
        (("UAI", "Ultra All Inclusive"), Board("AI", "Ultra All Inclusive")),
        ((None, None), Board("RO", "RO")),
        (("BB1", "Breakfast"), Board("BB", "Breakfast")),
        (("7", "Room"), Board("RO", "Room")),
    ],
)
def test_boards(told: tuple[str | None, str | None], board: Board) -> None:
    assert rate_of(a_room_type(a_rate(boardType=told[0], boardName=told[1])), "2").board == board


@pytest.mark.parametrize(
    ("room_type", "sold"),
    [
        (a_room_type(paymentTypes=["PROPERTY_PAY"]), False),
        (a_room_type(a_rate(paymentTypes=["PROPERTY_PAY"])), False),
        (a_room_type(a_rate(total="100"), a_rate(total="112.4", paymentTypes=["PROPERTY_PAY"])), False),
        (a_room_type(paymentTypes=["NUITEE_PAY", "PROPERTY_PAY"]), True),
        (a_room_type(loyaltyMembershipIdRequired=True), False),
        (a_room_type(rateType="package"), False),
    ],
    ids=str,
)
def test_what_we_cannot_pay_or_book_is_unsupported(room_type: dict[str, Any], sold: bool) -> None:
    answer = found(an_answer(room_type))
    assert (len(answer), answer.withheld) == (int(sold), Withheld(unsupported=1 - sold))


@pytest.mark.parametrize(
    "changes",
    [
        {"paymentTypes": ["PROPERTY_PAY"]},
        {"loyaltyMembershipIdRequired": True},
        {"roomTypes": [a_room_type(loyaltyMembershipIdRequired=True)]},
        {"roomTypes": [a_room_type(a_rate(paymentTypes=["PROPERTY_PAY"]))]},
    ],
    ids=str,
)
def test_a_prebook_that_we_cannot_pay_or_book_ends_the_rate(changes: dict[str, Any]) -> None:
    with pytest.raises(Expired, match="not sold through us"):
        confirmed_rate(RATE, {**PREBOOK, **changes})


TOLD = {"name": "Winter sale", "from": "2026-11-01", "to": "2027-03-31T00:00:00Z"}
WINTER = {"name": "Winter sale", "from": "2026-11-01", "to": "2027-03-31", "percent": None}


@pytest.mark.parametrize(
    ("rates", "remarks", "promotions", "perks"),
    [
        ([{}], [], [], []),
        ([{"remarks": "", "promotions": "", "perks": []}], [], [], []),
        ([{"remarks": None, "promotions": None, "perks": None}], [], [], []),
        (
            [{"remarks": "<p>A fee of USD43.61<br/>is charged.</p>\n Bring &quot;ID&quot;"}],
            ['A fee of USD43.61 is charged. Bring "ID"'],
            [],
            [],
        ),
        ([{"remarks": "Quiet"}, {"remarks": "Loud"}, {"remarks": "Quiet"}], ["Quiet", "Loud"], [], []),
        ([{"remarks": ["Quiet"], "perks": {}, "promotions": 5}], [], [], []),
        ([{"promotions": "Basic Deal"}], [], [{**WINTER, "name": "Basic Deal", "from": None, "to": None}], []),
        ([{"offered": [TOLD]}, {"offered": [TOLD]}], [], [WINTER], []),
        (
            [{"offered": [{**TOLD, "discount": Decimal("12.5"), "discountType": "percentage"}]}],
            [],
            [{**WINTER, "percent": 12.5}],
            [],
        ),
        ([{"offered": [{**TOLD, "discount": 15, "discountType": "amount"}]}], [], [WINTER], []),
        ([{"offered": [{**TOLD, "discount": 150, "discountType": "percentage"}]}], [], [WINTER], []),
        ([{"offered": [{**TOLD, "discount": "much", "discountType": "percentage"}]}], [], [WINTER], []),
        ([{"offered": [None, {"from": "2026-11-01"}, {**TOLD, "from": 7, "to": None}]}], [],
         [{**WINTER, "from": None, "to": None}], []),
        (
            [{"perks": [{"perkId": 1, "name": "Late check-out", "amount": 20}, "Wine", None, {"name": ""}]}],
            [],
            [],
            ["Late check-out", "Wine"],
        ),
    ],
)  # fmt: skip
def test_what_the_desk_will_ask_for_and_what_comes_free(
    rates: list[dict[str, Any]], remarks: list[str], promotions: list[Any], perks: list[str]
) -> None:
    rooms = []
    for told in rates:
        room = a_rate(**{name: value for name, value in told.items() if name != "offered"})
        if "offered" in told:
            room["retailRate"] = {**room["retailRate"], "promotions": told["offered"]}
        rooms.append(room)
    (offer,) = found(an_answer(a_room_type(*rooms)))
    (rate,) = offer.rates
    assert json.loads(rate.remarks) == [{"kind": "information", "text": text} for text in remarks]
    assert json.loads(rate.promotions) == promotions
    assert json.loads(rate.perks) == [{"name": name} for name in perks]


def test_markup_that_never_ends_is_read_at_once() -> None:
    """Each `<` could be the beginning of a tag: reading them must not cost the square of their number."""
    began = time.process_time()
    (offer,) = found(an_answer(a_room_type(a_rate(remarks="<" * 300_000 + "b>Quiet"))))
    assert time.process_time() - began < 5
    assert len(json.loads(offer.rates[0].remarks)[0]["text"]) <= 4_000


UNREADABLE = [
    None,
    {},
    a_room_type(offerRetailRate=money("0")),
    a_room_type(offerRetailRate=money("1e30")),
    a_room_type(offerRetailRate={"amount": 5, "currency": "ZZZ"}),
    a_room_type(offerId=None),
    a_room_type(offerId="zero\0"),
    a_room_type(a_rate(commission="1", cancellationPolicies=None)),
    a_room_type(offerRetailRate={"amount": 5, "currency": "USD"}, rates=[a_rate(commission="1")]),
    a_room_type(a_rate(taxes=[{**CITY_TAX, "amount": 10**18}])),
    a_room_type(a_rate(taxes="City tax")),
    a_room_type(a_rate(taxes=[{**CITY_TAX, "amount": None}])),
    a_room_type(a_rate(name=None)),
    a_room_type(suggestedSellingPrice={"amount": 300, "currency": "USD"}),
    a_room_type(processingFee={"amount": 3, "currency": "USD"}),
]


@pytest.mark.parametrize("room_type", UNREADABLE)
def test_a_room_that_cannot_be_read_is_left_out(room_type: Any) -> None:
    assert found(an_answer(room_type, a_room_type())) == [HotelOffer(HOTEL, (RATE,))]
    alone = found(an_answer(room_type, room_type))
    assert (alone, alone.withheld) == ([], Withheld(unreadable=2))


@pytest.mark.parametrize(
    "described",
    [
        {"latitude": None},
        {"latitude": 91},
        {"longitude": Decimal("1e999")},
        {"id": "other"},
        {"name": None},
        {"city_name": None},
        {"country_code": None},
        {"country_code": "PRT"},
    ],
)
def test_a_hotel_that_is_not_described_is_left_out(described: dict[str, Any]) -> None:
    answer = found(an_answer(a_room_type(), a_room_type(), hotel=described))
    assert (answer, answer.withheld) == ([], Withheld(unreadable=2))


@pytest.mark.parametrize(
    ("changes", "is_found"),
    [
        ({"hotel_ids": ("lpstub01",), "country": "ES", "city": None}, False),
        ({"hotel_ids": ("lpstub01",), "country": "PT", "city": "Lisboa"}, True),
        ({"hotel_ids": ("lpstub01",), "country": "PT", "city": "Porto"}, False),
        ({"hotel_ids": ("lpstub99",)}, False),
        ({"area": Area(Decimal("38.7"), Decimal("-9.1"), Decimal("10"))}, True),
        ({"area": Area(Decimal("38.7"), Decimal("-9.1"), Decimal("1"))}, False),
        ({"city": "Belem"}, True),
    ],
)
def test_a_hotel_satisfies_all_that_says_where(changes: dict[str, Any], is_found: bool) -> None:
    """LiteAPI searches by one kind of place. What it counts in with a city of that name it knows best."""
    assert bool(found(an_answer(), **changes)) is is_found


def test_a_prebook_confirms_the_rate_at_its_own_price_and_terms() -> None:
    rate = confirmed_rate(RATE, {**PREBOOK, "commission": Decimal("1.4")})
    assert rate.total_cents == 21_850
    assert rate.cancellation_policy == POLICY_TEXT
    assert rate.supplier_data == {
        **RATE.supplier_data,
        "amount": "218.5",
        "prebook_id": "PREBOOKSTUB1",
    }
    changed = {"rates": [{"cancellationPolicies": NON_REFUNDABLE}]}
    policy = confirmed_rate(RATE, {**PREBOOK, "roomTypes": [changed]}).cancellation_policy
    assert policy == '{"cancelPolicyInfos": [], "hotelRemarks": [], "refundableTag": "NRFN"}'


def test_a_prebook_in_another_currency_is_another_product() -> None:
    with pytest.raises(Expired):
        confirmed_rate(RATE, {**PREBOOK, "currency": "USD"})


NON_REFUNDABLE_TEXT = '{"refundableTag": "NRFN"}'
PRICE = Price(Decimal("212.4"), "EUR")
HALF = Cancellation(10_620, 10_620, "EUR")
FREE = Cancellation(0, 21_240, "EUR")
ALL = Cancellation(21_240, 0, "EUR")


def test_a_booking_that_stands() -> None:
    assert stay_of(a_booking()) == Stay(
        "BKSTUB001", 21_240, "EUR", POLICY_TEXT, None, penalty_steps=POLICY_STEPS
    )
    told = a_booking(hotelConfirmationCode="MIR-7", commission=Decimal("12.4"), cancellationPolicies=None)
    assert stay_of(told, '{"as": "kept"}') == Stay("BKSTUB001", 20_000, "EUR", '{"as": "kept"}', "MIR-7")


@pytest.mark.parametrize(
    ("changes", "ended"),
    [
        ({"status": "CANCELLED"}, FREE),
        ({"status": "CANCELED", "amountRefunded": 0}, FREE),
        ({"status": "CANCELLED", "amountRefunded": Decimal("106.2")}, HALF),
        ({"status": "CANCELLED_WITH_CHARGES", "amountRefunded": Decimal("106.2")}, HALF),
        ({"status": "CANCELLED_WITH_CHARGES", "amountRefunded": Decimal("999")}, FREE),
        ({"status": "CANCELLED_WITH_CHARGES", "cancelledAt": "2027-02-01T11:59:59"}, FREE),
        ({"status": "CANCELLED_WITH_CHARGES", "cancelledAt": "2027-02-01T12:00:00Z"}, HALF),
        ({"status": "CANCELLED_WITH_CHARGES", "cancellationPolicies": None}, ALL),
    ],
)
def test_what_a_cancelled_booking_cost(changes: dict[str, Any], ended: Cancellation) -> None:
    stay = stay_of(a_booking(**changes))
    assert (stay.cancelled, stay.penalty_cents, stay.refund_cents) == (
        True,
        ended.penalty_cents,
        ended.refund_cents,
    )


def test_charges_without_a_sum_are_those_that_were_worked_out_before() -> None:
    charged = a_booking(status="CANCELLED_WITH_CHARGES", amountRefunded=None)
    assert cancellation_of(charged, quote=HALF) == HALF
    assert cancellation_of({**charged, "amountRefunded": Decimal("212.4")}, quote=HALF) == FREE


def test_what_we_cancelled_and_nothing_came_back_of_was_not_free_of_charge() -> None:
    assert cancellation_of(a_booking(status="CANCELLED", amountRefunded=0), quote=ALL) == ALL
    assert cancellation_of(a_booking(status="CANCELLED", amountRefunded=0), quote=FREE) == FREE
    assert cancellation_of(a_booking(status="CANCELLED"), quote=ALL) == FREE


@pytest.mark.parametrize(
    ("told", "done"),
    [
        ({"cancellation_fee": Decimal("106.2"), "refund_amount": Decimal("106.2"), "currency": "EUR"}, HALF),
        ({"cancellation_fee": 0, "refund_amount": Decimal("212.4"), "currency": "EUR"}, FREE),
        ({"refund_amount": 0, "currency": "EUR"}, ALL),
        ({"cancellation_fee": Decimal("500"), "currency": "EUR"}, ALL),
        ({"cancellation_fee": Decimal("120"), "currency": "USD"}, HALF),
        ({}, HALF),
        ({"status": "CANCELLED"}, FREE),
    ],
)
def test_what_the_cancel_call_says(told: dict[str, Any], done: Cancellation) -> None:
    assert cancellation_told({"status": "CANCELLED_WITH_CHARGES", **told}, PRICE, HALF) == done


def test_a_quote_goes_by_the_terms_kept_at_the_booking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2027, 2, 1, 12, tzinfo=UTC))
    assert quote_of(a_booking(), NON_REFUNDABLE_TEXT) == ALL
    assert quote_of(a_booking(), "") == HALF


BOOKING: dict[str, Any] = {
    "checkin": "2027-02-03",
    "checkout": "2027-02-05T00:00:00",
    "hotel": {"hotelId": "lpstub01", "name": "Hotel Miradouro"},
    "bookedRooms": [{"roomType": {"name": "Double"}}, {"roomType": {"name": "Single"}}],
}
SAID = StayFacts(date(2027, 2, 3), date(2027, 2, 5), "lpstub01", "Hotel Miradouro", "Double, Single")


def test_dates_hotel_and_rooms_are_read() -> None:
    assert facts_said(BOOKING) == SAID


@pytest.mark.parametrize(
    "odd",
    [
        {"checkin": None, "checkout": 7, "hotel": None, "bookedRooms": None},
        {"checkin": "soon", "checkout": {}, "hotel": [], "bookedRooms": {}},
        {"checkin": "", "checkout": "2027-13-01", "hotel": {"hotelId": 7, "name": ""}, "bookedRooms": []},
        {"checkin": [], "checkout": "", "hotel": "a", "bookedRooms": [None, {"roomType": "Double"}]},
        {"checkin": "0001-01-01T00:00:00Z", "checkout": "9999-12-31", "hotel": {}, "bookedRooms": []},
        {"checkin": 0, "checkout": 0, "hotel": 0, "bookedRooms": [{"roomType": {"name": "Double"}}, {}]},
    ],
    ids=str,
)
def test_what_cannot_be_read_is_not_said(odd: dict[str, Any]) -> None:
    assert facts_said(odd) == StayFacts()
