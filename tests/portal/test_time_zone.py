"""Each member reads times in a zone of their own."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from apps.accounts.models import Role
from apps.common import clock
from apps.portal.base import ZONE_COOKIE as COOKIE
from tests.factories.webhooks import DeliveryFactory
from tests.portal.person import Person, member_of

pytestmark = pytest.mark.django_db
PAGE = "/portal/time-zone/"
LIST = "/portal/test/webhooks/deliveries/"


@pytest.fixture
def delivered(portal: Person, monkeypatch):
    """One delivery; the clock stands at 14:05 UTC, five minutes after it."""
    at = datetime(2026, 11, 23, 14, 0, tzinfo=UTC)
    monkeypatch.setattr(clock, "_database_now", lambda: at + timedelta(minutes=5))
    portal.sign_in()
    return DeliveryFactory(account=portal.account, environment="test", created_at=at)


def titles(answer) -> list[str]:
    return re.findall(r'<time datetime="[^"]+" title="([^"]+)" data-age', answer.content.decode())


def test_times_are_utc_until_a_browser_or_a_member_says_otherwise(portal: Person, delivered):
    assert titles(portal.get(LIST)) == ["23 Nov 2026, 14:00:00 UTC"]
    portal.client.cookies[COOKIE] = "Asia/Tokyo"
    assert titles(portal.get(LIST)) == ["23 Nov 2026, 23:00:00 JST · 14:00:00 UTC"]
    answer = portal.post(PAGE, {"time_zone": "Europe/Berlin", "next": LIST})
    assert (answer.status_code, answer.headers["Location"]) == (302, LIST)
    assert titles(portal.get(LIST)) == ["23 Nov 2026, 15:00:00 CET · 14:00:00 UTC"]
    portal.post(PAGE, {"time_zone": ""})
    assert titles(portal.get(LIST)) == ["23 Nov 2026, 23:00:00 JST · 14:00:00 UTC"]
    portal.client.cookies[COOKIE] = "../../etc/passwd"
    assert titles(portal.get(LIST)) == ["23 Nov 2026, 14:00:00 UTC"]


def test_the_choice_is_that_of_one_member_alone(portal: Person, delivered):
    portal.post(PAGE, {"time_zone": "Europe/Berlin"})
    other = member_of(portal.account, Role.VIEWER)
    assert titles(other.get(LIST)) == ["23 Nov 2026, 14:00:00 UTC"]
    assert other.post(PAGE, {"time_zone": "America/New_York"}).status_code == 302
    assert "15:00:00 CET" in titles(portal.get(LIST))[0]
    assert "09:00:00 EST" in titles(other.get(LIST))[0]


def test_a_zone_that_is_none_is_refused_and_nothing_is_kept(portal: Person):
    answer = portal.post(PAGE, {"time_zone": "Mars/Olympus"})
    assert (answer.status_code, "Select a valid choice" in answer.content.decode()) == (400, True)
    portal.user.refresh_from_db()
    assert portal.user.time_zone == ""


def test_from_and_to_are_read_in_the_members_zone(portal: Person, delivered):
    portal.post(PAGE, {"time_zone": "Europe/Berlin"})
    listed = {
        "since=2026-11-23T15:00": 1,
        "since=2026-11-23T15:01": 0,
        "until=2026-11-23T15:00": 0,
        "until=2026-11-23T15:01": 1,
        "since=2026-11-23T14:30&until=2026-11-23T15:30": 1,
        "since=2026-11-23T14:00:00Z&until=2026-11-23T14:00:01Z": 1,
        "since=2026-11-23T14:00:01Z": 0,
        "last=1h": 1,
    }
    found = {query: len(portal.get(f"{LIST}?{query}").context["page"].rows) for query in listed}
    assert found == listed
    page = portal.get(f"{LIST}?since=2026-11-23T14:00:00Z").content.decode()
    assert 'type="datetime-local" name="since" value="2026-11-23T15:00"' in page
    assert ">Europe/Berlin</a>" in page
