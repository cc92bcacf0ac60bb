"""What the documents of each product say, and what they leave out."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import orjson
import pytest

from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking, Operation
from apps.bookings.travellers import at_rest, opened, with_keys
from apps.documents.asked import Asked, Kind, Prices
from apps.documents.data import Document, Section
from apps.documents.making import document_of
from apps.documents.products.hotels import by_room
from apps.documents.words import words_in
from apps.hotels.suppliers.base import Guest, Room
from apps.ledger.models import LedgerTransaction
from apps.suppliers.values import to_json
from apps.transfers.suppliers.base import Operator, WaitingTime
from tests.documents.counter import PRODUCTS, Counter, named
from tests.support.flight_shop import FlightShop

EUR = "\N{NO-BREAK SPACE}EUR"


def made(booking: dict[str, Any], kind: Kind = Kind.VOUCHER, **asked: Any) -> Document:
    found = with_keys(Booking.objects).get(pk=booking["id"])
    return document_of(found, Asked(kind, **asked))


def altered(booking: dict[str, Any], **details: Any) -> None:
    """The booking, with these of its details as a supplier might have given them."""
    found = with_keys(Booking.objects).get(pk=booking["id"])
    found.details = at_rest(found, {**opened(found), **details})
    found.save()


def titles(document: Document) -> list[str]:
    return [section.title for section in document.sections]


def part(document: Document, title: str) -> Section:
    (found,) = (section for section in document.sections if section.title == title)
    return found


def values(rows: Any) -> dict[str, str]:
    return {row.label: row.value for row in rows}


# --- Stays ----------------------------------------------------------------------------------------------------------------
def test_a_voucher_has_what_the_desk_of_a_hotel_asks_for(counter: Counter) -> None:
    stay = counter.stay(specialRequests="A quiet room", externalReference="trip-7")
    document = made(stay)
    assert (document.title, document.status, document.subject) == (
        "Hotel voucher",
        "Confirmed",
        stay["hotel"]["name"],
    )
    assert document.lines == (
        f"{stay['hotel']['address']['street']}, Lisbon, Portugal",
        f"{stay['hotelPhone']} · {stay['hotelEmail']}",
    )
    references = values(document.references)
    assert references.pop("Booked on")
    assert references == {
        "Booking reference": stay["reference"],
        "Hotel confirmation number": stay["confirmationCode"],
        "Supplier reference": stay["supplier"]["reference"],
        "Agency reference": "trip-7",
    }
    (span,) = part(document, "Stay").spans
    assert span.middle == "3 nights"
    assert (span.start.label, span.start.time) == ("Check-in, from", stay["hotel"]["checkInFrom"])
    (guests,) = part(document, "Guests").tables
    assert guests.head == ("Room", "Names", "Occupancy")
    assert [line[1:] for line in guests.lines] == [
        ("Ada Lovelace\nCharles Babbage\nByron King", "2 adults, 1 child (aged 7)"),
        ("Mary Lovelace", "1 adult"),
    ]
    assert part(document, "Special requests").notes[0] == "A quiet room"
    assert document.closing.startswith("Please present this voucher at check-in")


def test_what_is_paid_at_the_hotel_is_listed_whatever_prices_are_asked_for(counter: Counter) -> None:
    stay = counter.stay()
    charges = [{"description": "City tax", "amount_cents": 1200, "currency": "JPY"}]
    altered(stay, pay_at_hotel=charges)
    (table,) = part(made(stay), "To be paid at the hotel").tables
    assert (table.lines, table.amounts) == ((("City tax", "1,200\N{NO-BREAK SPACE}JPY"),), True)
    altered(stay, pay_at_hotel=[])
    assert "To be paid at the hotel" not in titles(made(stay))


@pytest.mark.parametrize(
    ("title", "empty"),
    [
        ("Special requests", {}),
        ("Important information", {"remarks": "[]", "desk": {}}),
        ("Cancellation terms", {"penalty_steps": None}),
    ],
)
def test_a_section_without_content_is_left_out_with_its_title(
    counter: Counter, title: str, empty: dict[str, Any]
) -> None:
    stay = counter.stay()
    altered(stay, **empty)
    page = counter.page(stay)
    assert "<h2>Guests</h2>" in page
    assert f"<h2>{title}</h2>" not in page


def test_terms_are_sentences_with_amounts_only_beside_net_prices(counter: Counter) -> None:
    stay = counter.stay()
    steps = [
        [None, 0],
        ["2030-01-05T10:00:00+00:00", 2500],
        ["2030-01-07T10:00:00+00:00", stay["totalCents"]],
    ]
    altered(stay, penalty_steps=steps, check_in="2030-01-08", check_out="2030-01-10")
    begins = "From Saturday, 5 January 2030, 10:00: cancelling costs"
    assert part(made(stay), "Cancellation terms").notes == (
        "Free cancellation until Saturday, 5 January 2030, 10:00.",
        f"{begins} part of the price.",
        "From Monday, 7 January 2030, 10:00: cancelling costs the full price.",
        "Times are local to the place.",
    )
    assert part(made(stay, prices=Prices.NET), "Cancellation terms").notes[1] == f"{begins} 25.00{EUR}."


def test_remarks_are_printed_as_the_hotel_wrote_them(counter: Counter) -> None:
    stay = counter.stay()
    text = "Deposit of <b>50</b> & a {card} #needed"
    altered(stay, remarks=orjson.dumps([{"kind": "information", "text": text}]).decode(), desk={})
    assert part(made(stay), "Important information").notes == (text,)
    assert "Deposit of &lt;b&gt;50&lt;/b&gt; &amp; a {card} #needed" in counter.page(stay)


ADULTS = [Guest(name, "X", "adult") for name in "ABCD"]
SEVEN, TWO = Guest("Seven", "X", "child", 7), Guest("Two", "X", "child", 2)


@pytest.mark.parametrize(
    ("rooms", "guests", "expected"),
    [
        ([Room(2), Room(1)], ADULTS[:3], ["AB", "C"]),
        ([Room(2), Room(2)], ADULTS[:2], ["A", "B"]),
        ([Room(2), Room(2)], ADULTS[:3], ["AC", "B"]),
        ([Room(1, (2,)), Room(1, (7,))], [*ADULTS[:2], SEVEN, TWO], ["A+Two", "B+Seven"]),
        ([Room(1, (7,)), Room(1, (7,))], [*ADULTS[:2], SEVEN], ["A+Seven", "B"]),
        ([Room(1), Room(1)], [*ADULTS[:3], SEVEN], ["AC+Seven", "B"]),
    ],
)
def test_guests_stand_with_their_rooms(rooms: list[Room], guests: list[Guest], expected: list[str]) -> None:
    found = by_room(tuple(rooms), tuple(guests))
    assert [
        "".join(f"+{one.first_name}" if one.age else one.first_name for one in each) for each in found
    ] == expected


# --- Flights --------------------------------------------------------------------------------------------------------------
def test_an_itinerary_has_every_leg_with_local_times(counter: Counter) -> None:
    order = counter.flights(
        [named("Ada", "Lovelace"), named("Alan", "Turing")], ("LIS", "JFK"), ("JFK", "LIS")
    )
    document = made(order, Kind.ITINERARY)
    assert (document.title, document.subject) == ("Itinerary", "Lisbon – New York – Lisbon")
    assert values(document.references)["Airline booking code"] == order["pnr"]
    assert titles(document)[:2] == ["1. Lisbon (LIS) – New York (JFK)", "2. New York (JFK) – Lisbon (LIS)"]
    spans = [span for section in document.sections for span in section.spans]
    segments = [segment for leg in order["slices"] for segment in leg["segments"]]
    assert [(span.start.time, span.end.time) for span in spans] == [
        (one["departureAt"][11:16], one["arrivalAt"][11:16]) for one in segments
    ]
    assert [one["flightNumber"] in span.title for one, span in zip(segments, spans, strict=True)] == [
        True
    ] * len(spans)
    (passengers,) = part(document, "Passengers").tables
    assert [line[:2] for line in passengers.lines] == [("Ada Lovelace", "Adult"), ("Alan Turing", "Adult")]
    assert {line[2] for line in passengers.lines} == {one["number"] for one in order["documents"]}


def test_tickets_of_nobody_in_particular_stand_alone(counter: Counter) -> None:
    order = counter.booked("flight")
    altered(order, documents=[], ticket_numbers=["125-1", "125-2"])
    (passengers,) = part(made(order), "Passengers").tables
    assert [line[2] for line in passengers.lines] == ["", "125-1, 125-2"]


def test_bags_and_seats_are_listed_by_passenger(counter: Counter) -> None:
    order = FlightShop(counter.api).ordered_in_full()
    booked = part(made(order), "Bags and seats").tables[-1]
    flight = order["slices"][0]["segments"][0]["flightNumber"]
    seat = next(one["designator"] for one in order["services"] if one["kind"] == "seat")
    assert sorted(booked.lines) == [
        ("Ada Lovelace", "1 checked bag (23 kg)", flight),
        ("Ada Lovelace", f"Seat {seat}", flight),
    ]


def test_no_document_number_of_a_traveller_is_printed(counter: Counter) -> None:
    order = FlightShop(counter.api).ordered_in_full()
    assert order["passengers"][0]["identityDocuments"][0]["numberLastFour"] == "4567"
    for kind in Kind:
        text = counter.text(order, type=kind)
        assert [word for word in ("AB1234567", "1990", "ada@example.com") if word in text] == []


# --- Transfers ------------------------------------------------------------------------------------------------------------
def test_a_voucher_says_how_to_find_the_driver_and_who_provides_the_ride(counter: Counter) -> None:
    order = counter.booked("transfer")
    altered(
        order,
        operator=to_json(Operator("Ride Co", "ESB0", "Ride Holding S.L.")),
        waiting_times=to_json(
            (WaitingTime("driver", 45), WaitingTime("customer", 15), WaitingTime("nobody", 1))
        ),
        remarks=["Bring a child seat."],
    )
    document = made(order)
    reference = order["supplier"]["reference"]
    assert part(document, "Service provider").notes == (
        "Ride Co",
        f"Bookable and payable by Ride Holding S.L. (VAT ESB0). Reference: {reference}.",
    )
    ride = values(part(document, "Ride").rows)
    assert ride["Emergency phone"] == order["pickup"]["emergencyPhone"]
    assert ride["How to find the driver"].split("\n")[1:] == [
        "The driver waits for 45 min.",
        "If you cannot find the driver, wait for 15 min and call the emergency phone.",
    ]
    assert part(document, "Important information").notes == ("Bring a child seat.",)
    who = values(part(document, "Passengers").rows)
    assert who == {"Passengers": "2 adults", "Lead passenger": "Ada Lovelace", "Phone": "+351210000000"}


def test_a_return_trip_has_both_ways_and_its_extras(counter: Counter) -> None:
    search = {**counter.goods.body("searchTransfers"), "inbound": "2027-03-20T10:00:00"}
    reply = counter.api.post("/v1/transfers/searches", search)
    assert reply.status == 201, reply.body
    offer = next(one for one in reply.body["offers"] if one["extras"])
    extra = offer["extras"][0]
    body = {
        **counter.goods.body("createTransferOrder"),
        "quoteId": offer["quoteId"],
        "inboundFlightNumber": "TP1362",
        "extras": [{"code": extra["code"], "quantity": 1}],
    }
    order = counter.api.post("/v1/transfers/orders", body)
    assert order.status == 201, order.body
    document = made(order.body)
    assert titles(document)[:3] == ["Outward", "Return", "Passengers"]
    there, back = (part(document, title) for title in ("Outward", "Return"))
    assert (there.spans[0].start.place, there.spans[0].end.place) == (
        back.spans[0].end.place,
        back.spans[0].start.place,
    )
    assert values(back.rows)["Flight, train or ship"] == "TP1362"
    assert values(part(document, "Passengers").rows)["Extras"] == f"1 × {extra['name']}"


def test_the_drop_off_has_the_time_of_a_departure_until_the_pick_up_is_known(counter: Counter) -> None:
    order = counter.booked("transfer")
    airport, hotel = {"type": "IATA", "code": "PMI"}, {"type": "HOTEL", "code": "265", "name": "Hotel Sol"}
    found = opened(with_keys(Booking.objects).get(pk=order["id"]))["search"]
    search = {**found, "start": hotel, "end": airport, "outbound": "2027-02-03T14:30:00"}
    altered(order, search=search, pickup=None)
    (span,) = part(made(order), "Ride").spans
    assert (span.start.place, span.start.time) == ("Hotel Sol", "")
    assert (span.end.place, span.end.time) == ("Palma De Mallorca Airport (PMI)", "14:30")
    altered(order, pickup={"at": "2027-02-03T11:45:00", "instructions": "", "emergency_phone": None})
    (span,) = part(made(order), "Ride").spans
    assert (span.start.time, span.start.day, span.end.time) == ("11:45", "Wednesday, 3 February 2027", "")


# --- eSIM -----------------------------------------------------------------------------------------------------------------
def test_an_esim_has_its_code_and_what_can_be_typed_in(counter: Counter) -> None:
    order = counter.booked("esim")
    document = made(order, language="de")
    code = part(document, "eSIM installieren").code
    assert code is not None
    assert code.svg.startswith("<?xml")
    assert set(values(code.rows).values()) >= {
        order["activation"][name] for name in ("lpa", "smdpAddress", "matchingId")
    }
    assert titles(document)[1:] == ["Tarif", "Auf dem iPhone", "Auf Android"]
    assert part(document, "Auf Android").steps[0].startswith("Verbinden Sie sich")
    assert "On Android" not in titles(made(order, Kind.ITINERARY))


# --- Receipts -------------------------------------------------------------------------------------------------------------
def test_a_receipt_says_what_was_paid_and_by_what(counter: Counter) -> None:
    stay = counter.stay()
    document = made(stay, Kind.RECEIPT, prices=Prices.NET)
    assert (document.title, document.status, titles(document)) == ("Receipt", "Paid", ["Payment"])
    payment = part(document, "Payment")
    assert values(payment.rows)["Paid by"] == "Prepaid account balance"
    assert values(payment.rows)["For"].split("\n")[0] == "Ada Lovelace"
    assert payment.tables[0].lines[0][1] == f"{stay['totalCents'] / 100:,.2f}{EUR}"
    assert payment.tables[1].head == ("Included taxes and fees", "Amount")
    assert payment.notes == ("Paid in full.",)
    assert document.closing == "This receipt confirms a payment. It is not a tax invoice."
    plain = part(made(stay, Kind.RECEIPT), "Payment")
    assert (plain.tables, values(plain.rows)["Description"][:5]) == ((), stay["hotel"]["name"][:5])


def test_an_order_that_was_on_hold_was_paid_when_it_was(
    counter: Counter, move_clock: Callable[..., None]
) -> None:
    shop = FlightShop(counter.api)
    order = shop.held(shop.holdable())
    move_clock(days=1)
    assert shop.pay(order).status == 200
    document = made(order, Kind.RECEIPT)
    paid = Operation.objects.get(booking_id=order["id"], kind="pay").resolved_at
    booked = values(document.references)["Booked on"]
    assert (
        values(part(document, "Payment").rows)["Paid on"] == words_in("en").short_day(paid.date()) != booked
    )


def test_taxes_of_a_price_that_was_changed_are_not_printed(counter: Counter) -> None:
    order = counter.booked("flight")
    before = part(made(order, Kind.RECEIPT, prices=Prices.NET), "Payment").tables
    assert counter.goods.make("changeFlightOrder")["status"] == "ticketed"
    after = part(made(order, Kind.RECEIPT, prices=Prices.NET), "Payment").tables
    assert (len(before), len(after)) == (2, 1)


REFUNDS: list[tuple[int, int, str]] = [
    (0, 10_000, "Refunded in full."),
    (4_000, 6_000, "Refunded in part."),
    (10_000, 0, "Nothing was refunded."),
]


@pytest.mark.parametrize(("penalty", "refund", "words"), REFUNDS)
def test_a_receipt_of_a_cancelled_booking_says_what_came_back(
    counter: Counter, penalty: int, refund: int, words: str
) -> None:
    order = FlightShop(counter.api).ordered()
    counter.cancel(order)
    stated = {
        "cancelledAt": "2027-01-02T10:00:00Z",
        "penaltyCents": penalty,
        "refundCents": refund,
        "currency": "EUR",
    }
    Booking.objects.filter(pk=order["id"]).update(cancellation=stated, sold_for_cents=12_000)
    net = made(order, Kind.RECEIPT, prices=Prices.NET)
    assert (net.status, net.is_void) == ("Cancelled", True)
    refunded = part(net, "Cancellation and refund")
    assert values(refunded.rows) == {
        "Cancelled on": "2 January 2027",
        "Cancellation fee": f"{penalty / 100:.2f}{EUR}",
        "Refunded": f"{refund / 100:.2f}{EUR}",
    }
    assert refunded.notes == (words,)
    sold = part(made(order, Kind.RECEIPT, prices=Prices.SOLD), "Cancellation and refund")
    assert (values(sold.rows), sold.notes) == ({"Cancelled on": "2 January 2027"}, (words,))


def test_a_receipt_lists_what_the_airline_keeps_for_the_travellers(counter: Counter) -> None:
    order = FlightShop(counter.api).ordered()
    counter.cancel(order)
    credit = {
        "passenger": 0,
        "amount_cents": 5000,
        "currency": "USD",
        "supplier_id": "",
        "code": "C1",
        "expires_on": "2028-01-31",
    }
    altered(order, airline_credits=[credit])
    rows = values(part(made(order, Kind.RECEIPT), "Cancellation and refund").rows)
    assert rows["Airline credits, Ada Lovelace"] == "50.00\N{NO-BREAK SPACE}USD, C1, until 31 January 2028"


OF_OUR_FORM = re.compile(r"[{}<>|]|None|\b[a-z]+_[a-z]+\b")
"""Braces, tags, and codes such as `checked_bag`."""


# --- All of them ----------------------------------------------------------------------------------------------------------
def texts_of(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in below for text in texts_of(each)]


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("product", PRODUCTS)
def test_nothing_of_our_datas_form_is_printed(counter: Counter, product: str, kind: Kind) -> None:
    data = orjson.loads(orjson.dumps(made(counter.booked(product), kind, prices=Prices.NET)))
    data["page"] = ""  # a pair of braces for each number
    for section in data["sections"]:
        if section["code"]:
            section["code"]["svg"] = ""
    texts = texts_of(data)
    assert len(texts) > 10
    assert [text for text in texts if OF_OUR_FORM.search(text)] == []


@pytest.mark.parametrize("look", [lambda document: document.sections, lambda document: document.references])
def test_no_label_stands_without_a_value(counter: Counter, look: Callable[[Document], Any]) -> None:
    for product in PRODUCTS:
        for kind in Kind:
            found = look(made(counter.booked(product), kind))
            assert found
            assert '"value":""' not in orjson.dumps(found).decode()


def test_what_the_hotel_says_stands_where_it_is_looked_for(counter: Counter) -> None:
    stay = counter.stay()
    kinds = (
        "check_in_instructions",
        "know_before_you_go",
        "mandatory_fees",
        "optional_fees",
        "keys",
        "deposit",
    )
    said = orjson.dumps([{"kind": kind, "text": f"Text on {kind}."} for kind in kinds]).decode()
    altered(
        stay,
        remarks="[]",
        pay_at_hotel=[],
        desk={"remarks": said, "hotel_phone": "+351 1", "hotel_email": None},
    )
    document = made(stay)
    assert document.lines[1] == "+351 1"
    assert {
        title: part(document, title).notes
        for title in ("On arrival", "To be paid at the hotel", "Important information")
    } == {
        "On arrival": ("Text on check_in_instructions.", "Text on keys."),
        "To be paid at the hotel": ("Text on mandatory_fees.", "Text on deposit."),
        "Important information": ("Text on know_before_you_go.", "Text on optional_fees."),
    }


# --- What changes afterwards ----------------------------------------------------------------------------------------------
def test_after_a_change_the_dates_are_the_new_ones_and_the_receipt_has_all_that_was_paid(
    counter: Counter,
) -> None:
    before = counter.booked("hotel")
    changed = counter.goods.make("changeHotelBooking")
    assert changed["id"] == before["id"]
    assert (changed["checkIn"], changed["checkOut"]) != (before["checkIn"], before["checkOut"])
    words = words_in("en")
    (span,) = part(made(changed), "Stay").spans
    assert [span.start.day, span.end.day] == [
        words.day(date.fromisoformat(changed[day])) for day in ("checkIn", "checkOut")
    ]
    payment = part(made(changed, Kind.RECEIPT, prices=Prices.NET), "Payment")
    (line,) = payment.tables[0].lines
    assert words.short_day(date.fromisoformat(changed["checkIn"])) in line[0]
    assert line[1] == words.amount(changed["totalCents"], "EUR")


def test_a_change_that_is_not_decided_leaves_the_receipt_alone(counter: Counter) -> None:
    stay = counter.booked("hotel")
    altered(stay, change_under_way={"change_id": "change_1", "started_at": "2027-01-01T00:00:00+00:00"})
    assert [counter.ask(stay, type=kind).status for kind in Kind] == [409, 200, 409]


def test_an_open_correction_shows_both_names(counter: Counter) -> None:
    stay = counter.booked("hotel")
    reply = counter.api.post(
        f"/v1/hotels/bookings/{stay['id']}/correct-guest",
        {"guest": 0, "firstName": "Ada", "lastName": "Byron"},
    )
    assert (reply.status, reply.body["correction"]["status"]) == (202, "requested")
    guests = part(made(stay), "Guests")
    assert guests.tables[0].lines[0][1].split("\n")[0] == "Ada Lovelace"
    (note,) = guests.notes
    assert note.startswith("A correction of Ada Lovelace to Ada Byron was requested on ")
    correction = opened(with_keys(Booking.objects).get(pk=stay["id"]))["correction"]
    altered(stay, correction={**correction, "status": "not_done"})
    assert part(made(stay), "Guests").notes == ()


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_receipt_and_the_ledger_agree(counter: Counter, product: str) -> None:
    booking = counter.booked(product)
    if product == "hotel":
        booking = counter.goods.make("changeHotelBooking")
    if product != "esim":
        counter.cancel(booking)
    settle_owed()
    payment, *more = made(booking, Kind.RECEIPT, prices=Prices.NET).sections
    refunded = values(more[0].rows)["Refunded"] if more else f"0.00{EUR}"
    moved = LedgerTransaction.objects.filter(booking_reference=booking["reference"])
    spent = -sum(one.amount_cents + one.held_delta_cents for one in moved)
    assert (len(moved) >= 2, bool(more)) == (True, product != "esim")
    assert cents(payment.tables[0].lines[0][1]) - cents(refunded) == spent


def cents(amount: str) -> int:
    return int(amount.removesuffix(EUR).replace(",", "").replace(".", ""))


def test_an_esim_can_be_installed_from_the_device_that_shows_it(counter: Counter, settings: Any) -> None:
    order = counter.booked("esim")
    activation = order["activation"]
    apple, android = activation["directAppleInstallationUrl"], activation["androidInstallUrl"]
    assert apple.startswith("https://")
    for kind in (Kind.VOUCHER, Kind.ITINERARY):
        links = values(part(made(order, kind), "Install the eSIM").rows)
        assert links == {"Install on this iPhone": apple, "Install on this Android device": android}
    assert f'<a href="{apple}"'.replace("&", "&amp;") in counter.page(order)
    settings.ESIM_ANDROID_LINKS = False
    assert values(part(made(order), "Install the eSIM").rows) == {"Install on this iPhone": apple}
