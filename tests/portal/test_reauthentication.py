"""`reauthenticated_methods` of a view: a page that shows or makes a secret asks for the password or a code again."""

from urllib.parse import quote

import pytest

from apps.accounts.models import Role
from apps.keys.models import ApiKey
from apps.portal.home import HomeView
from apps.portal.switch_account import SwitchAccountView
from apps.webhooks.models import Endpoint
from tests.factories.accounts import AccountFactory, MembershipFactory
from tests.factories.keys import issued_key
from tests.factories.webhooks import EndpointFactory
from tests.portal.person import PASSWORD, Person, member_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def stale(account) -> Person:
    return member_of(account, Role.OWNER, seconds_ago=301)


def test_a_form_sent_too_late_is_carried_out_once_the_password_was_given(stale, monkeypatch):
    monkeypatch.setattr(SwitchAccountView, "reauthenticated_methods", frozenset({"POST"}))
    other = AccountFactory()
    MembershipFactory(account=other, user=stale.user, role=Role.VIEWER)

    asked = stale.post("/portal/switch/", {"account": other.id})
    assert asked["Location"] == "/account/reauthenticate/?next=%2Fportal%2Fswitch%2F"
    assert stale.get("/portal/test/").context["portal"].account != other

    done = stale.post("/account/reauthenticate/", {"password": PASSWORD, "next": "/portal/switch/"})
    assert done["Location"] == "/portal/test/"
    assert stale.get("/portal/test/").context["portal"].account == other


def test_a_page_is_shown_once_the_password_was_given(stale, monkeypatch):
    monkeypatch.setattr(HomeView, "reauthenticated_methods", frozenset({"GET"}))
    asked = stale.get("/portal/test/")
    assert asked["Location"] == "/account/reauthenticate/?next=%2Fportal%2Ftest%2F"
    answer = stale.post(
        "/account/reauthenticate/", {"password": PASSWORD, "next": "/portal/test/"}, follow=True
    )
    assert (answer.status_code, answer.redirect_chain) == (200, [("/portal/test/", 302)])


def test_a_fresh_sign_in_is_not_asked(portal, monkeypatch):
    monkeypatch.setattr(HomeView, "reauthenticated_methods", frozenset({"GET"}))
    assert portal.get("/portal/test/").status_code == 200


def test_who_may_not_do_it_is_refused_before_being_asked(account, monkeypatch):
    monkeypatch.setattr(SwitchAccountView, "reauthenticated_methods", frozenset({"POST"}))
    monkeypatch.setattr(SwitchAccountView, "allowed_roles_to_post", frozenset({Role.OWNER}))
    viewer = member_of(account, Role.VIEWER, seconds_ago=301)
    assert viewer.post("/portal/switch/", {"account": account.id}).status_code == 403


@pytest.mark.parametrize("page", ["webhooks/{endpoint}/edit/", "keys/{key}/addresses/"])
def test_where_events_go_and_from_where_a_key_works_are_changed_after_the_password_alone(stale, page):
    names = {
        "endpoint": EndpointFactory(account=stale.account).pk,
        "key": issued_key(stale.account)[0].pk,
    }
    path = f"/portal/test/{page.format(**names)}"
    sent = {
        "url": "https://elsewhere.example/",
        "events": ["booking.confirmed"],
        "allowed_ips": "203.0.113.7",
    }
    asked = f"/account/reauthenticate/?next={quote(path, safe='')}"
    assert [stale.get(path)["Location"], stale.post(path, sent)["Location"]] == [asked, asked]
    assert not Endpoint.objects.filter(url=sent["url"]).exists()
    assert not ApiKey.objects.exclude(allowed_ips=[]).exists()
