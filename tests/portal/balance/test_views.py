import csv
import io
import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection

from apps.common import clock
from apps.gateway.models import SearchUsage
from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import Trace, adjust
from apps.ledger.selectors import closing_balances
from apps.portal import csv_files
from apps.portal.balance import LEDGER_COLUMNS as COLUMNS
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import issued_key
from tests.support.flight_shop import FlightShop
from tests.support.products_off import sell_all_but

pytestmark = pytest.mark.django_db
PAGE = "/portal/test/balance/"


@pytest.fixture
def api(account):
    return api_of_new_partner(account=account, name="Web shop", cents=1_000_000)


def text_of(answer) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


def types(answer) -> list[str]:
    return re.findall(r'<th scope="row" data-label="Type">([^<]+)</th>', answer.content.decode())


def rows_of(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))


def test_every_line_leads_to_its_booking_request_and_key(portal, api):
    order = FlightShop(api).ordered()
    answer = portal.get(PAGE)
    capture = LedgerTransaction.objects.get(type="capture")
    html = answer.content.decode()
    assert types(answer) == ["Capture", "Hold", "Top up"]
    assert f"/portal/test/bookings/?text={order['reference']}" in html
    assert f"/portal/test/requests/{capture.request_id}/" in html
    assert text_of(answer).count("Web shop") == 2
    assert portal.get(PAGE).context["balance"].available_cents == 1_000_000 - order["totalCents"]


def test_filters_narrow_the_ledger_and_its_file_alike(portal, api):
    first, second = FlightShop(api).ordered(), FlightShop(api).ordered()
    assert types(portal.get(PAGE, type="hold")) == ["Hold", "Hold"]
    assert types(portal.get(PAGE, booking=first["reference"].lower())) == ["Capture", "Hold"]
    assert types(portal.get(PAGE, since="2100-01-01")) == []
    rows = rows_of(portal.get(f"{PAGE}ledger.csv", booking=second["reference"]))
    assert [(row["type"], row["bookingReference"]) for row in rows] == [
        ("capture", second["reference"]),
        ("hold", second["reference"]),
    ]


@pytest.mark.parametrize(
    "query", ["since=soon", "since=2026-11-23T14:00&until=2026-11-22T14:00", "type=gift"]
)
def test_a_filter_that_cannot_be_read_makes_no_file_but_leads_to_the_list_which_says_so(portal, query: str):
    answer = portal.client.get(f"{PAGE}ledger.csv?{query}", follow=True)
    [(address, status)] = answer.redirect_chain
    assert (address, status) == (f"{PAGE}?{query.replace(':', '%3A')}", 302)
    assert answer.context["form"].errors


def test_the_file_adds_up_and_opens_no_formula(portal, api, account):
    FlightShop(api).ordered()
    trace = Trace(description='=HYPERLINK("https://evil.example")')
    adjust(
        account_id=account.pk,
        environment="test",
        amount_cents=-1_234,
        currency="EUR",
        reference="a",
        trace=trace,
    )
    answer = portal.get(f"{PAGE}ledger.csv")
    rows = rows_of(answer)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert tuple(rows[0]) == COLUMNS
    assert sum(float(row["amount"]) for row in rows) == pytest.approx(float(rows[0]["availableAfter"]))
    assert (rows[0]["amount"], rows[0]["description"]) == ("-12.34", '\'=HYPERLINK("https://evil.example")')


def test_a_file_of_any_length_holds_no_cursor_open(portal, api, monkeypatch):
    for _ in range(2):
        FlightShop(api).ordered()
    whole = list(LedgerTransaction.objects.order_by("-created_at", "-id").values_list("id", flat=True))

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("A pooler in transaction mode keeps no cursor.")

    monkeypatch.setattr(connection, "chunked_cursor", refuse)
    for at_once in (1, 2, len(whole), 1_000):
        monkeypatch.setattr(csv_files, "PAGE_LENGTH", at_once)
        assert [row["id"] for row in rows_of(portal.get(f"{PAGE}ledger.csv"))] == whole


def test_days_close_with_their_last_step_and_begin_with_what_was_before(account, api, move_clock):
    def spend(reference: str) -> None:
        adjust(
            account_id=account.pk,
            environment="test",
            amount_cents=-100,
            currency="EUR",
            reference=reference,
            trace=Trace(),
        )

    begins = clock.now()
    move_clock(days=1)
    spend("a")
    spend("b")
    move_clock(days=2)
    spend("c")
    closes = closing_balances(account.pk, "test", since=begins + timedelta(hours=12))
    assert [close.available_cents for close in closes] == [1_000_000, 999_800, 999_700]


def test_billable_searches_stand_by_day_and_key(portal, account):
    key, _ = issued_key(account, name="Office")
    today = clock.today()
    for product, count, day in (
        ("hotels", 3, today),
        ("flights", 2, today),
        ("hotels", 1, today - timedelta(days=1)),
    ):
        SearchUsage.objects.create(
            account=account, environment="test", day=day, product=product, key=key, billable=count
        )
    SearchUsage.objects.create(
        account=account, environment="live", day=today, product="hotels", key=key, billable=9
    )
    answer = portal.get(f"{PAGE}usage/")
    lines = [(line["day"], dict(line["counts"]), line["total"]) for line in answer.context["lines"]]
    assert lines == [
        (today, {"Hotels": 3, "Flights": 2, "Transfers": 0}, 5),
        (today - timedelta(days=1), {"Hotels": 1, "Flights": 0, "Transfers": 0}, 1),
    ]
    assert "6 searches" in text_of(answer)


def test_a_product_that_is_not_sold_has_a_column_where_it_was_searched_for(portal, account, settings):
    key, _ = issued_key(account, name="Office")
    SearchUsage.objects.create(
        account=account, environment="test", day=clock.today(), product="hotels", key=key, billable=3
    )
    sell_all_but(settings, "hotels", "transfers")
    answer = portal.get(f"{PAGE}usage/")
    assert [dict(line["counts"]) for line in answer.context["lines"]] == [{"Hotels": 3, "Flights": 0}]
    assert "Transfers" not in text_of(answer)


def test_an_empty_ledger_says_what_will_be_there(portal):
    assert "Nothing has moved yet" in text_of(portal.get(PAGE))
    assert "No searches yet" in text_of(portal.get(f"{PAGE}usage/"))
    assert rows_of(portal.get(f"{PAGE}ledger.csv")) == []


# --- How long it lasts, and the warning of a low balance ------------------------------------------------------------

WARNING = f"{PAGE}warning/"


def test_the_page_says_how_long_the_balance_lasts(portal, api, monkeypatch):
    FlightShop(api).ordered()
    assert "How long it lasts It is told after a day of bookings." in text_of(portal.get(PAGE))
    later = clock.now() + timedelta(days=2)
    monkeypatch.setattr(clock, "_database_now", lambda: later)
    portal.sign_in()
    assert re.search(r"(About|More than) \d+ \w+ at the pace so far", text_of(portal.get(PAGE)))


@pytest.mark.parametrize("role", ["owner", "finance"])
def test_who_minds_the_money_chooses_from_where_on_to_warn(portal_as, api, role):
    person = portal_as(role)
    assert 'value=""' not in person.get(WARNING).content.decode()
    answer = person.post(WARNING, {"amount": "500.00"}, follow=True)
    assert "Home warns when less than 500.00 EUR is available." in text_of(answer)
    assert Wallet.objects.get(account=person.account, environment="test").warn_below_cents == 50_000
    assert 'value="500.00"' in person.get(WARNING).content.decode()
    person.post(WARNING, {"amount": ""})
    assert Wallet.objects.get(account=person.account, environment="test").warn_below_cents is None


@pytest.mark.parametrize("role", ["developer", "viewer"])
def test_others_read_it_and_change_nothing(portal_as, api, role):
    person = portal_as(role)
    FlightShop(api).ordered()
    assert "/balance/warning/" not in person.get(PAGE).content.decode()
    assert (person.get(WARNING).status_code, person.post(WARNING, {"amount": "1"}).status_code) == (403, 403)


@pytest.mark.parametrize("amount", ["0", "-5", "abc", "1.001", "NaN", "1e30", "99999999999999999"])
def test_an_amount_that_is_none_is_refused_beside_its_field(portal, api, amount):
    answer = portal.post(WARNING, {"amount": amount})
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, ["amount"])
    assert Wallet.objects.filter(warn_below_cents__isnull=False).count() == 0


def test_without_a_balance_there_is_nothing_to_warn_of(portal):
    answer = portal.post("/portal/live/balance/warning/", {"amount": "5"})
    assert answer.status_code == 400
    assert "There is no balance yet. It begins with the first top-up." in text_of(answer)


def test_the_trail_tells_who_changed_the_warning(portal, api):
    portal.post(WARNING, {"amount": "500"})
    text = text_of(portal.get("/portal/audit/"))
    assert f"{portal.user.email} changed the warning of a low balance from none to 500.00 EUR" in text
