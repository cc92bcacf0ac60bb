"""The team's pages: members, invitations, and the changes that owners make after giving the password again."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client

from apps.accounts.models import AccountAuditEntry, Invitation, Membership, Role, User
from tests.factories.accounts import AccountFactory, MembershipFactory, UserFactory
from tests.portal.person import PASSWORD, Person, code_now, member_of, set_up_two_factor

pytestmark = pytest.mark.django_db
TEAM, INVITE = "/portal/team/", "/portal/team/invite/"
ADDRESS = "grace@partner.example"
NEW_PASSWORD = "eleven violet tugboats"


@pytest.fixture
def colleague(account) -> Membership:
    return MembershipFactory(account=account, role=Role.VIEWER, user__email="ada@partner.example")


def invited(portal: Person, email: str = ADDRESS, role: str = "developer") -> str:
    """Invite a person, and return the path of the link in the mail."""
    assert portal.post(INVITE, {"email": email, "role": role})["Location"] == TEAM
    found = re.search(r"https?://[^/]+(/account/invitation/\S+/)", mail.outbox[-1].body)
    assert found is not None
    return found[1]


def html_of(answer) -> str:
    return " ".join(answer.content.decode().split())


def test_the_password_is_asked_again_before_the_team_is_changed(account, colleague):
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    member = f"/portal/team/members/{colleague.pk}"
    for path in (INVITE, f"{member}/role/", f"{member}/remove/"):
        asked = stale.post(path, {"email": ADDRESS, "role": "owner"})
        assert asked["Location"].startswith("/account/reauthenticate/?next="), path
    assert (Membership.objects.get(pk=colleague.pk).role, mail.outbox) == ("viewer", [])


def test_an_owner_gives_another_role(portal, colleague):
    answer = portal.post(f"/portal/team/members/{colleague.pk}/role/", {"role": "finance"}, follow=True)
    assert "ada@partner.example is finance now" in html_of(answer)
    entry = AccountAuditEntry.objects.get()
    assert (entry.actor_label, entry.address) == (portal.user.email, "127.0.0.1")


def test_a_member_is_removed_on_a_page_that_asks_first(portal, colleague):
    path = f"/portal/team/members/{colleague.pk}/remove/"
    assert "Remove ada@partner.example?" in html_of(portal.get(path))
    assert Membership.objects.filter(pk=colleague.pk).exists()
    assert portal.post(path)["Location"] == TEAM
    assert not Membership.objects.filter(pk=colleague.pk).exists()


@pytest.mark.parametrize("deed", ["role", "remove"])
def test_the_last_owner_stays_and_is_told_why(portal, deed):
    answer = portal.post(f"/portal/team/members/{portal.membership.pk}/{deed}/", {"role": "viewer"})
    assert (answer.status_code, "Make another member an owner first" in html_of(answer)) == (400, True)
    assert Membership.objects.get(pk=portal.membership.pk).role == "owner"


@pytest.mark.parametrize(
    ("email", "role", "says"),
    [
        ("", "viewer", "This field is required"),
        ("grace", "viewer", "is not an e-mail address"),
        ("a@b.example\r\nBcc: all@b.example", "viewer", "is not an e-mail address"),
        (ADDRESS, "boss", "Select a valid choice"),
        ("ADA@partner.example", "viewer", "is a member already"),
    ],
)
def test_what_cannot_be_invited_is_said_beside_the_field(portal, colleague, email, role, says):
    answer = portal.post(INVITE, {"email": email, "role": role})
    page = html_of(answer)
    assert (answer.status_code, says in page, "<script>alert" in page) == (400, True, False)
    assert (mail.outbox, Invitation.objects.count()) == ([], 0)


def test_a_waiting_invitation_is_sent_again_and_withdrawn(portal):
    link = invited(portal)
    assert ADDRESS in html_of(portal.get(TEAM))
    path = f"/portal/team/invitations/{Invitation.objects.get().pk}"
    again = portal.post(f"{path}/resend/", follow=True)
    assert "less than a minute ago" in html_of(again)

    assert "Withdraw the invitation of" in html_of(portal.get(f"{path}/withdraw/"))
    portal.post(f"{path}/withdraw/")

    assert ADDRESS not in html_of(portal.get(TEAM)).partition("<table")[2]
    assert Client().get(link).status_code == 410
    assert "has been withdrawn" in html_of(portal.post(f"{path}/resend/", follow=True))


def test_a_new_person_sets_a_password_and_then_two_factor(portal):
    link, browser = invited(portal), Client()
    assert "Choose a password" in html_of(browser.get(link))
    sent = {"name": "Grace Hopper", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert browser.post(link, sent)["Location"] == "/"
    arrived = browser.get("/portal/test/")
    assert arrived["Location"] == "/account/two-factor/set-up/"
    assert browser.get(arrived["Location"]).status_code == 200

    grace = User.objects.get(email=ADDRESS)
    assert (grace.get_full_name(), grace.check_password(NEW_PASSWORD)) == ("Grace Hopper", True)
    assert grace.memberships.get().role == "developer"
    assert "Grace Hopper" in html_of(portal.get(TEAM))
    assert Client().get(link).status_code == 410, "A link works once"


@pytest.mark.parametrize(
    "wrong",
    [
        {"password1": "password1234", "password2": "password1234"},
        {"password2": "something else"},
        {"name": "x" * 151},
        {"name": "a\u0007b"},
    ],
)
def test_a_bad_password_or_name_is_refused_beside_the_field(portal, wrong):
    link = invited(portal)
    answer = Client().post(link, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD, **wrong})
    assert (answer.status_code, 'class="error"' in html_of(answer)) == (400, True)
    assert not User.objects.filter(email=ADDRESS).exists()


def test_somebody_with_a_sign_in_uses_it_and_joins(portal):
    grace = Person(UserFactory(email=ADDRESS, two_factor=False))
    set_up_two_factor(grace.user)
    link = invited(portal)
    assert f"/account/login/?next={link.replace(':', '%3A')}" in html_of(grace.get(link))
    assert grace.post(link, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})["Location"] == link

    grace.post("/account/login/", {"login": ADDRESS, "password": PASSWORD, "next": link})
    assert grace.post("/account/two-factor/code/", {"code": code_now()})["Location"] == link
    assert "Join as" in html_of(grace.get(link))
    assert grace.post(link)["Location"] == "/"
    context = grace.get("/portal/test/").context["portal"]
    assert (context.account, context.role) == (portal.account, "developer")


def test_somebody_else_is_asked_to_sign_out_first(portal):
    link, other = invited(portal), member_of(AccountFactory(), Role.OWNER)
    assert f"logged in as {other.user.email}" in html_of(other.get(link))
    assert other.post(link)["Location"] == link
    assert other.user.memberships.count() == 1


@pytest.mark.parametrize("token", ["x", "inv_1:1:forged", "%00", "é" * 300])
def test_a_forged_link_says_that_it_is_over(client, token):
    answer = client.get(f"/account/invitation/{token}/")
    assert (answer.status_code, "This link is invalid" in html_of(answer)) == (410, True)


def test_changes_of_a_sign_in_are_told_to_every_account_of_the_person(portal):
    elsewhere = MembershipFactory(account=AccountFactory(), user=portal.user).account
    sent = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    portal.post("/account/password/change/", sent)
    portal.post("/account/two-factor/remove/")
    assert not Authenticator.objects.filter(user=portal.user, type="totp").exists()
    for account in (portal.account, elsewhere):
        trail = AccountAuditEntry.objects.filter(account=account).order_by("created_at", "id")
        assert [(entry.action, entry.actor_label) for entry in trail] == [
            ("sign_in.password_changed", portal.user.email),
            ("sign_in.two_factor_removed", portal.user.email),
        ]
