"""The documents of a booking and of its trip, asked for in the portal."""

import re

import pytest

from apps.bookings.models import Booking
from apps.documents import pdf
from tests.contract.goods import Goods
from tests.portal.reading import text_of

pytestmark = pytest.mark.django_db
LIST = "/portal/test/bookings/"
ASKED = {"type": "voucher", "format": "html", "language": "en", "prices": "none"}


def offered(answer, name: str = "type") -> list[str]:
    found = re.search(rf'<select id="document-{name}".*?</select>', answer.content.decode())
    return re.findall(r'value="([^"]+)"', found[0]) if found else []


def ask(portal, booking, **asked):
    return portal.get(f"{LIST}{booking['id']}/document/", **{**ASKED, **asked})


def said(portal, answer) -> str:
    """What the page says that a refusal leads to."""
    assert answer.status_code == 302
    return text_of(portal.client.get(answer["Location"]))


@pytest.mark.parametrize(
    ("status", "kinds"),
    [
        ("ticketed", ["voucher", "itinerary", "receipt"]),
        ("cancelled", []),
        ("pending", []),
        ("failed", []),
        ("on_hold", []),
        ("awaiting_approval", []),
    ],
)
def test_the_page_offers_the_documents_that_the_booking_has(portal, api, status, kinds):
    order = Goods(api).flight_order
    Booking.objects.filter(pk=order["id"]).update(status=status)
    assert offered(portal.get(f"{LIST}{order['id']}/")) == kinds
    Booking.objects.filter(pk=order["id"]).update(trip_reference="trip-1")
    of_trip = ["trip-itinerary", "trip-voucher", "trip-receipt"]
    assert offered(portal.get(f"{LIST}{order['id']}/")) == [*kinds, *of_trip]


def test_a_cancelled_booking_has_its_receipt(portal, api):
    order = Goods(api).transfer_order
    assert api.post(f"/v1/transfers/orders/{order['id']}/cancel", {}).status == 200
    page = portal.get(f"{LIST}{order['id']}/")
    assert (offered(page), offered(page, "prices")) == (["receipt"], ["none", "net"])
    Booking.objects.filter(pk=order["id"]).update(sold_for_cents=1)
    assert offered(portal.get(f"{LIST}{order['id']}/"), "prices") == ["none", "net", "sold"]
    assert "Refunded" in ask(portal, order, type="receipt", prices="net").content.decode()
    assert "it has no voucher" in said(portal, ask(portal, order))


def test_it_is_the_same_file_as_of_the_api(portal, api):
    stay = Goods(api).hotel_booking
    for format in ("html", "pdf"):
        mine = ask(portal, stay, format=format, language="pt")
        query = f"type=voucher&format={format}&language=pt&prices=none"
        of_api = api.get(f"/v1/hotels/bookings/{stay['id']}/document?{query}")
        assert (mine.status_code, mine.content) == (200, of_api.content)
        for header in ("Content-Type", "Content-Disposition"):
            assert mine[header] == of_api.headers[header]
    assert mine["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    assert "script" not in ask(portal, stay)["Content-Security-Policy"]


def test_the_documents_of_a_trip_are_on_its_list_and_its_bookings(portal, api):
    goods = Goods(api)
    stay, order = goods.hotel_booking, goods.flight_order
    Booking.objects.filter(pk__in=[stay["id"], order["id"]]).update(trip_reference="trip 1&2")
    assert offered(portal.get(LIST)) == offered(portal.get(LIST, trip="other")) == []
    assert offered(portal.get(LIST, trip="trip 1&2")) == ["itinerary", "voucher", "receipt"]
    trip = portal.get(f"{LIST}trip-document/", trip="trip 1&2", **ASKED)
    assert trip.status_code == 200
    for booking in (stay, order):
        assert booking["reference"] in trip.content.decode()
        assert ask(portal, booking, type="trip-voucher").content == trip.content
    refused = portal.get(f"{LIST}trip-document/", trip="trip 1&2", **{**ASKED, "prices": "sold"})
    assert "has no soldForCents" in said(portal, refused)
    assert refused["Location"].endswith("?trip=trip+1%262")


@pytest.mark.parametrize(
    "asked", [{"type": "x"}, {"format": ""}, {"language": "xx"}, {"prices": "x"}, {"type": "trip-x"}]
)
def test_what_the_form_does_not_offer_is_not_made(portal, api, asked):
    order = Goods(api).esim_order
    assert "Choose the document again." in said(portal, ask(portal, order, **asked))


def test_a_booking_without_a_trip_has_no_document_of_one(portal, api):
    assert ask(portal, Goods(api).esim_order, type="trip-itinerary").status_code == 302


def test_top_ups_have_none(portal, api):
    top_up = Goods(api).make("createEsimTopUp")
    assert offered(portal.get(f"{LIST}{top_up['id']}/")) == []
    assert ask(portal, top_up).status_code == 302


def test_too_many_at_once_are_refused_in_words(portal, api, monkeypatch):
    order = Goods(api).esim_order
    monkeypatch.setattr(pdf, "LONGEST_WAIT", 0.01)
    with pdf._setting:
        refused = ask(portal, order, format="pdf")
    assert "Too many documents are made at the same time." in said(portal, refused)
