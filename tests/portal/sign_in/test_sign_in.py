"""Signing in with address and password, then with the app's code or a recovery code."""

import re
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from apps.accounts.models import Role
from apps.common import clock
from apps.common.encryption import decrypt
from apps.portal.sign_in.password_reset import link_of
from apps.portal.tasks import forget_ended_sessions
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.portal.person import (
    PASSWORD,
    TOTP_SECRET,
    Person,
    code_now,
    member_of,
    remove_two_factor,
    set_up_two_factor,
)
from tests.support.back_office import Desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(account) -> Person:
    """A person with two-factor who is not signed in."""
    person = member_of(account, Role.OWNER)
    person.client = Client()
    return person


def enter_password(person: Person, password: str = PASSWORD, **more: str):
    return person.post("/account/login/", {"login": person.user.email, "password": password, **more})


def enter_code(person: Person, code: str):
    return person.post("/account/two-factor/code/", {"code": code})


def is_in(person: Person) -> bool:
    return person.get("/portal/test/").status_code == 200


def test_password_and_code_open_the_portal(member):
    first = enter_password(member)
    assert (first.status_code, first["Location"]) == (302, "/account/two-factor/code/")
    assert not is_in(member), "The password alone opens nothing"

    second = enter_code(member, code_now())
    assert (second.status_code, second["Location"]) == (302, "/")
    assert is_in(member)


def test_the_page_first_asked_for_is_where_one_arrives(member):
    asked = member.get("/portal/live/keys/")
    assert asked["Location"] == "/account/login/?next=/portal/live/keys/"
    enter_password(member, next="/portal/live/keys/")
    assert enter_code(member, code_now())["Location"] == "/portal/live/keys/"


def test_another_site_is_not_where_one_arrives(member):
    enter_password(member, next="https://evil.example/")
    assert enter_code(member, code_now())["Location"] == "/"


@pytest.mark.parametrize("code", ["000000", "", "x" * 5000, "\x00", "'; --", "１２３４５６"])
def test_a_wrong_code_opens_nothing_and_is_said_beside_the_field(member, code):
    enter_password(member)
    answer = enter_code(member, code)
    assert answer.status_code == 200
    assert len(answer.context["form"].errors["code"]) == 1
    assert not is_in(member)


def test_a_code_is_good_for_one_sign_in(member):
    enter_password(member)
    code = code_now()
    enter_code(member, code)
    thief = Person(member.user)
    enter_password(thief)
    assert enter_code(thief, code).context["form"].errors == {"code": ["Incorrect code."]}


def test_a_recovery_code_opens_the_portal_once(member):
    codes = Authenticator.objects.get(user=member.user, type="recovery_codes").wrap().get_unused_codes()
    enter_password(member)
    assert enter_code(member, codes[0])["Location"] == "/"
    assert is_in(member)

    again = Person(member.user)
    enter_password(again)
    assert enter_code(again, codes[0]).context["form"].errors == {"code": ["Incorrect code."]}
    assert enter_code(again, codes[1])["Location"] == "/"


@pytest.mark.parametrize(
    ("login", "password"),
    [
        ("nobody@partner.example", PASSWORD),
        ("", ""),
        ("not an address", PASSWORD),
        ("a\x00@b.example", "\x00"),
    ],
)
def test_what_is_wrong_is_said_on_the_page(client, login, password):
    answer = client.post("/account/login/", {"login": login, "password": password})
    assert answer.status_code == 200
    assert answer.context["form"].errors


def test_a_wrong_password_says_no_more_than_an_unknown_address(member):
    wrong = enter_password(member, "not the password")
    unknown = member.post("/account/login/", {"login": "nobody@partner.example", "password": PASSWORD})
    assert wrong.context["form"].errors == unknown.context["form"].errors


def test_the_case_of_the_address_does_not_matter(member):
    answer = member.post("/account/login/", {"login": member.user.email.upper(), "password": PASSWORD})
    assert answer["Location"] == "/account/two-factor/code/"


def test_who_was_switched_off_is_told_so_and_stays_out(member):
    member.sign_in()
    member.user.is_active = False
    member.user.save()
    assert member.get("/portal/test/")["Location"].startswith("/account/login/")
    assert enter_password(member)["Location"] == "/account/inactive/"
    assert b"switched off" in member.get("/account/inactive/").content


def test_a_session_is_another_one_after_signing_in(member, settings):
    member.client.session.save()
    enter_password(member)
    before = member.client.cookies[settings.SESSION_COOKIE_NAME].value
    enter_code(member, code_now())
    assert member.client.cookies[settings.SESSION_COOKIE_NAME].value != before


def test_signing_out_takes_a_form_and_ends_the_session(portal):
    assert portal.get("/account/logout/").status_code == 200
    assert is_in(portal)
    assert portal.post("/account/logout/")["Location"] == "/account/login/"
    assert not is_in(portal)


def test_sessions_that_ran_out_are_forgotten(portal):
    Session.objects.create(session_key="over", session_data="", expire_date=clock.now() - timedelta(hours=1))
    forget_ended_sessions()
    assert [session.session_key for session in Session.objects.all()] == [portal.client.session.session_key]


@pytest.mark.parametrize(
    "path", ["signup/", "email/", "confirm-email/", "phone/change/", "login/code/", "3rdparty/", ""]
)
def test_nobody_signs_up_and_what_is_not_offered_is_not_there(portal, path):
    assert portal.get(f"/account/{path}").status_code == 404
    assert portal.post(f"/account/{path}", {"email": "new@partner.example"}).status_code == 404


# --- Two-factor is demanded -----------------------------------------------------------------------------------------


def test_without_two_factor_everything_leads_to_its_set_up(account):
    person = member_of(account, Role.OWNER)
    remove_two_factor(person.user)
    for path in ("/portal/test/", "/portal/live/keys/", "/portal/team/"):
        assert person.get(path)["Location"] == "/account/two-factor/set-up/"
        assert person.post(path)["Location"] == "/account/two-factor/set-up/"


def test_setting_two_factor_up_right_after_the_first_sign_in(account):
    user = UserFactory()
    MembershipFactory(account=account, user=user)
    person = Person(user)
    assert enter_password(person)["Location"] == "/"
    assert person.get("/portal/test/")["Location"] == "/account/two-factor/set-up/"

    shown = person.get("/account/two-factor/set-up/")
    secret = shown.context["form"].secret
    assert secret in shown.content.decode().replace(" ", "")
    done = person.post("/account/two-factor/set-up/", {"code": code_now(secret)})

    assert done["Location"] == "/account/recovery-codes/"
    codes = re.findall(r"<li>(\d{8})</li>", person.get("/account/recovery-codes/").content.decode())
    assert len(set(codes)) == 10
    assert is_in(person)
    stored = Authenticator.objects.get(user=user, type="totp").data["secret"]
    assert (stored == secret, decrypt(stored)) == (False, secret), "Encrypted at rest"


def test_a_second_click_on_the_set_up_leads_where_the_first_one_does(account, monkeypatch):
    """Both clicks were asked whether it is set up before either had done it."""
    person = member_of(account, Role.OWNER)
    remove_two_factor(person.user)
    secret = person.get("/account/two-factor/set-up/").context["form"].secret
    judge = ActivateTOTPForm.clean_code

    def the_first_click_comes_between(form: ActivateTOTPForm) -> str:
        code: str = judge(form)
        set_up_two_factor(person.user)
        return code

    monkeypatch.setattr(ActivateTOTPForm, "clean_code", the_first_click_comes_between)
    done = person.post("/account/two-factor/set-up/", {"code": code_now(secret)})
    assert (done.status_code, done["Location"]) == (302, "/account/recovery-codes/")
    assert Authenticator.objects.filter(user=person.user, type="totp").count() == 1


def test_a_wrong_code_does_not_switch_two_factor_on(account):
    person = member_of(account, Role.OWNER)
    remove_two_factor(person.user)
    person.get("/account/two-factor/set-up/")
    answer = person.post("/account/two-factor/set-up/", {"code": "000000"})
    assert answer.context["form"].errors == {"code": ["Incorrect code."]}
    assert not Authenticator.objects.filter(user=person.user).exists()


def test_moving_to_another_phone_leads_straight_to_the_set_up(portal):
    assert portal.post("/account/two-factor/remove/").status_code == 302
    assert portal.get("/portal/test/")["Location"] == "/account/two-factor/set-up/"


def test_where_it_is_not_demanded_the_page_says_what_is_missing(account, settings):
    settings.PORTAL_REQUIRE_TWO_FACTOR = False
    person = member_of(account, Role.OWNER)
    banner = "Your sign-in has no second factor"
    assert banner not in person.get("/portal/test/").content.decode()
    remove_two_factor(person.user)
    assert banner in person.get("/portal/test/").content.decode()


# --- Asking again ---------------------------------------------------------------------------------------------------

SECRETS = [
    "/account/two-factor/remove/",
    "/account/recovery-codes/",
    "/account/recovery-codes/new/",
    "/account/recovery-codes/download/",
]


@pytest.mark.parametrize("path", SECRETS)
def test_what_shows_or_changes_a_secret_asks_again_after_five_minutes(account, path):
    fresh = member_of(account, Role.OWNER, seconds_ago=240)
    assert fresh.get(path).status_code == 200
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    assert stale.get(path)["Location"] == f"/account/reauthenticate/?next={path.replace('/', '%2F')}"


@pytest.mark.parametrize(
    ("page", "answer"),
    [("/account/reauthenticate/", {"password": PASSWORD}), ("/account/two-factor/reauthenticate/", {})],
)
def test_the_password_or_a_code_opens_the_window_again(account, page, answer):
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    answer = {"next": "/account/recovery-codes/", **(answer or {"code": code_now()})}
    assert stale.post(page, answer)["Location"] == "/account/recovery-codes/"
    assert stale.get("/account/recovery-codes/").status_code == 200


def test_a_wrong_password_does_not_open_the_window(account):
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    answer = stale.post("/account/reauthenticate/", {"password": "wrong", "next": "/account/recovery-codes/"})
    assert "password" in answer.context["form"].errors
    assert stale.get("/account/recovery-codes/").status_code == 302


def test_who_just_signed_in_is_not_asked_again(member):
    enter_password(member)
    enter_code(member, code_now(TOTP_SECRET))
    assert member.get("/account/recovery-codes/").status_code == 200


# --- The password ---------------------------------------------------------------------------------------------------

NEW = "nine lilies under glass"


@pytest.mark.parametrize("key", ["1-x", "zzzzzz-c8d-0123456789abcdef", "0-set-password", "%00-%00"])
def test_a_link_that_was_made_up_opens_nothing(client, key):
    answer = client.get(f"/account/password/reset/key/{key}/", follow=True)
    assert answer.status_code in {200, 404}
    assert b'name="password1"' not in answer.content


@pytest.mark.parametrize("weak", ["12345678", "password", "short"])
def test_a_weak_password_is_refused_beside_the_field(portal, weak):
    answer = portal.post(
        "/account/password/change/", {"oldpassword": PASSWORD, "password1": weak, "password2": weak}
    )
    assert "password1" in answer.context["form"].errors


def test_an_address_that_the_person_has_no_more_signs_nobody_in(portal):
    """The library remembers an address when a new password is chosen with a link, and would go on taking it."""
    before, after = portal.user.email, "ada@moved.example"
    browser = Client()
    page = browser.get(link_of(portal.user).removeprefix(settings.PUBLIC_BASE_URL), follow=True)
    browser.post(page.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    form = {"email": after, "first_name": "", "last_name": "", "is_active": "on"}
    assert Desk().post(f"/admin/accounts/user/{portal.user.pk}/change/", form).status_code == 302
    answers = [Client().post("/account/login/", {"login": each, "password": NEW}) for each in (before, after)]
    assert [answer.status_code for answer in answers] == [200, 302]
    assert answers[0].context["form"].errors
    assert answers[1]["Location"] == "/account/two-factor/code/"


def test_changing_the_password_ends_the_other_sessions(portal):
    elsewhere = Person(portal.user, portal.membership).sign_in()
    portal.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert (is_in(portal), is_in(elsewhere)) == (True, False)


# --- A mail server that is away ----------------------------------------------------------------------------------------


@pytest.fixture
def mail_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(backend: EmailBackend, messages: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)


@pytest.mark.usefixtures("mail_is_away")
def test_without_mail_a_change_of_the_sign_in_goes_through(portal):
    answer = portal.post(
        "/account/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    )
    portal.user.refresh_from_db()
    assert (answer.status_code, portal.user.check_password(NEW)) == (302, True)


@pytest.mark.parametrize("said", [{"accept": "application/json"}, {"x-requested-with": "XMLHttpRequest"}])
def test_a_script_that_signs_in_is_answered_like_a_person(member, said):
    wrong = member.client.post("/account/login/", {"login": "", "password": ""}, headers=said)
    assert (wrong.status_code, wrong["Content-Type"]) == (200, "text/html; charset=utf-8")
