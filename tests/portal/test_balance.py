"""The balance page: the ledger, its file, usage, the runway and the low-balance warning."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import parse_qsl

import pytest

from apps.common import clock
from apps.gateway.models import SearchUsage
from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import Trace, adjust
from apps.ledger.runway import HOUR, Outlook, Spending
from apps.ledger.selectors import Balance
from apps.portal.balance import LEDGER_COLUMNS as COLUMNS
from apps.portal.balance import runway_words
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import issued_key
from tests.portal.reading import text_of
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
PAGE = "/portal/test/balance/"


@pytest.fixture
def api(account):
    return api_of_new_partner(account=account, name="Web shop", cents=1_000_000)


def types(answer) -> list[str]:
    return re.findall(r'<th scope="row" data-label="Type">([^<]+)</th>', answer.content.decode())


def rows_of(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))


@pytest.mark.parametrize("view", ["", "entry"])
def test_every_line_leads_to_its_booking_request_and_key(portal, api, view):
    order = FlightShop(api).ordered()
    answer = portal.get(PAGE, by=view)
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


def groups_of(answer) -> list[tuple[str | None, list[str], int]]:
    """Of each group its booking, its types, and what it did to the available balance."""
    return [
        (group.newest.booking_reference, [line.type for line in group.lines], group.amount_cents)
        for group in answer.context["page"].groups
    ]


def test_lines_are_grouped_by_booking_with_what_was_booked(portal, api):
    first = FlightShop(api).ordered()
    adjust(account_id=portal.account.pk, environment="test", amount_cents=50, currency="EUR", reference="a")
    second = FlightShop(api).ordered()
    api.post(f"/v1/flights/orders/{first['id']}/cancel", {})
    refund = [line.type for line in LedgerTransaction.objects.filter(type="refund")]
    answer = portal.get(PAGE)
    found = groups_of(answer)
    own, other = first["reference"], second["reference"]
    assert found[:1] == [(own, [*refund, "capture", "hold"], found[0][2])]
    assert (other, ["capture", "hold"], -second["totalCents"]) in found
    assert sum(cents for *_, cents in found) == answer.context["balance"].available_cents
    assert [types for name, types, _ in found if name is None] == [["adjustment"], ["top_up"]]
    assert '<th scope="rowgroup"' in answer.content.decode()
    booked = answer.context["lines"][second["reference"]]
    assert booked in text_of(answer)
    assert "Clear" not in text_of(portal.get(PAGE, by="entry")), "A grouping narrows nothing"


@pytest.mark.parametrize(
    ("page", "by", "chosen"),
    [
        (PAGE, "", "By booking"),
        (PAGE, "entry", "By entry"),
        (f"{PAGE}ledger/", "", "By entry"),
        (f"{PAGE}ledger/", "booking", "By booking"),
    ],
)
def test_both_pages_group_or_list_as_chosen(portal, api, page, by, chosen):
    FlightShop(api).ordered()
    answer = portal.get(page, by=by)
    assert [words for _, words, is_chosen in answer.context["form"].groupings if is_chosen] == [chosen]
    assert types(answer) == ["Capture", "Hold", "Top up"]
    assert ('scope="rowgroup"' in answer.content.decode()) == (chosen == "By booking")
    other = "By entry" if chosen == "By booking" else "By booking"
    link = re.search(rf'<a href="(\?[^"]*)">{other}</a>', answer.content.decode())[1]
    assert f'aria-current="true">{other}</a>' in portal.get(page + unescape(link)).content.decode()


def test_pages_of_groups_have_every_line_once_and_keep_the_filters(portal, api):
    wallet = Wallet.objects.get(account=portal.account, environment="test")
    steps = []
    for number in range(150):
        reference = None if number % 10 == 0 else f"H-{number % 60:04}"
        steps.append(
            LedgerTransaction(
                wallet=wallet,
                account=portal.account,
                environment="test",
                type="top_up" if reference is None else "hold" if number < 60 else "capture",
                reference=f"r{number}",
                amount_cents=1,
                held_delta_cents=0,
                available_after_cents=number,
                held_after_cents=0,
                currency="EUR",
                booking_reference=reference,
                created_at=clock.now() + timedelta(seconds=number),
            )
        )
    LedgerTransaction.objects.bulk_create(steps)
    for narrowed in ({}, {"type": "capture"}, {"booking": "H-000"}):
        seen, cursor = [], ""
        while cursor is not None:
            answer = portal.get(PAGE, cursor=cursor, **narrowed)
            page = answer.context["page"]
            assert len(page.groups) <= 25
            seen += [line.pk for group in page.groups for line in group.lines]
            cursor = page.older
            if cursor:
                link = re.search(r'href="\?([^"]+)" rel="next"', answer.content.decode())[1]
                assert dict(parse_qsl(unescape(link))) == {**narrowed, "cursor": cursor}
        listed = {line.pk for line in LedgerTransaction.objects.all() if matches(line, narrowed)}
        assert (len(seen), set(seen)) == (len(listed), listed)


def matches(line: LedgerTransaction, narrowed: dict[str, str]) -> bool:
    return line.type == narrowed.get("type", line.type) and (line.booking_reference or "").startswith(
        narrowed.get("booking", "")
    )


@pytest.mark.parametrize(
    "query", ["since=soon", "since=2026-11-23T14:00&until=2026-11-22T14:00", "type=gift", "by=colour"]
)
def test_a_filter_that_cannot_be_read_makes_no_file_but_leads_to_the_list_which_says_so(portal, query: str):
    answer = portal.client.get(f"{PAGE}ledger.csv?{query}", follow=True)
    [(address, status)] = answer.redirect_chain
    assert (address, status) == (f"{PAGE}ledger/?{query.replace(':', '%3A')}", 302)
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
    text = text_of(answer)
    assert "Total, 30 days 6 billable searches Hotels 4 67 % Flights 2 33 % Transfers 0 0 %" in text
    assert f"Used today 0 of {answer.context['quota'].limit:,}" in text
    table = re.findall(
        r'<th scope="row">([^<]+)</th>' + r'<td class="num">(\d+)</td>' * 3, answer.context["chart"]
    )
    day = f"{today.day} {today:%b %Y}"
    assert (len(table), table[-1], [int(each) for each in table[-2][1:]]) == (
        30,
        (day, "3", "2", "0"),
        [1, 0, 0],
    )


def test_without_a_search_there_is_no_chart_but_the_quota_and_the_next_step(portal):
    answer = portal.get(f"{PAGE}usage/")
    assert answer.context["chart"] is None
    assert "No searches yet" in text_of(answer)
    assert "Used today 0 of" in text_of(answer)


WARNING = f"{PAGE}warning/"


@pytest.mark.parametrize("role", ["owner", "finance"])
def test_who_minds_the_money_chooses_from_where_on_to_warn(portal_as, api, role):
    person = portal_as(role)
    assert 'value=""' not in person.get(WARNING).content.decode()
    answer = person.post(WARNING, {"amount": "500.00"}, follow=True)
    assert "Home warns and owners are mailed when less than 500.00 EUR is available." in text_of(answer)
    assert Wallet.objects.get(account=person.account, environment="test").warn_below_cents == 50_000
    assert 'value="500.00"' in person.get(WARNING).content.decode()
    person.post(WARNING, {"amount": ""})
    assert Wallet.objects.get(account=person.account, environment="test").warn_below_cents is None


@pytest.mark.parametrize("amount", ["0", "-5", "abc", "1.001", "NaN", "1e30", "99999999999999999"])
def test_an_amount_that_is_none_is_refused_beside_its_field(portal, api, amount):
    answer = portal.post(WARNING, {"amount": amount})
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, ["amount"])
    assert Wallet.objects.filter(warn_below_cents__isnull=False).count() == 0


THURSDAY = datetime(2026, 11, 19, 9, 20, tzinfo=UTC)


def outlook(available: int, *, hours: int = 14 * 24) -> Outlook:
    """Of a pace of 10.00 an hour."""
    begins = THURSDAY.replace(minute=0) - hours * HOUR
    return Outlook(
        Balance("EUR", available, 0), THURSDAY, Spending(begins, [1_000] * hours), usual_cents=1_000
    )


@pytest.mark.parametrize(
    ("of", "says"),
    [
        (outlook(53_667), "about 2 days at this week's pace; likely empty by Saturday 14:00 UTC"),
        (outlook(5_000), "about 4 hours at this week's pace; likely empty by today 13:00 UTC"),
        (
            outlook(5_000, hours=30),
            "about 4 hours at the pace so far; likely empty by today 13:00 UTC",
        ),
        (outlook(240_000), "about 10 days at this week's pace; likely empty by 29 Nov"),
        (outlook(10**7), "more than 30 days at this week's pace"),
        (outlook(5_000, hours=23), ""),
    ],
)
def test_a_runway_is_said_as_exactly_as_it_is_known(of, says):
    assert runway_words(of) == says
