"""Access: for every page, who may see it, who may post, who is asked for the password again, and what a stranger gets."""

import re
from urllib.parse import quote

import pytest
from django.test import Client

from apps.accounts.models import Invitation, Membership, Role
from apps.accounts.payment_reference import in_groups, payment_reference
from apps.bookings.models import Booking
from apps.keys.models import ApiKey
from apps.portal.switch_account import SwitchAccountView
from apps.webhooks.models import Delivery, Endpoint, Recovery
from tests.factories.accounts import AccountFactory, MembershipFactory, UserFactory
from tests.factories.keys import issued_key
from tests.factories.webhooks import EndpointFactory
from tests.portal.pages import APPROVERS, DEVELOPERS, OWNERS, PAGES, Page
from tests.portal.person import PASSWORD, Person, member_of, set_up_two_factor
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db


@pytest.fixture
def names(portal: Person) -> dict[str, str]:
    return add_sample_data(portal.account, portal.user)


def paths(names: dict[str, str], pages: list[Page] = PAGES) -> dict[str, str]:
    return {page.name: page.path.format(**names) for page in pages}


def test_who_is_not_signed_in_is_asked_to(names):
    pages = paths(names)
    assert pages
    for path in pages.values():
        answer = Client().get(path)
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/account/login/"), path


@pytest.mark.parametrize("role", Role.values)
def test_each_role_sees_the_pages_that_are_for_it(portal_as, names, role):
    person = portal_as(role)
    seen = {name: person.get(path).status_code for name, path in paths(names).items()}
    assert seen == {page.name: 200 if role in page.may else 403 for page in PAGES}


@pytest.mark.parametrize("role", [Role.VIEWER, Role.APPROVER])
def test_viewers_change_nothing_and_approvers_only_decide(portal_as, names, role):
    person = portal_as(role)
    posting = paths(
        names, [page for page in PAGES if page.posts and (role not in page.may or page.may != APPROVERS)]
    )
    assert posting
    for name, path in posting.items():
        answer = person.post(path)
        assert (answer.status_code, "Your role" in answer.content.decode()) == (403, True), name


def test_what_belongs_to_another_account_is_not_found(names):
    stranger = member_of(AccountFactory(name="Borealis Tours"), Role.OWNER)
    foreign = [page for page in PAGES if page.foreign]
    seen = {name: stranger.get(path).status_code for name, path in paths(names, foreign).items()}
    taking = [page for page in foreign if page.posts]
    posted = {name: stranger.post(path).status_code for name, path in paths(names, taking).items()}
    assert seen
    assert posted
    assert (seen, posted) == (dict.fromkeys(seen, 404), dict.fromkeys(posted, 404))


@pytest.mark.parametrize("section", ["requests", "bookings", "balance", "webhooks/deliveries"])
def test_beyond_the_end_of_a_list_nobody_is_told_that_it_never_began(portal, names, section):
    page = portal.get(f"/portal/test/{section}/", cursor="1-1").content.decode()
    shown = re.findall(r'class="empty">.*?<h2>([^<]+)</h2>', page, re.DOTALL)
    assert [title for title in shown if " matches" in title] == shown != []


BUTTONS = {
    "bookings/{booking}/cancel/": DEVELOPERS,
    "bookings/{stay}/change/confirm/": DEVELOPERS,
    "bookings/{booking}/resend-events/": DEVELOPERS,
    "bookings/{booking}/simulate/": DEVELOPERS,
    "bookings/{booking}/erase/": OWNERS,
    "webhooks/{endpoint}/enable/": DEVELOPERS,
    "webhooks/{endpoint}/test/": DEVELOPERS,
    "webhooks/deliveries/{delivery}/resend/": DEVELOPERS,
    "webhooks/deliveries/{delivery}/send-now/": DEVELOPERS,
    "webhooks/recoveries/{recovery}/stop/": DEVELOPERS,
    "webhooks/recoveries/{recovery}/resume/": DEVELOPERS,
}
"""What has no page of its own: who may press it. Each names an object of the account."""


def states() -> list[list[object]]:
    return [list(model.objects.order_by("pk").values()) for model in (Booking, Endpoint, Delivery, Recovery)]


def test_buttons_are_refused_to_other_roles_and_unknown_to_others(portal, portal_as, names):
    before, people = states(), {role: portal_as(role) for role in Role.values}
    stranger = member_of(AccountFactory(), Role.OWNER)
    for button, may in BUTTONS.items():
        path = f"/portal/test/{button.format(**names)}"
        refused = {role: people[role].post(path).status_code for role in Role.values if role not in may}
        assert refused == dict.fromkeys(refused, 403), button
        assert stranger.post(path).status_code == 404, button
        assert portal.post(path.replace("/test/", "/live/")).status_code == 404, button
    assert states() == before


def test_what_is_of_test_is_not_found_in_live(portal, names):
    foreign = {
        page.name: page.path for page in PAGES if page.foreign and page.path.startswith("/portal/test/")
    }
    seen = {
        name: portal.get(path.format(**names).replace("/test/", "/live/")).status_code
        for name, path in foreign.items()
    }
    assert seen == dict.fromkeys(foreign, 404)


@pytest.mark.parametrize(
    "path", ["quick-start/key/", "webhooks/deliveries/send/", "notifications/chat/remove/", "sandbox/"]
)
def test_those_who_only_read_press_no_button(portal_as, path):
    for role in (Role.FINANCE, Role.APPROVER, Role.VIEWER):
        assert portal_as(role).post(f"/portal/test/{path}", {"advance": "24h"}).status_code == 403


def test_an_unknown_environment_is_no_page(portal):
    assert [portal.get(f"/portal/{name}/").status_code for name in ("prod", "LIVE", "tes")] == [404, 404, 404]


def test_the_components_are_a_page_for_developers_alone(portal, settings):
    assert portal.get("/portal/test/components/").status_code == 200
    settings.STATIC_FROM_SOURCE = False
    assert portal.get("/portal/test/components/").status_code == 404


def test_the_start_leads_to_the_environment_last_looked_at(portal):
    assert portal.get("/")["Location"] == "/portal/test/"
    portal.get("/portal/live/")
    assert portal.get("/")["Location"] == "/portal/live/"
    assert portal.get("/portal/")["Location"] == "/portal/live/"


def test_the_oldest_membership_is_where_one_starts_and_the_switcher_moves(portal):
    other = AccountFactory(name="Borealis Tours")
    MembershipFactory(account=other, user=portal.user, role=Role.VIEWER)
    first = portal.get("/portal/test/")
    assert (first.context["portal"].account, first.context["portal"].role) == (portal.account, "owner")

    portal.post("/portal/switch/", {"account": other.id})

    moved = portal.get("/portal/test/")
    assert (moved.context["portal"].account, moved.context["portal"].role) == (other, "viewer")


@pytest.mark.parametrize("wanted", ["", "acc_unknown", "\x00"])
def test_one_does_not_switch_to_where_one_is_no_member(portal, wanted):
    foreign = AccountFactory()
    assert portal.post("/portal/switch/", {"account": wanted}).status_code == 404
    assert portal.post("/portal/switch/", {"account": foreign.id}).status_code == 404
    assert portal.get("/portal/test/").context["portal"].account == portal.account


def test_a_form_is_carried_out_for_the_account_it_was_shown_for(portal):
    other = AccountFactory(name="Borealis Tours")
    MembershipFactory(account=other, user=portal.user, role=Role.OWNER)
    form = {"email": "carl@partner.example", "role": "owner", "shown_for": portal.account.id}
    portal.post("/portal/switch/", {"account": other.id})  # in a second window

    portal.post("/portal/team/invite/", form)

    assert [one.account for one in Invitation.objects.all()] == [portal.account]
    assert portal.get("/portal/test/").context["portal"].account == portal.account

    MembershipFactory(account=portal.account, role=Role.OWNER)
    Membership.objects.filter(account=portal.account, user=portal.user).delete()
    assert portal.post("/portal/team/invite/", {**form, "email": "eve@partner.example"}).status_code == 404
    assert Invitation.objects.count() == 1


def test_every_form_about_the_account_says_which_it_was_shown_for(portal, names):
    elsewhere = ("/account/", "/portal/switch/")
    silent = []
    for name, path in paths(names).items():
        html = portal.get(path).content.decode()
        for tag, inside in re.findall(r'<form([^>]*method="post"[^>]*)>(.*?)</form>', html, re.DOTALL):
            action = re.search(r'action="([^"]*)"', tag)
            if action and action[1].startswith(elsewhere):
                continue
            if f'name="shown_for" value="{portal.account.id}"' not in inside:
                silent.append((name, tag))
    assert silent == []


def test_who_is_a_member_of_nothing_is_told_so(db):
    user = UserFactory(two_factor=True)
    answer = Person(user).sign_in().get("/portal/test/")
    assert (answer.status_code, "not a member" in answer.content.decode()) == (403, True)


def test_staff_without_a_membership_work_in_the_back_office(db):
    user = UserFactory(is_staff=True)
    assert Person(user).sign_in().get("/portal/test/")["Location"] == "/admin/"


def test_the_back_office_asks_for_the_same_sign_in(client):
    assert client.get("/admin/")["Location"] == "/admin/login/?next=/admin/"
    assert client.get("/admin/login/?next=/admin/")["Location"] == "/account/login/?next=%2Fadmin%2F"
    assert client.post("/admin/login/", {"username": "a", "password": "b"}).status_code == 302


def test_members_are_not_staff(portal):
    assert portal.get("/admin/login/").status_code == 403
    assert portal.get("/admin/").status_code == 302


def test_staff_without_two_factor_are_led_to_its_set_up(db):
    staff = Person(UserFactory(is_staff=True, is_superuser=True, two_factor=False)).sign_in()
    assert staff.get("/admin/")["Location"] == "/account/two-factor/set-up/"
    assert staff.post("/admin/accounts/account/")["Location"] == "/account/two-factor/set-up/"
    set_up_two_factor(staff.user)
    assert staff.get("/admin/").status_code == 200


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "", "javascript:alert(1)", "x", "portal:home"]
)
def test_choosing_colours_leads_to_no_other_site(portal, elsewhere):
    assert portal.post("/account/theme/", {"theme": "dark", "next": elsewhere})["Location"] == "/"


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


def test_who_may_not_do_it_is_refused_before_being_asked(account, monkeypatch):
    monkeypatch.setattr(SwitchAccountView, "reauthenticated_methods", frozenset({"POST"}))
    monkeypatch.setattr(SwitchAccountView, "allowed_roles_to_post", frozenset({Role.OWNER}))
    viewer = member_of(account, Role.VIEWER, seconds_ago=301)
    assert viewer.post("/portal/switch/", {"account": account.id}).status_code == 403


@pytest.mark.parametrize("page", ["webhooks/{endpoint}/edit/", "keys/{key}/addresses/"])
def test_where_events_go_and_from_where_a_key_works_are_changed_after_the_password_alone(stale, page):
    names = {"endpoint": EndpointFactory(account=stale.account).pk, "key": issued_key(stale.account)[0].pk}
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


def test_the_portal_shows_the_deployments_own_words(settings):
    settings.SUPPORT_EMAIL, settings.STATUS_URL = "help@example.com", "https://status.example.com"
    settings.TOP_UP_INSTRUCTIONS = "Transfer to IBAN X <y>\nReference: {reference} {other}"
    account = AccountFactory()
    reference = in_groups(payment_reference(account.pk))
    client = member_of(account, Role.OWNER).client
    live = client.get("/portal/live/balance/").content.decode()
    test = client.get("/portal/test/balance/").content.decode()
    assert f"Transfer to IBAN X &lt;y&gt;<br>Reference: {reference} {{other}}" in live
    assert "IBAN" not in test
    for page in (live, test):
        assert 'href="mailto:help@example.com"' in page
        assert 'href="https://status.example.com"' in page
    home = client.get("/portal/test/").content.decode()
    assert 'For more test funds, write to <a href="mailto:help@example.com">' in home


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/portal", "/portal/"),
        ("/admin", "/admin/"),
        ("/docs", "/docs/"),
        ("/docs/guides/get-started/", "/docs/guides/get-started"),
        ("/docs/errors/?q=%C3%A9", "/docs/errors?q=%C3%A9"),
        ("/docs/reference/hotels/", "/docs/reference/hotels"),
        ("/portal/test/keys?page=2", "/portal/test/keys/?page=2"),
        ("/account/login", "/account/login/"),
    ],
)
def test_an_address_without_its_slash_or_with_one_too_many_leads_to_the_page(client, asked, leads_to):
    answer = client.get(asked)
    assert (answer.status_code, answer["Location"]) == (302, leads_to)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/portal/none", "/docs/none/at/all/", "/portal//evil.example", "/v1/ping/", "/v1", "/healthz/"]
)
def test_what_is_no_page_either_way_is_not_found(client, path):
    assert client.get(path).status_code == 404
    assert client.post("/portal").status_code == 404
