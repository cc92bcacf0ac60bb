"""GET /v1/trips/document: which bookings are in it, in which order, for which keys, and when it is refused."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.bookings.models import Booking, Operation
from apps.bookings.travellers import at_rest, opened, with_keys
from apps.documents.words import LANGUAGES
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from apps.trips import documents
from tests.documents.counter import text_of
from tests.esim.shop import top_up_plans
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop
from tests.trips.goods import LISTS, booked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("noon", "catalogue")]

SCOPES = {"hotel": "hotels:book", "flight": "flights:book", "transfer": "transfers:book", "esim": "esim:read"}
TRIP = "Lisbon 7/27"
KINDS = ("itinerary", "voucher", "receipt")
Made = dict[str, dict[str, Any]]


@pytest.fixture
def trip(api: Api) -> Made:
    """A booking of each product, all of one trip; and a stay that belongs to none."""
    made = {product: booked(api, product, tripReference=TRIP).body for product in LISTS}
    booked(api, "hotel")
    return made


def ask(api: Api, trip: str = TRIP, **query: str) -> Reply:
    parameters = "".join(f"&{name}={value}" for name, value in query.items())
    return api.get(f"/v1/trips/document?tripReference={trip.replace(' ', '%20')}{parameters}")


def page(api: Api, **query: str) -> str:
    reply = ask(api, format="html", **query)
    assert reply.status == 200, reply.body
    return reply.content.decode()


def parts(shown: str) -> list[str]:
    """The references of the bookings, in the order of the page."""
    return [
        re.search("[HFTE]-[0-9A-Z]{8}", text_of(f"<body>{part}"))[0] for part in shown.split("<article>")[1:]
    ]  # type: ignore[index]


def references(made: Made, *products: str) -> list[str]:
    return [made[product]["reference"] for product in products]


def begin(booking: dict[str, Any], at: str) -> None:
    """Move the first service of a booking: to a local date-time."""
    found = with_keys(Booking.objects).get(pk=booking["id"])
    details = {**opened(found)}
    if found.product == "hotel":
        details |= {"check_in": at[:10], "check_out": "2027-12-01"}
    elif found.product == "flight":
        details["slices"][0]["leg"]["departure_at"] = f"{at}+09:00"
    else:
        details |= {"search": {**details["search"], "outbound": at}, "pickup": None}
    found.details = at_rest(found, details)
    found.save()


def test_an_itinerary_has_all_bookings_in_the_order_of_their_services(api: Api, trip: Made) -> None:
    begin(trip["flight"], "2027-11-03T23:30:00")
    begin(trip["transfer"], "2027-11-04T20:00:00")
    begin(trip["hotel"], "2027-11-04")
    assert parts(page(api)) == references(trip, "flight", "transfer", "hotel", "esim")
    begin(trip["hotel"], "2027-11-02")
    assert parts(page(api)) == references(trip, "hotel", "flight", "transfer", "esim")
    text = text_of(page(api))
    assert "Trip reference Lisbon 7/27" in text
    assert " – 1 December 2027" in text
    assert text.count("Ada Lovelace") >= 3
    assert [word for word in ("Cancellation terms", "TEST, not valid") if word in text] == ["TEST, not valid"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_a_file_of_its_own_name(api: Api, trip: Made, kind: str) -> None:
    file = ask(api, type=kind)
    assert (file.status, file.headers["Content-Type"], file.content[:5]) == (200, "application/pdf", b"%PDF-")
    assert file.headers["Content-Disposition"] == f'attachment; filename="{kind}-trip-Lisbon-7-27.pdf"'
    assert len(parts(page(api, type=kind))) == 4


def test_an_itinerary_is_what_one_gets_unasked(api: Api, trip: Made) -> None:
    assert ask(api).content == ask(api, type="itinerary", format="pdf", language="en", prices="none").content


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_in_each_language(api: Api, trip: Made, language: str) -> None:
    assert f'<html lang="{language}">' in page(api, language=language)


# --- Which bookings -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("product", LISTS)
def test_a_key_gets_the_products_that_it_may_read(api: Api, trip: Made, product: str) -> None:
    account = ApiKey.objects.order_by("created_at")[0].account
    one = api_of_new_partner(account=account, scopes=[SCOPES[product]])
    assert parts(page(one)) == [trip[product]["reference"]]


def test_a_key_that_reads_no_bookings_is_refused_by_the_first_scope(api: Api) -> None:
    refused = ask(api_of_new_partner(scopes=["hotels:search", "esim:book"]))
    assert (refused.status, refused.error["missingScope"]) == (403, "hotels:book")


def test_another_accounts_trip_and_one_that_no_booking_has_are_unknown(api: Api, trip: Made) -> None:
    assert ask(api_of_new_partner(scopes=list(ENFORCED))).status == 404
    account = ApiKey.objects.order_by("created_at")[0].account
    live = api_of_new_partner(account=account, environment="live", scopes=list(ENFORCED))
    assert ask(live).status == ask(api, "lisbon 7/27").status == 404


@pytest.mark.parametrize("status", ["pending", "failed", "on_hold"])
def test_what_is_not_confirmed_is_left_out(api: Api, trip: Made, status: str) -> None:
    Booking.objects.filter(pk=trip["flight"]["id"]).update(status=status)
    for kind in KINDS:
        assert trip["flight"]["reference"] not in page(api, type=kind)
    Booking.objects.update(status=status)
    for kind in KINDS:
        refused = ask(api, type=kind)
        assert (refused.status, refused.error_type) == (409, "conflict")
        assert refused.error["message"] == f"None of the trip's bookings has a document of the type {kind}."


def test_a_cancelled_booking_is_on_the_receipt_alone(api: Api, trip: Made) -> None:
    assert api.post(f"{LISTS['transfer']}/{trip['transfer']['id']}/cancel", {}).status == 200
    reference, total = trip["transfer"]["reference"], sum(one["totalCents"] for one in trip.values())
    assert [reference in page(api, type=kind) for kind in KINDS] == [False, False, True]
    receipt = text_of(page(api, type="receipt", prices="net"))
    refund = Booking.objects.get(pk=trip["transfer"]["id"]).cancellation["refundCents"]  # type: ignore[index]
    assert refund > 0
    assert f"Total, net {total / 100:,.2f} EUR Refunded {refund / 100:,.2f} EUR" in receipt.replace(
        "\xa0", " "
    )


def test_an_order_that_was_never_paid_is_on_no_receipt(api: Api) -> None:
    shop = FlightShop(api)
    order = shop.order(shop.holdable(), hold=True, tripReference=TRIP).body
    assert api.post(f"{LISTS['flight']}/{order['id']}/cancel", {}).status == 200
    assert ask(api, type="receipt").status == 409


def test_top_ups_are_not_in_it(api: Api) -> None:
    order = booked(api, "esim", tripReference=TRIP).body
    body = {"planId": top_up_plans(api, order)[0]["id"]}
    assert api.post(f"/v1/esim/orders/{order['id']}/topups", body).status == 201
    assert parts(page(api)) == [order["reference"]]


def test_the_forgotten_are_left_out_and_410_where_all_are(api: Api, trip: Made) -> None:
    for product in ("hotel", "flight", "transfer"):
        begin(trip[product], "2020-01-01T10:00:00")
    Booking.objects.filter(pk=trip["esim"]["id"]).update(status="failed")
    names = ["hotel", "flight", "transfer"]
    for product in names:
        assert api.post(f"{LISTS[product]}/{trip[product]['id']}/cancel", {}).status in (200, 409)
        Booking.objects.filter(pk=trip[product]["id"]).update(
            erased_at=Booking.objects.get(pk=trip[product]["id"]).created_at
        )
        left = ask(api, type="receipt", format="html")
        assert left.status == (410 if product == "transfer" else 200)
    assert left.error_type == "travellers_forgotten"


def test_more_bookings_than_fit_are_refused(api: Api, trip: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_BOOKINGS", 4)
    assert ask(api).status == 200
    monkeypatch.setattr(documents, "MOST_BOOKINGS", 3)
    refused = ask(api)
    assert (refused.status, refused.error["message"]) == (
        409,
        "The trip has more than 3 bookings: it has no document. Ask for those of the bookings.",
    )
    Booking.objects.filter(pk=trip["hotel"]["id"]).update(status="failed")
    assert ask(api).status == 200


def test_a_trip_is_read_in_as_many_statements_however_long_it_is(api: Api, trip: Made) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as ran:
            assert ask(api, type="receipt").status == 200
        return len([one for one in ran if "bookings_" in one["sql"] or "accounts_account" in one["sql"]])

    few = statements()
    for _ in range(3):
        booked(api, "esim", tripReference=TRIP)
    assert statements() == few <= 3


# --- Prices ---------------------------------------------------------------------------------------------------------------
def test_sold_prices_are_summed_and_needed_of_each(api: Api) -> None:
    for product in ("transfer", "esim"):
        booked(api, product, tripReference=TRIP, soldForCents=12_345)
    text = text_of(page(api, prices="sold")).replace("\xa0", " ")
    assert "Price Total 246.90 EUR" in text
    unsold = booked(api, "esim", tripReference=TRIP).body
    refused = ask(api, prices="sold")
    assert (
        refused.error["message"]
        == f"The booking {unsold['reference']} has no soldForCents, which prices=sold prints."
    )


# --- What is under way ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["change", "cancel"])
def test_nothing_is_handed_out_while_it_may_be_void(api: Api, trip: Made, kind: str) -> None:
    stay = trip["hotel"]
    Operation.objects.filter(booking_id=stay["id"]).update(kind=kind, state="uncertain")
    for refused in (ask(api), ask(api, type="voucher"), api.get(f"{LISTS['hotel']}/{stay['id']}/document")):
        assert (refused.status, refused.error_type) == (409, "conflict")
        assert refused.error["message"] == (
            f"A change or a cancellation of the booking {stay['reference']} is under way: ask again once it is decided."
        )
    assert ask(api, type="receipt").status == 200
    assert api.get(f"{LISTS['flight']}/{trip['flight']['id']}/document").status == 200


# --- What is asked for ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["", "%20%20", "%00", "a%0Ab", "a%07", "%E2%80%AE", "x" * 65], ids=range(7))
def test_a_reference_that_no_booking_can_have_is_invalid(api: Api, text: str) -> None:
    refused = ask(api, text, type="x")
    assert (refused.status, [one["field"] for one in refused.error["details"]]) == (
        400,
        ["tripReference", "type"],
    )
    assert refused.error["details"][0]["message"] == "must have 1 to 64 printable characters"


def test_without_a_reference_it_is_invalid(api: Api) -> None:
    refused = api.get("/v1/trips/document")
    assert [one["field"] for one in refused.error["details"]] == ["tripReference"]
