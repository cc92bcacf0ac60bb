"""A session expires when it is unused for an hour, and twelve hours after the sign-in."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from tests.portal.person import Person

pytestmark = pytest.mark.django_db
HOME = "/portal/test/"


def is_in(person: Person) -> bool:
    return person.get(HOME).status_code == 200


def unused_for(person: Person, **time: float) -> None:
    """Make the last page view that long ago."""
    row = Session.objects.get(pk=person.client.session.session_key)
    row.expire_date -= timedelta(**time)
    row.save()


def end_of(person: Person) -> float:
    """In how many minutes the unused session expires."""
    row = Session.objects.get(pk=person.client.session.session_key)
    return (row.expire_date - timezone.now()) / timedelta(minutes=1)


def test_a_session_that_nobody_uses_for_an_hour_is_over(portal: Person):
    unused_for(portal, minutes=59)
    assert is_in(portal)
    unused_for(portal, minutes=60)
    assert portal.get(HOME)["Location"].startswith("/account/login/?next=")


def test_looking_at_a_page_makes_the_hour_begin_anew(portal: Person):
    unused_for(portal, minutes=40)
    assert is_in(portal)
    assert 59 < end_of(portal) <= 60


def test_a_page_that_asks_for_news_by_itself_keeps_no_session_open(portal: Person):
    unused_for(portal, minutes=40)
    assert portal.client.get(HOME, headers={"hx-request": "true"}).status_code == 200
    assert 19 < end_of(portal) <= 20


def test_twelve_hours_after_the_sign_in_a_session_is_over_however_much_it_is_used(portal: Person, move_clock):
    move_clock(hours=11, minutes=59)
    assert is_in(portal)
    move_clock(minutes=1)
    assert not is_in(portal)
    assert not Session.objects.exists(), "It is gone, not only left aside"


def test_the_hours_count_from_the_last_sign_in(portal: Person, move_clock):
    move_clock(hours=11)
    portal.sign_in()
    move_clock(hours=2)
    assert is_in(portal)


def test_a_session_from_before_it_was_stamped_goes_on(portal: Person):
    session = portal.client.session
    del session["portal_began"]
    session.save()
    assert is_in(portal)
    assert "portal_began" in portal.client.session


def test_looking_at_pages_within_a_minute_writes_nothing(portal: Person, django_assert_max_num_queries):
    portal.get(HOME)
    with django_assert_max_num_queries(40) as asked:
        portal.get(HOME)
    assert [each["sql"] for each in asked.captured_queries if each["sql"].startswith("UPDATE")] == []


def test_pushing_the_end_overwrites_nothing_that_another_request_keeps(portal: Person):
    """The session is read before another request writes it, and extended afterwards."""
    unused_for(portal, minutes=40)
    mine = portal.client.session
    mine.load()
    other = portal.client.session
    other["portal_shown_once"] = {"of": "key", "secret": "x"}
    other.save()
    unused_for(portal, minutes=40)
    mine.extend()  # type: ignore[attr-defined]
    assert portal.client.session["portal_shown_once"] == {"of": "key", "secret": "x"}
    assert 59 < end_of(portal) <= 60


def test_documentation_asks_for_no_session(portal: Person, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert portal.get("/docs/").status_code == 200


def test_whoever_is_not_signed_in_has_no_session(db, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert Client().get("/account/login/").status_code == 200


@pytest.mark.parametrize("key", ['"aaaaaaaaaaaa\\000"', '"aaaaaaaaaaaa\\303("', "aaaaaaaaaaaa-"])
def test_a_cookie_that_no_session_of_ours_can_have_is_no_session(settings, key: str):
    """Quoted, a cookie can hold any character: `\\000` is the one that PostgreSQL cannot read."""
    stranger = Client(raise_request_exception=False)
    for path in (HOME, "/account/login/", "/admin/"):
        answer = stranger.get(path, headers={"cookie": f"{settings.SESSION_COOKIE_NAME}={key}"})
        assert answer.status_code in (200, 302)
