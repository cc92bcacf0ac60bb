"""GET …/document: what is asked for, who gets it, and when it is refused."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import SUPPORT
from apps.accounts.branding import change_branding, set_logo
from apps.accounts.logos import as_logo
from apps.bookings.erasure import erase_travellers
from apps.bookings.models import Booking
from apps.documents import pdf
from apps.documents.words import LABELS, LANGUAGES
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Onboarded
from apps.onboarding.sandboxes import open_sandbox
from apps.request_log import writer
from apps.request_log.models import LoggedCall
from tests.documents.counter import PATHS, PRODUCTS, Counter
from tests.factories.keys import issued_key
from tests.hotels.conftest import onboard
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.pictures import drawn, file_of

KINDS = ("voucher", "itinerary", "receipt")
REFUSED = [
    ("type", "invoice", "must be one of voucher, receipt, itinerary"),
    ("type", "", "must be one of voucher, receipt, itinerary"),
    ("format", "docx", "must be one of pdf, html"),
    ("format", "PDF", "must be one of pdf, html"),
    ("prices", "gross", "must be one of none, net, sold"),
    ("language", "", "must be a language tag such as de or pt-BR"),
    ("language", "en_GB", "must be a language tag such as de or pt-BR"),
    ("language", "../../etc", "must be a language tag such as de or pt-BR"),
]


def test_every_product_has_each_kind_in_both_forms(counter: Counter) -> None:
    for product in PRODUCTS:
        booking = counter.booked(product)
        for kind in KINDS:
            name = f"{kind}-{booking['reference']}"
            file = counter.ask(booking, type=kind)
            assert (file.status, file.headers["Content-Type"]) == (200, "application/pdf")
            assert file.headers["Content-Disposition"] == f'attachment; filename="{name}.pdf"'
            assert file.content[:5] == b"%PDF-"
            assert "Content-Encoding" not in counter.ask(booking, type=kind, Accept_Encoding="gzip").headers
            page = counter.ask(booking, type=kind, format="html", Accept="application/pdf")
            assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
            assert page.headers["Content-Disposition"] == f'inline; filename="{name}.html"'
            assert page.content.startswith(b"<!doctype html>")
            assert {file.headers["Cache-Control"], page.headers["Cache-Control"]} == {"no-store"}


def test_a_voucher_as_pdf_without_prices_is_what_one_gets_unasked(counter: Counter) -> None:
    booking = counter.booked("hotel")
    unasked, asked = (
        counter.ask(booking),
        counter.ask(booking, type="voucher", format="pdf", language="en", prices="none"),
    )
    assert unasked.content == asked.content


@pytest.mark.parametrize(("name", "value", "message"), REFUSED)
def test_an_unknown_value_is_rejected_at_its_parameter(
    counter: Counter, name: str, value: str, message: str
) -> None:
    reply = counter.ask(counter.booked("esim"), **{name: value})
    assert (reply.status, reply.error["details"]) == (400, [{"field": name, "message": message}])


def test_all_unknown_values_are_named_at_once(counter: Counter) -> None:
    reply = counter.ask(counter.booked("esim"), type="x", format="x", prices="x", language="x")
    assert {one["field"] for one in reply.error["details"]} == {"type", "format", "prices", "language"}


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        *((language, language) for language in LANGUAGES),
        ("pt-BR", "pt"),
        ("DE", "de"),
        ("ja", "en"),
        ("zh-Hant-TW", "en"),
    ],
)
def test_documents_are_in_six_languages_and_else_in_english(
    counter: Counter, asked: str, answered: str
) -> None:
    page = counter.page(counter.booked("transfer"), language=asked)
    assert re.search(r'<html lang="(\w+)">', page)[1] == answered
    assert LABELS["transfer_voucher"][LANGUAGES.index(answered)] in page
    assert LABELS["test"][LANGUAGES.index(answered)] in page


# --- Who gets one ---------------------------------------------------------------------------------------------------------
def test_another_partners_booking_is_unknown(counter: Counter) -> None:
    stranger = Counter(Api(onboard().test_secret))
    for product in PRODUCTS:
        booking = counter.booked(product)
        assert stranger.ask(booking).status == 404
        assert counter.api.get(f"/v1/{PATHS[product]}/hbk_unknown/document").status == 404


def test_a_top_up_has_no_document(counter: Counter) -> None:
    counter.booked("esim")
    top_up = counter.goods.make("createEsimTopUp")
    assert counter.ask(top_up).status == 404


def test_no_traveller_is_in_the_request_log(counter: Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "writer", writer.Writer())
    booking = counter.booked("hotel")
    assert "Ada Lovelace" in counter.page(booking)
    assert writer.writer.flush()
    call = LoggedCall.objects.filter(operation="getHotelBookingDocument").get()
    assert (call.path, call.query) == (f"/v1/hotels/bookings/{booking['id']}/document", "format=html")
    assert (call.booking_id, call.response_body) == (booking["id"], None)


# --- In whose name --------------------------------------------------------------------------------------------------------
def test_documents_of_every_product_have_the_sellers_name_logo_and_contact(
    counter: Counter, partner: Onboarded
) -> None:
    plain = {product: counter.text(counter.booked(product)) for product in PRODUCTS}
    texts = {
        "name": "Aurora <b>Voyages</b>",
        "phone": "+351 21 000 0000",
        "emergency_phone": "+351 910 000 000",
    }
    change_branding(account=partner.account, actor=SUPPORT, texts=texts)
    set_logo(account=partner.account, actor=SUPPORT, logo=as_logo(file_of(drawn())))
    for product in PRODUCTS:
        booking = counter.booked(product)
        for kind in KINDS:
            page, text = counter.page(booking, type=kind), counter.text(booking, type=kind)
            assert re.findall(r'<img src="data:image/png;base64,[^"]+" alt="([^"]*)"', page) == [
                "Aurora &lt;b&gt;Voyages&lt;/b&gt;"
            ]
            assert "Acme Travel" not in text
            assert text.endswith("Aurora <b>Voyages</b> · +351 21 000 0000")
            assert (kind, text.count("Emergency phone +351 910 000 000")) == (kind, int(kind != "receipt"))
        assert counter.ask(booking).content[:5] == b"%PDF-"
    change_branding(account=partner.account, actor=SUPPORT, texts=dict.fromkeys(texts, ""))
    set_logo(account=partner.account, actor=SUPPORT, logo=None)
    assert {product: counter.text(counter.booked(product)) for product in PRODUCTS} == plain


def test_a_document_of_a_sandbox_has_its_partners_name(partner: Onboarded) -> None:
    change_branding(account=partner.account, actor=SUPPORT, texts={"name": "Aurora Voyages"})
    sandbox = open_sandbox(account=partner.account, name="Two", actor=SUPPORT)
    _, secret = issued_key(sandbox.account, scopes=sorted(ENFORCED))
    apart = Counter(Api(secret))
    assert apart.text(apart.booked("transfer")).endswith("Aurora Voyages")


# --- When it is refused --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("status", ["pending", "failed", "on_hold"])
@pytest.mark.parametrize("kind", KINDS)
def test_there_is_none_until_it_is_confirmed(counter: Counter, status: str, kind: str) -> None:
    booking = counter.booked("flight")
    Booking.objects.filter(pk=booking["id"]).update(status=status)
    reply = counter.ask(booking, type=kind)
    assert (reply.status, reply.error_type) == (409, "conflict")
    assert reply.error["message"] == f"The booking is {status}: it has documents once it is confirmed."


@pytest.mark.parametrize("kind", ["voucher", "itinerary"])
def test_a_cancelled_booking_has_a_receipt_alone(counter: Counter, kind: str) -> None:
    shop = FlightShop(counter.api)
    order = shop.ordered()
    counter.cancel(order)
    reply = counter.ask(order, type=kind)
    assert (reply.status, reply.error_type) == (409, "conflict")
    assert reply.error["message"] == f"The booking is cancelled: it has no {kind}. Ask for type=receipt."
    assert counter.ask(order, type="receipt").status == 200


def test_what_was_never_paid_has_no_receipt(counter: Counter) -> None:
    order = FlightShop(counter.api).held()
    counter.cancel(order)
    reply = counter.ask(order, type="receipt")
    assert reply.error["message"] == "Nothing was paid for this booking: it has no receipt."


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_none_once_its_travellers_are_forgotten(counter: Counter, kind: str) -> None:
    order = FlightShop(counter.api).ordered()
    counter.cancel(order)
    erase_travellers(booking=Booking.objects.get(pk=order["id"]), erased_by=SUPPORT)
    reply = counter.ask(order, type=kind)
    assert (reply.status, reply.error_type) == (410, "travellers_forgotten")


def test_sold_prices_need_one(counter: Counter) -> None:
    stay = counter.booked("hotel")
    reply = counter.ask(stay, prices="sold")
    assert (reply.status, reply.error_type) == (409, "conflict")
    message = f"The booking {stay['reference']} has no soldForCents, which prices=sold prints."
    assert reply.error["message"] == message


def test_too_many_at_once_are_refused_and_pages_are_not(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    booking = counter.booked("esim")
    monkeypatch.setattr(pdf, "LONGEST_WAIT", 0.01)
    with pdf._setting:
        refused = counter.ask(booking)
        assert counter.ask(booking, format="html").status == 200
    assert (refused.status, refused.error_type, refused.error["retryAfter"]) == (
        429,
        "rate_limit_exceeded",
        1,
    )
    assert refused.headers["Retry-After"] == "1"
    assert counter.ask(booking).status == 200


# --- Prices ---------------------------------------------------------------------------------------------------------------
def test_each_price_is_printed_where_it_is_asked_for(counter: Counter) -> None:
    stay = counter.stay(soldForCents=1_234_500)
    assert stay["soldForCents"] == 1_234_500
    net = f"{stay['totalCents'] / 100:,.2f}\N{NO-BREAK SPACE}EUR"
    sold = "12,345.00\N{NO-BREAK SPACE}EUR"
    for kind in KINDS:
        shown = {prices: counter.page(stay, type=kind, prices=prices) for prices in ("none", "net", "sold")}
        assert {prices: (net in page, sold in page) for prices, page in shown.items()} == {
            "none": (False, False),
            "net": (True, False),
            "sold": (False, True),
        }


@pytest.mark.parametrize("product", PRODUCTS)
def test_what_a_booking_was_sold_for_is_kept_with_it(counter: Counter, product: str) -> None:
    create = {
        "hotel": "createHotelBooking",
        "flight": "createFlightOrder",
        "transfer": "createTransferOrder",
        "esim": "createEsimOrder",
    }[product]
    path, body = counter.goods.request(create)
    made = counter.api.post(path, {**body, "soldForCents": 0})
    assert (made.status, made.body["soldForCents"]) == (201, 0)
    assert "0.00\N{NO-BREAK SPACE}EUR" in counter.page(made.body, prices="sold")
    assert "soldForCents" not in counter.booked(product)
    refused = counter.api.post(path, {**body, "soldForCents": -1})
    assert [one["field"] for one in refused.error["details"]] == ["soldForCents"]


def test_a_top_up_keeps_it_as_well(counter: Counter) -> None:
    counter.booked("esim")
    path, body = counter.goods.request("createEsimTopUp")
    assert counter.api.post(path, {**body, "soldForCents": 900}).body["soldForCents"] == 900


# --- The seller and the mark ----------------------------------------------------------------------------------------------
def test_it_is_in_the_name_of_the_account(counter: Counter, partner: Onboarded) -> None:
    partner.account.name = "Blue & <Harbour>"
    partner.account.save()
    assert '<p class="seller">Blue &amp; &lt;Harbour&gt;</p>' in counter.page(counter.booked("esim"))


def test_live_documents_have_no_mark(partner: Onboarded) -> None:
    live = Counter(Api(str(partner.live_secret)))
    assert "TEST" not in live.text(live.booked("hotel"))


def test_a_document_takes_four_statements_at_most(counter: Counter) -> None:
    booking = counter.booked("hotel")
    counter.ask(booking, format="html")
    with CaptureQueriesContext(connection) as ran:
        counter.ask(booking, format="html")
    about = [one["sql"] for one in ran if "bookings_" in one["sql"] or "accounts_account" in one["sql"]]
    assert len(about) <= 4, about
