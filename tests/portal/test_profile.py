"""The profile: a name, a theme, and the zone in which a member reads times."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from apps.accounts.models import Role
from apps.common import clock
from apps.portal.base import ZONE_COOKIE as COOKIE
from tests.factories.webhooks import DeliveryFactory
from tests.portal.person import Person, member_of

pytestmark = pytest.mark.django_db
PAGE, RELEASED = "/portal/profile/", "/portal/time-zone/"
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


def test_the_name_and_the_theme_are_kept_and_the_email_is_shown(portal: Person):
    page = portal.get(PAGE).content.decode()
    assert portal.user.email in page
    answer = portal.post(PAGE, {"name": "Ada Lovelace", "theme": "dark"})
    assert (answer.headers["Location"], answer.cookies["theme"].value) == (PAGE, "dark")
    assert 'data-theme="dark"' in portal.get(PAGE).content.decode()
    assert "Ada Lovelace" in portal.get("/portal/team/").content.decode()
    portal.post(PAGE, {"name": ""})
    assert "Ada Lovelace" not in portal.get("/portal/team/").content.decode()


@pytest.mark.parametrize("given", [{"name": "x" * 151}, {"name": "a\x00b"}, {"theme": "pink"}])
def test_what_cannot_be_kept_is_refused_with_what_was_written(portal: Person, given):
    answer = portal.post(PAGE, {"name": "Ada", **given})
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, list(given))
    assert "theme" not in answer.cookies
    portal.user.refresh_from_db()
    assert portal.user.get_full_name() == ""


def test_the_released_address_leads_to_the_profile_and_takes_a_form_that_is_still_open(portal: Person):
    answer = portal.get(f"{RELEASED}?next=/portal/test/requests/")
    there = f"{PAGE}?next=%2Fportal%2Ftest%2Frequests%2F#id_time_zone"
    assert (answer.status_code, answer.headers["Location"]) == (302, there)
    portal.post(PAGE, {"name": "Ada Lovelace"})
    assert portal.post(RELEASED, {"time_zone": "Asia/Tokyo", "next": LIST}).headers["Location"] == LIST
    portal.user.refresh_from_db()
    assert (portal.user.time_zone, portal.user.get_full_name()) == ("Asia/Tokyo", "Ada Lovelace")
