"""Sign-ins in the audit trail, and second factors in the back office."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from apps.accounts.models import AccountAuditEntry, User
from apps.portal.audit_sentences import sentences_of
from apps.portal.sign_in.password_reset import link_of
from apps.portal.tasks import mail_reset_link
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.portal.person import (
    CODE_PAGE,
    TOTP_SECRET,
    attempt,
    enters,
    known_browser,
    set_up_two_factor,
)
from tests.support.back_office import Desk, faults_of

pytestmark = pytest.mark.django_db
NEW = "nine lilies under glass"


def told(account) -> list[str]:
    lines = sentences_of(AccountAuditEntry.objects.filter(account=account).order_by("created_at", "id"))
    return [f"{line.who} {line.verb}{line.ending}" for line in lines]


@pytest.fixture
def patient(settings):
    """No attempt has to wait."""
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login": None, "login_failed": None}


def test_signing_in_and_out_is_told_with_the_address(member, account):
    known_browser(member, "198.51.100.7")
    email = member.user.email
    assert told(account) == [f"{email} logged in", f"{email} logged out"]
    entries = AccountAuditEntry.objects.filter(account=account)
    assert {(entry.actor, entry.address) for entry in entries} == {(member.user, "198.51.100.7")}


def test_a_wrong_password_for_a_known_person_is_told_in_all_their_accounts(member, account):
    elsewhere = MembershipFactory(user=member.user).account
    attempt(member.user.email.upper(), "a guess", "203.0.113.9")
    attempt("nobody@partner.example", "a guess", "203.0.113.9")
    line = f"Somebody gave a wrong password for {member.user.email}"
    assert (told(account), told(elsewhere)) == ([line], [line])
    entry = AccountAuditEntry.objects.get(account=account)
    assert (entry.actor, entry.address) == (None, "203.0.113.9"), "nobody is known by that address"


def test_a_wrong_code_is_told(member, account):
    browser = Client()
    enters(browser, member)
    browser.post(CODE_PAGE, {"code": "000000"})
    assert told(account) == [f"Somebody gave a wrong two-factor code for {member.user.email}"]


def test_a_link_to_a_new_password_and_its_use_are_told(member, account, settings):
    email = member.user.email
    mail_reset_link(email, "198.51.100.7")
    browser = Client()
    to_form = browser.get(link_of(member.user).removeprefix(settings.PUBLIC_BASE_URL))["Location"]
    browser.post(to_form, {"password1": NEW, "password2": NEW})
    assert told(account) == [
        f"Somebody requested a link to a new password for {email}",
        f"{email} chose a new password with the link in a mail",
    ]


@pytest.mark.usefixtures("patient")
def test_a_flood_of_wrong_passwords_is_told_five_times_an_hour_and_then_counted(member, account, move_clock):
    line = f"Somebody gave a wrong password for {member.user.email}"
    for number in range(12):
        attempt(member.user.email, "a guess", f"192.0.{number}.1")
    assert told(account) == [line] * 5
    move_clock(hours=1)
    attempt(member.user.email, "a guess")
    attempt(member.user.email, "a guess")
    assert told(account) == [line] * 5 + [f"{line}, and 7 more times in the hour before", line]


@pytest.mark.usefixtures("patient")
def test_signing_in_again_and_again_does_not_fill_the_trail(account, settings, stopped_clock):
    settings.PORTAL_REQUIRE_TWO_FACTOR = False
    membership = MembershipFactory(account=account)
    for number in range(25):
        assert attempt(membership.user.email, address=f"192.0.{number}.1")["Location"] == "/"
    assert told(account) == [f"{membership.user.email} logged in"] * 20


LIST = "/admin/mfa/authenticator/"


def test_secrets_are_neither_shown_nor_edited() -> None:
    person = UserFactory()
    set_up_two_factor(person)
    one, desk = Authenticator.objects.get(user=person, type="totp"), Desk()
    page = f"{LIST}{one.pk}/change/"
    assert [fault for path in (LIST, page) for fault in faults_of(desk, path)] == []
    stored = str(one.data["secret"])
    shown = desk.get(page).content.decode()
    assert person.email in shown
    assert stored not in shown
    assert TOTP_SECRET not in shown
    assert desk.post(page, {"data": "{}"}).status_code == 403
    assert desk.get(f"{LIST}add/").status_code == 403


def test_who_lost_the_app_loses_the_recovery_codes_with_it() -> None:
    person, other = UserFactory(), UserFactory()
    for one in (person, other):
        set_up_two_factor(one)
    authenticator = Authenticator.objects.get(user=person, type="totp")
    Desk().post(f"{LIST}{authenticator.pk}/delete/", {"post": "yes"})
    assert not Authenticator.objects.filter(user=person).exists()
    assert Authenticator.objects.filter(user=other).count() == 2


@pytest.mark.parametrize("in_bulk", [False, True])
def test_only_a_superuser_removes_that_of_a_colleague(in_bulk: bool) -> None:
    """Whoever helps partners' people may not for that weaken the sign-in of our own."""
    person, colleague = UserFactory(), UserFactory(is_staff=True)  # who has it set up
    set_up_two_factor(person)

    def remove(desk: Desk, of: User) -> int:
        keys = list(Authenticator.objects.filter(user=of).values_list("pk", flat=True))
        if in_bulk:
            form = {"action": "delete_selected", "_selected_action": keys, "post": "yes"}
            return int(desk.post(LIST, form).status_code)
        return int(desk.post(f"{LIST}{keys[0]}/delete/", {"post": "yes"}).status_code)

    helper = Desk("mfa.view_authenticator", "mfa.delete_authenticator")
    assert remove(helper, colleague) == 403
    assert Authenticator.objects.filter(user=colleague).exists()
    assert [remove(helper, person), remove(Desk(), colleague)] == [302, 302]
    assert not Authenticator.objects.filter(user__in=[person, colleague]).exists()


@pytest.mark.parametrize("in_bulk", [False, True])
def test_the_person_and_their_accounts_are_told(
    mailoutbox, django_capture_on_commit_callbacks, in_bulk
) -> None:
    membership = MembershipFactory(user__email="ada@partner.example")
    set_up_two_factor(membership.user)
    both, desk = Authenticator.objects.filter(user=membership.user), Desk()
    with django_capture_on_commit_callbacks(execute=True):
        if in_bulk:
            desk.post(
                LIST,
                {"action": "delete_selected", "_selected_action": [each.pk for each in both], "post": "yes"},
            )
        else:
            desk.post(f"{LIST}{both[0].pk}/delete/", {"post": "yes"})
    assert [(message.subject, message.to) for message in mailoutbox] == [
        ("Two-factor authentication was removed", ["ada@partner.example"])
    ]
    [line] = sentences_of(AccountAuditEntry.objects.filter(account=membership.account))
    assert (line.who, line.verb, line.ending) == ("Support", "removed two-factor", " of ada@partner.example")
