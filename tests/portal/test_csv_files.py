"""The CSV files of the lists, and the number of queries of every page for a large account."""

import codecs
import csv
import io
import re
from decimal import Decimal

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import AccountAuditEntry, Role
from apps.bookings.erasure import forget
from apps.bookings.models import Booking
from apps.bookings.travellers import with_keys
from apps.common import redis
from apps.portal import csv_files
from apps.request_log.models import LoggedCall
from apps.webhooks.models import Delivery
from tests.factories.accounts import AccountFactory
from tests.portal.crowd import crowd
from tests.portal.pages import PAGES
from tests.portal.person import Person, member_of
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db
FILES = {
    "/portal/test/requests/": "requests.csv",
    "/portal/test/bookings/": "bookings.csv",
    "/portal/test/webhooks/deliveries/": "deliveries.csv",
    "/portal/audit/": "audit.csv",
}
FORMULAS = ["=1+1", "+1", "-1", "@x", "＝1+1", "＋1", "－1", "＠x", "\tx", "\nx", "\rx", " =1+1", "\u3000＝1"]


@pytest.fixture
def names(portal: Person) -> dict[str, str]:
    return add_sample_data(portal.account, portal.user)


def rows_of(answer) -> list[dict[str, str]]:
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    content = b"".join(answer.streaming_content)
    assert (content[:3], content.count(codecs.BOM_UTF8)) == (codecs.BOM_UTF8, 1)
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_each_list_leads_to_its_file_with_all_its_rows(portal: Person, names, monkeypatch):
    stored = {
        "requests.csv": {str(call.request_id) for call in LoggedCall.objects.filter(environment="test")},
        "bookings.csv": set(Booking.objects.values_list("pk", flat=True)),
        "deliveries.csv": set(Delivery.objects.values_list("pk", flat=True)),
        "audit.csv": set(
            AccountAuditEntry.objects.filter(account=portal.account).values_list("pk", flat=True)
        ),
    }
    for length in (1_000, 2):
        monkeypatch.setattr(csv_files, "PAGE_LENGTH", length)
        for page, name in FILES.items():
            assert f'href="{page}{name}"' in portal.get(page).content.decode()
            answer = portal.get(page + name)
            shown = [next(iter(row.values())) for row in rows_of(answer)]
            assert len(shown) >= 1
            assert (set(shown), len(shown)) == (stored[name], len(stored[name])), name
            assert re.search(r'filename="[a-z-]+-\d{4}-\d\d-\d\d\.csv"', answer["Content-Disposition"])


def test_a_file_has_the_filters_of_the_list(portal: Person, names):
    errors = rows_of(portal.get("/portal/test/requests/requests.csv", status="errors"))
    assert errors
    assert {row["status"][0] for row in errors} == {"4"}
    one = rows_of(portal.get("/portal/test/requests/requests.csv", request_id=names["request"]))
    assert [row["requestId"] for row in one] == [names["request"]]
    assert rows_of(portal.get("/portal/test/bookings/bookings.csv", status="cancelled")) == []
    found = rows_of(
        portal.get("/portal/test/webhooks/deliveries/deliveries.csv", text=names["delivery"][:-1])
    )
    assert [row["id"] for row in found] == [names["delivery"]]


def test_no_cell_is_a_formula(portal: Person, names):
    for number, text in enumerate(FORMULAS):
        Booking.objects.filter(pk=names["booking"]).update(external_reference=text)
        listed = rows_of(portal.get("/portal/test/bookings/bookings.csv", text=names["booking"]))
        AccountAuditEntry.objects.create(
            account=portal.account,
            action="keys.renamed",
            actor_label=f"{text}{number}",
            subject_name=text,
            details={},
        )
        audited = rows_of(portal.get("/portal/audit/audit.csv", actor=f"{text}{number}"))
        assert [row["externalReference"] for row in listed] == [f"'{text}"]
        assert [(row["who"], row["subjectName"]) for row in audited] == [(f"'{text}{number}", f"'{text}")]
    plain = [["a=b", " a", "é", -5, Decimal("-12.34"), Decimal("0.00")]]
    assert list(csv_files.csv_lines(["x"], plain))[1:] == ["a=b, a,é,-5,-12.34,0.00\r\n"], (
        "A number is no formula"
    )


def test_a_file_that_is_too_long_leads_back_to_the_list_that_says_so(portal: Person, names, monkeypatch):
    monkeypatch.setattr(csv_files, "MOST_ROWS", 0)
    for page, name in FILES.items():
        refused = portal.get(page + name, last="30d")
        assert (refused.status_code, refused["Location"]) == (302, f"{page}?last=30d")
        assert "More than 200,000 rows match." in portal.get(refused["Location"]).content.decode()


def test_an_account_gets_one_file_at_a_time(portal: Person, names):
    lists = [(page, page + name) for page, name in FILES.items()]
    lists.append(("/portal/test/balance/ledger/", "/portal/test/balance/ledger.csv"))
    first = portal.get("/portal/test/requests/requests.csv")
    for page, file in lists:
        refused = portal.get(file, last="30d")
        html = refused.content.decode()
        assert (refused.status_code, refused["Retry-After"]) == (429, "10")
        assert f'href="{file}?last=30d">Try again</a>' in html
        assert f'href="{page}?last=30d">Back to the list</a>' in html
    stranger = member_of(AccountFactory(name="Borealis Tours"), Role.OWNER)
    assert rows_of(stranger.get("/portal/test/bookings/bookings.csv")) == []
    rows_of(first)
    for _, file in lists:
        rows_of(portal.get(file))


def test_an_abandoned_file_releases_the_lock(portal: Person, names):
    """The server closes the response, whose lines may never have been read."""
    lock = csv_files.DownloadLock(portal.account.pk)
    assert lock.acquire()
    source = csv_files.CsvSource((), lambda cursor, length: ([], None), list, LoggedCall.objects.none())
    response = StreamingHttpResponse(csv_files.LockedLines(source, lock))
    assert portal.get("/portal/test/requests/requests.csv").status_code == 429
    [close] = response._resource_closers  # type: ignore[attr-defined]
    close()
    assert rows_of(portal.get("/portal/test/requests/requests.csv"))


def test_files_are_sent_without_redis(portal: Person, names, monkeypatch):
    def unavailable(*args: object, **kwargs: object) -> None:
        raise redis.RedisUnavailable

    monkeypatch.setattr(redis, "run", unavailable)
    assert rows_of(portal.get("/portal/test/bookings/bookings.csv"))


def test_a_file_of_another_account_is_empty(names):
    stranger = member_of(AccountFactory(name="Borealis Tours"), Role.OWNER)
    for page, name in FILES.items():
        if name != "audit.csv":
            assert rows_of(stranger.get(page + name)) == []
    assert {row["who"] for row in rows_of(stranger.get("/portal/audit/audit.csv"))} <= {
        stranger.user.email,
        "",
    }


ITS_OWN = ("tripReference", "serviceFrom", "serviceTo", "description", "leadTraveller", "keyName", "netPrice")


def test_a_booking_says_what_when_who_by_which_key_and_at_what_price(portal: Person, names):
    stay = Booking.objects.get(pk=names["stay"])
    Booking.objects.filter(pk=stay.pk).update(trip_reference="trip-1")
    with CaptureQueriesContext(connection) as captured:
        listed = {row["id"]: row for row in rows_of(portal.get("/portal/test/bookings/bookings.csv"))}
    assert len([query for query in captured if "bookings_" in query["sql"]]) == 2, (
        "They are counted, and read"
    )
    shown = {name: {each: listed[names[name]][each] for each in ITS_OWN} for name in ("stay", "ride", "plan")}
    lead = {"leadTraveller": "Ada Lovelace", "keyName": "Back end"}
    check_in, check_out = stay.details["check_in"], stay.details["check_out"]
    hotel = stay.details["hotel"]
    assert shown["stay"] == {
        "tripReference": "trip-1",
        "serviceFrom": check_in,
        "serviceTo": check_out,
        "description": f"{hotel['name']}, {hotel['city']}",
        "netPrice": listed[stay.pk]["total"],
        **lead,
    }
    ride_day = Booking.objects.get(pk=names["ride"]).details["search"]["outbound"][:10]
    assert (shown["ride"]["serviceFrom"], shown["ride"]["serviceTo"]) == (ride_day, ride_day)
    assert (shown["ride"]["leadTraveller"], " → " in shown["ride"]["description"]) == ("Ada Lovelace", True)
    assert (shown["plan"]["serviceFrom"], shown["plan"]["leadTraveller"]) == ("", "")
    assert shown["plan"]["description"] == Booking.objects.get(pk=names["plan"]).details["plan"]["name"]


def test_the_net_price_is_what_a_booking_costs_in_the_end(portal: Person, names):
    total, cancellation = 10_000, {"penaltyCents": 2_500, "refundCents": 7_500}
    cases = {
        "ticketed": (None, "100.00"),
        "pending": (None, "100.00"),
        "on_hold": (None, "0.00"),
        "failed": (None, "0.00"),
        "cancelled": (cancellation, "25.00"),
    }
    for status, (cancelled, net) in cases.items():
        Booking.objects.filter(pk=names["booking"]).update(
            status=status, cancellation=cancelled, total_cents=total, currency="EUR"
        )
        (row,) = rows_of(portal.get("/portal/test/bookings/bookings.csv", text=names["booking"]))
        assert (row["status"], row["netPrice"]) == (status, net)


def test_a_file_names_nobody_whose_data_was_erased(portal: Person, names):
    forget(with_keys(Booking.objects).get(pk=names["stay"]))
    (row,) = rows_of(portal.get("/portal/test/bookings/bookings.csv", text=names["stay"]))
    assert (row["leadTraveller"], row["keyName"]) == ("", "Back end")
    assert row["serviceFrom"]


MOST = 13


@pytest.mark.slow
def test_no_page_takes_more_than_thirteen_queries_however_much_there_is(portal: Person):
    names = add_sample_data(portal.account, portal.user)
    crowd(portal.account, names)
    costs, wrong = {}, {}
    for page in PAGES:
        with CaptureQueriesContext(connection) as captured:
            status = portal.get(page.path.format(**names)).status_code
        costs[page.name] = len(captured)
        if status != 200 or len(captured) > MOST:
            wrong[page.name] = (status, [query["sql"][:200] for query in captured])
    assert wrong == {}
    assert costs["team"] >= 3, "Session, user and memberships: they are counted"
