"""Files of long lists: asked for, written, taken by their member alone, and forgotten."""

import csv
import io
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest

from apps.accounts.models import AccountAuditEntry, Role, Sandbox
from apps.bookings.models import Booking
from apps.common import clock
from apps.gateway.request_log.models import LoggedCall
from apps.portal import csv_files
from apps.portal.exports.ask import MOST, WRITE
from apps.portal.exports.models import Export, ExportPart
from apps.portal.exports.sources import SOURCES
from apps.portal.exports.write import forget_exports, write_exports
from apps.portal.saved_views.lists import LISTS
from tests.factories.accounts import AccountFactory
from tests.portal.person import Person, member_of
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db
PAGE = "/portal/test/exports/"


@pytest.fixture
def names(portal: Person) -> dict[str, str]:
    """The sample data without its files."""
    made = add_sample_data(portal.account, portal.user)
    Export.objects.all().delete()
    return made


def asked(person: Person, list_name: str = "requests", query: str = "") -> Export:
    answer = person.post(PAGE, {"list": list_name, "query": query})
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    return Export.objects.latest("created_at")


def rows_of(person: Person, export: Export) -> list[dict[str, str]]:
    answer = person.get(f"{PAGE}{export.pk}/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))


def states(person: Person) -> list[str]:
    return re.findall(r'class="pill pill-\w+">([^<]+)<', person.get(PAGE).content.decode())


@pytest.mark.parametrize("list_name", SOURCES)
def test_a_file_is_asked_for_written_and_has_what_the_streamed_one_has(
    portal: Person, names, woken, django_capture_on_commit_callbacks, monkeypatch, list_name: str
):
    with django_capture_on_commit_callbacks(execute=True):
        export = asked(portal, list_name)
    assert (woken, states(portal)) == ([WRITE], ["Waiting"])
    assert portal.get(f"{PAGE}{export.pk}/")["Location"] == PAGE, "It is not ready"
    monkeypatch.setattr("apps.portal.exports.write.PAGES_A_PART", 1)
    assert write_exports() == 1
    assert states(portal) == ["Ready"]
    streamed = portal.get(f"{LISTS[list_name].address('test')}{list_name}.csv")
    whole = list(csv.DictReader(io.StringIO(b"".join(streamed.streaming_content).decode("utf-8-sig"))))
    assert rows_of(portal, export) == whole != []
    assert f"{len(whole):,}" in portal.get(PAGE).content.decode()


def test_a_file_has_the_filters_of_the_list_and_ends_when_it_was_asked_for(portal: Person, names):
    export = asked(portal, "requests", "status=errors&last=24h&cursor=1-1&unknown=x")
    assert re.fullmatch(r"status=errors&since=[^&]+Z&until=[^&]+Z", export.query)
    errors = LoggedCall.objects.filter(environment="test", status__gte=400)
    expected = {str(call.request_id) for call in errors}
    [late] = errors[:1]
    late.pk, late.request_id, late.created_at = None, "00000000-0000-4000-8000-000000000001", clock.now()
    late.save()
    write_exports()
    assert {row["requestId"] for row in rows_of(portal, export)} == expected


def test_a_file_is_its_members_alone(portal: Person, portal_as: Callable[[str], Person], names):
    export = asked(portal)
    write_exports()
    stranger = member_of(AccountFactory(), Role.OWNER)
    for other in (portal_as(Role.OWNER), stranger):
        assert states(other) == []
        assert other.get(f"{PAGE}{export.pk}/").status_code == 404
        assert other.post(f"{PAGE}{export.pk}/remove/").status_code == 404
    assert portal.get("/portal/test/exports/exp_unknown/").status_code == 404
    viewer = portal_as(Role.VIEWER)
    own = asked(viewer)
    write_exports()
    assert rows_of(viewer, own)
    viewer.membership.delete()
    assert list(Export.objects.values_list("pk", flat=True)) == [export.pk]


def test_a_file_expires_and_is_forgotten(portal: Person, names, move_clock):
    export = asked(portal)
    write_exports()
    assert (forget_exports(), ExportPart.objects.count()) == (0, 1)
    move_clock(hours=24, minutes=1)
    portal.sign_in()
    assert portal.get(f"{PAGE}{export.pk}/").status_code == 404
    assert states(portal) == []
    assert (forget_exports(), ExportPart.objects.count(), Export.objects.count()) == (1, 0, 0)


def test_a_file_can_be_removed(portal: Person, names):
    export = asked(portal)
    write_exports()
    assert portal.post(f"{PAGE}{export.pk}/remove/")["Location"] == PAGE
    assert (Export.objects.count(), ExportPart.objects.count()) == (0, 0)
    assert portal.get(f"{PAGE}{export.pk}/remove/")["Location"] == PAGE


def test_no_more_are_kept_than_there_may_be(portal: Person):
    for _ in range(MOST):
        asked(portal)
    answer = portal.post(PAGE, {"list": "requests", "query": ""})
    assert (answer.status_code, f"You have {MOST} files." in answer.content.decode()) == (400, True)
    assert Export.objects.count() == MOST


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"list": "secrets"}, 404),
        ({"list": "requests", "query": "status=\x00"}, 404),
        ({"list": "requests", "query": "since=soon"}, 400),
        ({"list": "requests", "query": "since=2026-11-02&until=2026-11-01"}, 400),
        ({"list": "bookings", "query": "product=yacht"}, 400),
        ({}, 404),
    ],
)
def test_what_cannot_be_written_is_refused(portal: Person, form, status: int):
    assert portal.post(PAGE, form).status_code == status
    assert Export.objects.count() == 0


def test_no_cell_of_a_written_file_is_a_formula(portal: Person, names):
    for text in ("=1+1", "+1", "-1", "@x", "\tx"):
        Booking.objects.filter(pk=names["booking"]).update(external_reference=text)
        export = asked(portal, "bookings")
        write_exports()
        assert [row["externalReference"] for row in rows_of(portal, export)] == [f"'{text}"]
        export.delete()


def test_bookings_are_of_the_sandbox_that_was_looked_at_and_of_its_clock(portal: Person, names):
    Booking.objects.update(created_at=clock.now() + timedelta(days=89))
    Sandbox.objects.update_or_create(
        account=portal.account,
        defaults={
            "owner": portal.account,
            "name": "Sandbox",
            "is_first": True,
            "clock_offset": timedelta(days=90),
        },
    )
    export = asked(portal, "bookings", "last=7d")
    write_exports()
    assert [row["id"] for row in rows_of(portal, export)] == [names["booking"]]


def test_the_trail_is_of_the_whole_account(portal: Person, names):
    export = asked(portal, "audit", "environment=test")
    assert (export.environment, export.stored_account_id) == ("", portal.account.pk)
    write_exports()
    entries = AccountAuditEntry.objects.filter(account=portal.account, environment="test")
    assert {row["id"] for row in rows_of(portal, export)} == set(entries.values_list("pk", flat=True))


def test_the_button_leads_through_the_page_to_the_file(portal: Person, names, monkeypatch):
    monkeypatch.setattr(csv_files, "MOST", 1)
    answer = portal.client.get("/portal/test/requests/requests.csv?status=errors", follow=True)
    page = answer.content.decode()
    assert "Requests: more than 50,000 rows" in page
    fields = dict(re.findall(r'<input type="hidden" name="(list|query)" value="([^"]*)"', page))
    assert fields == {"list": "requests", "query": "status=errors"}
    assert unescape(asked(portal, list_name=fields["list"], query=fields["query"]).query).startswith(
        "status=errors&until="
    )
