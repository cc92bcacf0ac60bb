"""The figures of Home: what they count, and that the list behind each shows the same number."""

import re
from datetime import UTC, datetime

import pytest

from apps.common import clock
from apps.portal.home import PERIODS
from apps.portal.lists import Tab
from apps.request_log.models import CallHour, LoggedCall
from tests.factories.keys import issued_key
from tests.portal.crowd import crowd
from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db
HOME = "/portal/test/"


def figures(portal: Person, last: str = "24h") -> dict[str, tuple[str, str]]:
    """Each number of the period on Home, with the address that it links to."""
    metrics = portal.get(HOME, last=last).context["metrics"]
    four = (metrics.calls, metrics.errors, metrics.bookings, metrics.deliveries)
    return {
        figure.label: (figure.shown, figure.address)
        for figure in (*four, *metrics.not_delivered, *metrics.errors_by_type)
    }


def count_in_list(portal: Person, address: str) -> str:
    tabs: list[Tab] = portal.get(address).context["tabs"]
    [current] = [tab for tab in tabs if tab.is_current]
    return current.shown


def call_at(portal: Person, at: datetime, *, status: int = 200, ms: float = 10, error_type: str = "") -> None:
    key = portal.account.keys.first() or issued_key(portal.account)[0]
    number = LoggedCall.objects.count()
    LoggedCall.objects.create(
        request_id=f"00000000-0000-4000-8000-{number:012}",
        created_at=at,
        account=portal.account,
        environment="test",
        key=key,
        method="GET",
        path="/v1/account",
        operation="getAccount",
        status=status,
        error_type=error_type,
        duration_ms=ms,
    )
    hour = at.replace(minute=0, second=0, microsecond=0)
    row, _ = CallHour.objects.get_or_create(
        account=portal.account,
        environment="test",
        hour=hour,
        key=key,
        defaults={"calls": 0, "errors": 0, "first_call_at": at, "last_call_at": at},
    )
    CallHour.objects.filter(pk=row.pk).update(calls=row.calls + 1, errors=row.errors + (status >= 400))


@pytest.mark.slow
@pytest.mark.parametrize("last", PERIODS)
def test_the_list_behind_each_number_shows_the_same_number(portal: Person, last: str):
    """With 100,000 calls, of which 5,000 were refused, and 10,000 bookings and deliveries."""
    names = add_sample_data(portal.account, portal.user)
    crowd(portal.account, names)
    shown = figures(portal, last)
    assert {"Calls", "Errors", "Bookings", "Deliveries", "failed", "rate_limit_exceeded"} <= set(shown)
    clicked = {name: count_in_list(portal, address) for name, (_, address) in shown.items()}
    assert clicked == {name: number for name, (number, _) in shown.items()}
    page = portal.get(HOME, last=last).content.decode()
    for number, address in shown.values():
        written = re.escape(address.replace("&", "&amp;"))
        links = re.findall(rf'<a[^>]*href="{written}"[^>]*>(.*?)</a>', page)
        assert [link for link in links if number in re.sub("<[^>]+>", " ", link)], address


def test_a_period_has_whole_hours_and_the_running_one(portal: Person, monkeypatch):
    now = datetime(2026, 11, 23, 14, 25, tzinfo=UTC)
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    portal.sign_in()
    for at in (
        datetime(2026, 11, 22, 14, 59, 59, tzinfo=UTC),
        datetime(2026, 11, 22, 15, 0, tzinfo=UTC),
        now,
    ):
        call_at(portal, at, status=409, error_type="conflict")
    shown = figures(portal)
    assert shown["Calls"] == ("2", "/portal/test/requests/?since=2026-11-22T15%3A00%3A00Z")
    assert (shown["conflict"][0], figures(portal, "7d")["Calls"][0], figures(portal, "soon")["Calls"][0]) == (
        "2",
        "3",
        "2",
    )
    parts = portal.get(HOME).context["metrics"].parts
    assert [(part.label, part.calls) for part in parts if part.calls] == [
        ("22 Nov, 15:00 to 16:00", 1),
        ("23 Nov, 14:00 to 15:00", 1),
    ]
