"""Sign-ins, attempts and sign-outs are in the audit trail. Of a flood of attempts most are only counted."""

import pytest
from django.test import Client

from apps.accounts.models import AccountAuditEntry, Role
from apps.portal.audit_sentences import sentences_of
from apps.portal.sign_in.password_reset import link_of
from apps.portal.tasks import mail_reset_link
from tests.factories.accounts import MembershipFactory
from tests.portal.person import member_of
from tests.portal.sign_in.browsers import CODE_PAGE, attempt, enters, known_browser

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
    assert told(account) == [f"{email} signed in", f"{email} signed out"]
    entries = AccountAuditEntry.objects.filter(account=account)
    assert {(entry.actor, entry.address) for entry in entries} == {(member.user, "198.51.100.7")}


def test_a_password_alone_is_no_sign_in(member, account):
    attempt(member.user.email)
    assert told(account) == []


def test_a_wrong_password_for_a_known_person_is_told_in_all_their_accounts(member, account):
    elsewhere = MembershipFactory(user=member.user).account
    attempt(member.user.email.upper(), "a guess", "203.0.113.9")
    attempt("nobody@partner.example", "a guess", "203.0.113.9")
    line = f"Somebody gave a wrong password for {member.user.email}"
    assert (told(account), told(elsewhere)) == ([line], [line])
    entry = AccountAuditEntry.objects.get(account=account)
    assert (entry.actor, entry.address) == (None, "203.0.113.9"), "Whoever it was"


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
        f"Somebody asked for a link to a new password for {email}",
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
    assert told(account) == [line] * 5 + [f"{line}, and 7 times more in the hour before", line]


@pytest.mark.usefixtures("patient")
def test_what_is_guessed_at_one_person_hides_nothing_of_another(member, account):
    other = member_of(account, Role.VIEWER)
    for number in range(6):
        attempt(member.user.email, "a guess", f"192.0.{number}.1")
    attempt(other.user.email, "a guess")
    assert told(account)[-1] == f"Somebody gave a wrong password for {other.user.email}"


@pytest.mark.usefixtures("patient")
def test_signing_in_again_and_again_does_not_fill_the_trail(account, settings, stopped_clock):
    settings.PORTAL_REQUIRE_TWO_FACTOR = False
    membership = MembershipFactory(account=account)
    for number in range(25):
        assert attempt(membership.user.email, address=f"192.0.{number}.1")["Location"] == "/"
    assert told(account) == [f"{membership.user.email} signed in"] * 20
