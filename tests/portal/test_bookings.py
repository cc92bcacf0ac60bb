"""The list of bookings, and the page of one."""

import re
from datetime import date, datetime, timedelta

import pytest

from apps.accounts.models import Membership, Role
from apps.bookings.models import Booking, Operation, TravellerKey
from apps.portal.bookings.facts import days
from apps.portal.bookings.pages import TRAVEL
from apps.webhooks.models import Delivery
from tests.contract.goods import Goods
from tests.factories.webhooks import EndpointFactory
from tests.portal.reading import text_of
from tests.portal.sample_data import write_down
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/portal/test/bookings/"


def references(answer) -> list[str]:
    return re.findall(r'class="row-link mono" href="[^"]+">([^<]+)</a>', answer.content.decode())


def test_bookings_of_all_products_stand_in_one_list_the_newest_first(portal, api):
    goods = Goods(api)
    made = [goods.hotel_booking, goods.flight_order, goods.transfer_order, goods.esim_order]
    assert references(portal.get(LIST)) == [booking["reference"] for booking in reversed(made)]
    assert references(portal.get(LIST, product="transfer")) == [made[2]["reference"]]
    assert references(portal.get(LIST, status="ticketed")) == [made[1]["reference"]]
    assert references(portal.get(LIST, text=made[0]["reference"].lower())) == [made[0]["reference"]]
    assert references(portal.get("/portal/live/bookings/")) == []
    for booking, fact in zip(made, ("Hotel's number", "PNR", "Lead passenger", "ICCID"), strict=True):
        text = text_of(portal.get(f"{LIST}{booking['id']}/"))
        assert (booking["reference"] in text, fact in text) == (True, True), fact
    assert ", local" in text_of(portal.get(f"{LIST}{made[1]['id']}/")), "All other times are UTC"
    page = text_of(portal.get(LIST))
    assert (page.count("eSIM"), "Esim" in page) == (2, False), "In the filter and in the list"
    assert "eSIM" in text_of(portal.get(f"{LIST}{made[3]['id']}/"))


def test_bookings_are_found_by_their_trip_and_their_days_of_travel(portal, api):
    goods = Goods(api)
    stay, order = goods.hotel_booking, goods.flight_order
    Booking.objects.filter(pk__in=[stay["id"], order["id"]]).update(trip_reference="trip-1")
    ride, plan = goods.transfer_order, goods.esim_order
    assert references(portal.get(LIST, trip="trip-1")) == [order["reference"], stay["reference"]]
    assert "trip-1" in text_of(portal.get(f"{LIST}{stay['id']}/"))
    assert references(portal.get(LIST, trip=" trip-1 ", product="hotel")) == [stay["reference"]]
    assert references(portal.get(LIST, trip="trip")) == []
    day = stay["checkIn"]
    found = references(portal.get(LIST, travel_from=day, travel_to=day))
    assert stay["reference"] in found
    assert plan["reference"] not in found
    every = references(portal.get(LIST, travel_from="2020-01-01"))
    assert set(every) == {stay["reference"], order["reference"], ride["reference"]}
    assert references(portal.get(LIST, travel_to="2020-01-01")) == []
    page = portal.get(LIST, travel_from="2020-01-01")
    assert next(tab.shown for tab in page.context["tabs"]) == "3"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"travel_from": "soon"}, "Write a date, as in 2026-11-23."),
        ({"travel_from": "2027-02-02", "travel_to": "2027-02-01"}, "end before they begin"),
    ],
)
def test_days_that_cannot_be_meant_narrow_nothing_and_say_why(portal, api, query, said):
    stay = Goods(api).hotel_booking
    answer = portal.get(LIST, **query)
    assert said in text_of(answer)
    if "travel_to" not in query:
        assert references(answer) == [stay["reference"]]


@pytest.mark.parametrize(
    ("zone", "made", "is_last_month"),
    [
        ("UTC", "2026-10-31T23:59:59Z", True),
        ("UTC", "2026-10-01T00:00:00Z", True),
        ("UTC", "2026-09-30T23:59:59Z", False),
        ("UTC", "2026-11-01T00:00:00Z", False),
        ("Europe/Berlin", "2026-10-31T22:59:59Z", True),
        ("Europe/Berlin", "2026-10-31T23:00:00Z", False),
        ("Europe/Berlin", "2026-09-30T22:00:00Z", True),
    ],
)
def test_last_month_is_that_of_the_readers_calendar(portal, api, monkeypatch, zone, made, is_last_month):
    stay = Goods(api).hotel_booking
    now = datetime.fromisoformat("2026-11-28T12:00:00Z")
    monkeypatch.setattr("apps.portal.lists.clock.now_here", lambda: now)
    Booking.objects.filter(pk=stay["id"]).update(created_at=datetime.fromisoformat(made))
    portal.post("/portal/time-zone/", {"time_zone": zone})
    answer = portal.get(LIST, last="month")
    assert references(answer) == ([stay["reference"]] if is_last_month else [])
    assert 'aria-current="true" title="Any time again">Last month</a>' in answer.content.decode()


@pytest.mark.parametrize(
    ("made", "periods"),
    [
        ("2026-11-30T23:30:00Z", {"today", "this_month"}),  # in Berlin 1 December, half past midnight
        ("2026-11-30T22:30:00Z", {"yesterday", "month"}),
        ("2026-11-29T22:30:00Z", {"month"}),
        ("2026-12-31T22:59:59Z", {"this_month"}),
    ],
)
def test_a_period_of_the_calendar_is_in_the_readers_zone(portal, api, monkeypatch, made, periods):
    stay = Goods(api).hotel_booking
    now = datetime.fromisoformat("2026-12-01T12:00:00Z")
    monkeypatch.setattr("apps.portal.lists.clock.now_here", lambda: now)
    Booking.objects.filter(pk=stay["id"]).update(created_at=datetime.fromisoformat(made))
    portal.post("/portal/time-zone/", {"time_zone": "Europe/Berlin"})
    offered = ("today", "yesterday", "this_month", "month")
    assert {name for name in offered if references(portal.get(LIST, last=name))} == periods


def test_a_chip_keeps_the_other_filters_and_begins_at_the_first_page(portal):
    answer = portal.get(LIST, text="H-7", product="flight", last="24h", cursor="x")
    chips = {chip.field.name: chip for chip in answer.context["form"].chips}
    assert (chips["text"].value, chips["product"].value, chips["trip"].value) == ("H-7", "Flight", "")
    links = {label: (address, is_chosen) for label, address, is_chosen in chips["product"].links}
    assert links["Any"] == ("?text=H-7&last=24h", False)
    assert links["Flight"] == ("?text=H-7&last=24h&product=flight", True)
    page = answer.content.decode()
    assert "Filters (2)</summary>" in page
    assert 'aria-current="true" title="Any time again">24 h</a>' in page, (
        "A period of a link is shown as chosen"
    )


def test_the_list_has_the_sum_of_what_is_filtered(portal, api):
    goods = Goods(api)
    stay, order = goods.hotel_booking, goods.flight_order
    FlightShop(api).cancel(order["id"])
    refunded = Booking.objects.get(pk=order["id"]).cancellation["refundCents"]
    copy = Booking.objects.get(pk=stay["id"])
    copy.pk, copy.reference, copy.status, copy.external_reference = "hbk_copy", "H-COPY", "failed", None
    copy.save(force_insert=True)
    euros = f"{(stay['totalCents'] + order['totalCents']) / 100:,.2f} EUR"

    def said(**query):
        return re.sub(r" (?=[,;])", "", text_of(portal.get(LIST, **query)).replace("\u00a0", " "))

    assert (
        f"3 bookings, {euros}, {refunded / 100:,.2f} EUR of it refunded; 1 failed, not in the sum" in said()
    )
    assert f" 1 booking, {stay['totalCents'] / 100:,.2f} EUR " in said(status="confirmed")
    assert "booking, " not in said(text="H-NONE")


def test_the_sum_is_of_the_newest_where_there_are_more(portal, api, monkeypatch):
    goods = Goods(api)
    first, second = goods.hotel_booking, goods.flight_order
    assert first["currency"] == second["currency"]
    for module in ("apps.bookings.selectors", "apps.portal.bookings.pages"):
        monkeypatch.setattr(f"{module}.MOST_SUMMED", 1)
    said = text_of(portal.get(LIST)).replace("\u00a0", " ")
    assert f"Latest 1 booking, {second['totalCents'] / 100:,.2f} EUR" in said


@pytest.mark.parametrize(
    ("begins", "found"),
    [
        (-1, set()),
        (0, {"today", "7d", "30d"}),
        (6, {"7d", "30d"}),
        (7, {"30d"}),
        (29, {"30d"}),
        (30, set()),
    ],
)
def test_bookings_are_listed_by_the_days_on_which_travel_begins(portal, api, monkeypatch, begins, found):
    stay = Goods(api).hotel_booking
    check_in = datetime.fromisoformat(f"{stay['checkIn']}T00:00:00Z")
    now = check_in - timedelta(days=begins) + timedelta(hours=23, minutes=30)
    monkeypatch.setattr("apps.portal.lists.clock.now_here", lambda: now)
    assert {name for name in TRAVEL if references(portal.get(LIST, travel=name))} == found
    page = portal.get(LIST, travel="7d", travel_from="2020-01-01")
    assert references(page) == [stay["reference"]], "A written day counts"
    assert not any(preset.is_current for preset in page.context["form"].travel_presets())
    page = portal.get(LIST, travel="today", product="hotel").content.decode()
    assert '<a href="?product=hotel" aria-current="true" title="Any day again">Today</a>' in page
    assert '<a href="?travel=30d&amp;product=hotel" aria-label="Travel begins: Next 30 days">' in page


def test_the_timeline_of_a_booking_is_in_the_order_of_time(portal, api):
    order = FlightShop(api).ordered()
    answer = portal.get(f"{LIST}{order['id']}/")
    titles = [re.sub("<[^>]+>", "", str(entry.title)) for entry in answer.context["timeline"]]
    euros = f"{order['totalCents'] / 100:,.2f}\u00a0{order['currency']}"
    assert titles == [
        "Request received",
        f"{euros} held",
        "Sent to supplier",
        "Supplier confirmed",
        f"{euros} captured",
        "Event booking.confirmed",
    ]
    assert f"{order['slices'][0]['origin']} →" in text_of(answer)


def test_what_cancelling_would_cost_is_what_it_then_costs_and_cancels_nothing(portal, api):
    shop = FlightShop(api)
    order = shop.ordered()
    answer = portal.post(f"{LIST}{order['id']}/")
    cost = answer.context["quote"].cost
    assert Booking.objects.get(pk=order["id"]).status == "ticketed"
    assert Operation.objects.filter(kind="cancel").count() == 0
    assert "Nothing was cancelled" in text_of(answer)
    cancellation = shop.cancel(order["id"]).body["cancellation"]
    assert (cost.penalty_cents, cost.refund_cents) == (
        cancellation["penaltyCents"],
        cancellation["refundCents"],
    )
    again = portal.post(f"{LIST}{order['id']}/")
    assert (again.status_code, "The booking is cancelled." in text_of(again)) == (200, True)


def test_a_failed_booking_says_why_and_that_the_money_is_free(portal, api):
    shop = FlightShop(api)
    refused = shop.order(shop.offer(), X_Partner_Customer_Ref="sbx_supplier_error")
    booking = Booking.objects.get()
    timeline = portal.get(f"{LIST}{booking.pk}/").context["timeline"]
    titles = [re.sub("<[^>]+>", "", str(entry.title)).split("\u00a0")[-1] for entry in timeline]
    assert refused.status == 502
    assert titles == ["Request received", "EUR held", "Sent to supplier", "Not done", "EUR released"]
    assert next(entry.note for entry in timeline if entry.title == "Not done") == "The supplier refused it."


def test_a_booking_shows_its_requests_lines_events_and_deliveries_with_ids_to_copy(portal, account, api):
    EndpointFactory(
        account=account, events=["booking.confirmed", "booking.cancelled"], description="Back office"
    )
    shop = FlightShop(api)
    other = shop.ordered()
    order = shop.ordered()
    cancelled = shop.cancel(order["id"])
    write_down()
    answer = portal.get(f"{LIST}{order['id']}/")
    story, html = answer.context["history"], answer.content.decode()
    assert [call.operation for call in story.calls] == ["cancelFlightOrder", "createFlightOrder"]
    assert [line.type for line in story.ledger] == ["hold", "capture", "refund"]
    assert [sent.event.type for sent in story.events] == [
        "booking.confirmed",
        "booking.cancelled",
        "payment.refunded",
    ]
    deliveries = Delivery.objects.filter(event__booking_id=order["id"])
    named = [
        *(str(call.request_id) for call in story.calls),
        *(line.pk for line in story.ledger),
        *(sent.event.pk for sent in story.events),
        *(order["id"], order["reference"], order["pnr"], order["supplier"]["reference"]),
    ]
    assert [each for each in named if f'data-copy-text="{each}"' not in html] == []
    assert cancelled.headers["X-Request-Id"] in html
    assert deliveries.count() == 2
    assert all(f"/portal/test/webhooks/deliveries/{each.pk}/" in html for each in deliveries)
    assert text_of(answer).count("Pending Back office") == 2
    assert other["id"] not in html


def test_a_flight_shows_its_seats_bags_and_documents_by_their_last_characters(portal, api):
    order = FlightShop(api).ordered_in_full()
    text = text_of(portal.get(f"{LIST}{order['id']}/"))
    assert "Ada Lovelace: passport ending 4567 (PT), valid until 31 Jan 2035" in text
    assert (
        f"1 × checked bag of 23 kg, Ada Lovelace, {order['slices'][0]['segments'][0]['flightNumber']}" in text
    )
    assert f"seat {order['services'][1]['designator']}, Ada Lovelace" in text
    assert "AB1234567" not in text


def test_each_list_says_in_one_line_what_was_booked_when_and_for_whom(portal, api):
    goods = Goods(api)
    stay, flight, ride, plan = (
        goods.hotel_booking,
        goods.flight_order,
        goods.transfer_order,
        goods.esim_order,
    )
    shown = text_of(portal.get(LIST))
    check_in, check_out = (datetime.fromisoformat(stay[day]) for day in ("checkIn", "checkOut"))
    assert (
        f"{stay['hotel']['name']}, {stay['hotel']['address']['city']} · {days(check_in, check_out)}" in shown
    )
    lead = flight["passengers"][0]
    first, last = flight["slices"][0], flight["slices"][-1]
    leaves, returns = (datetime.fromisoformat(each["departureAt"]) for each in (first, last))
    line = f"{first['origin']} → {first['destination']} · {days(leaves, returns)} · {lead['firstName']}"
    assert line in shown
    assert f"· {ride['leadPassenger']['firstName']} {ride['leadPassenger']['lastName']}" in shown
    assert plan["plan"]["name"] in shown
    for page in ("/portal/test/", "/portal/test/balance/", "/portal/test/webhooks/events/"):
        assert line in text_of(portal.get(page)), page


def test_a_line_names_no_traveller_whose_key_is_gone(portal, api):
    order = FlightShop(api).ordered()
    TravellerKey.objects.get(pk=order["id"]).delete()
    shown = text_of(portal.get(LIST))
    assert (order["slices"][0]["origin"] in shown, "redacted" in shown) == (True, False)
    assert order["passengers"][0]["lastName"] not in shown


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        (date(2026, 12, 28), date(2026, 12, 28), "28 Dec 2026"),
        (date(2026, 12, 28), date(2026, 12, 30), "28–30 Dec 2026"),
        (date(2026, 11, 28), date(2026, 12, 3), "28 Nov – 3 Dec 2026"),
        (date(2026, 12, 28), date(2027, 1, 2), "28 Dec 2026 – 2 Jan 2027"),
    ],
)
def test_days_are_written_without_a_month_or_year_twice(first, last, shown):
    assert days(first, last) == shown


def actions_in(answer) -> list[str]:
    """The buttons and links beside the heading of a booking."""
    header = answer.content.decode().split('class="page-header"')[1].split("</h1>")[1]
    header = header.split('<div class="actions">')[1].split("</div>")[0]
    return [label.strip() for label in re.findall(r">([^<>]+)</(?:a|button)>", header)]


def test_the_header_has_what_when_who_and_what_can_be_done(portal, api):
    goods = Goods(api)
    stay, order, plan = goods.hotel_booking, goods.flight_order, goods.esim_order
    page = portal.get(f"{LIST}{stay['id']}/")
    assert actions_in(page) == ["Cancel…", "Change the stay…", "Documents", "Correct name…", "Simulate…"]
    lead = stay["guests"][0]
    check_in, check_out = (date.fromisoformat(stay[day]) for day in ("checkIn", "checkOut"))
    assert f"Confirmed Hotel · {stay['hotel']['name']}" in text_of(page)
    assert (
        f"Dates, local {days(check_in, check_out)} Lead traveller {lead['firstName']} {lead['lastName']}"
        in text_of(page)
    )
    html = page.content.decode()
    assert [place for place in re.findall(r'href="#([a-z]+)"', html) if f'id="{place}"' not in html] == []
    assert actions_in(portal.get(f"{LIST}{order['id']}/"))[:2] == ["Cancel…", "Documents"]
    assert "Refund…" in actions_in(portal.get(f"{LIST}{plan['id']}/"))
    Membership.objects.update(role=Role.VIEWER)
    assert actions_in(portal.get(f"{LIST}{stay['id']}/")) == ["Documents"]


def test_the_money_of_a_booking_is_what_was_captured_and_came_back(portal, api):
    shop = FlightShop(api)
    order = shop.ordered()
    Booking.objects.filter(pk=order["id"]).update(sold_for_cents=order["totalCents"] + 1_000)
    page = f"{LIST}{order['id']}/"
    net, sold = (f"{cents / 100:,.2f} EUR" for cents in (order["totalCents"], order["totalCents"] + 1_000))

    def said():
        return text_of(portal.get(page)).replace("\u00a0", " ")

    assert f"Money Net price {net} Sold for {sold} Captured {net} References" in said()
    cancelled = shop.cancel(order["id"]).body["cancellation"]
    penalty, refund = (f"{cancelled[name] / 100:,.2f} EUR" for name in ("penaltyCents", "refundCents"))
    assert f"Captured {net} Penalty {penalty} Refunded {refund}" in said()
    held = shop.held()
    assert "Captured" not in text_of(portal.get(f"{LIST}{held['id']}/"))
