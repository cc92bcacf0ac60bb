"""Signing in with password and code, its limits, and how long a session lasts."""

import re
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Role
from apps.common.encryption import decrypt
from apps.portal.sign_in.password_reset import link_of
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.portal.person import (
    CODE_PAGE,
    PASSWORD,
    TOTP_SECRET,
    Person,
    attempt,
    code_now,
    enters,
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


def test_a_wrong_password_says_no_more_than_an_unknown_address(member):
    wrong = enter_password(member, "not the password")
    unknown = member.post("/account/login/", {"login": "nobody@partner.example", "password": PASSWORD})
    assert wrong.context["form"].errors == unknown.context["form"].errors


def test_signing_out_takes_a_form_and_ends_the_session(portal):
    assert portal.get("/account/logout/").status_code == 200
    assert is_in(portal)
    assert portal.post("/account/logout/")["Location"] == "/account/login/"
    assert not is_in(portal)


@pytest.mark.parametrize(
    "path", ["signup/", "email/", "confirm-email/", "phone/change/", "login/code/", "3rdparty/", ""]
)
def test_nobody_signs_up_and_what_is_not_offered_is_not_there(portal, path):
    assert portal.get(f"/account/{path}").status_code == 404
    assert portal.post(f"/account/{path}", {"email": "new@partner.example"}).status_code == 404


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


def test_who_just_signed_in_is_not_asked_again(member):
    enter_password(member)
    enter_code(member, code_now(TOTP_SECRET))
    assert member.get("/account/recovery-codes/").status_code == 200


NEW = "nine lilies under glass"


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


TOO_MANY = "Too many failed login attempts. Try again later."
SESSIONS, SECURITY = "/account/sessions/", "/account/security/"


def guess(member: Person, times: int, address: str = "203.0.113.{}") -> None:
    for number in range(times):
        attempt(member.user.email, "a guess", address.format(number))


def test_after_five_wrong_passwords_for_a_person_the_right_one_has_to_wait(
    member: Person, move_clock
) -> None:
    guess(member, 4)
    assert attempt(member.user.email)["Location"] == CODE_PAGE
    guess(member, 5)
    answer = attempt(member.user.email)
    assert answer.context["form"].errors == {"__all__": [TOO_MANY]}


def test_wrong_passwords_for_one_person_do_not_slow_another(member: Person, account) -> None:
    other = member_of(account, Role.OWNER)
    guess(member, 6)
    assert attempt(other.user.email)["Location"] == CODE_PAGE


def test_one_address_has_ten_wrong_passwords_a_minute(member: Person) -> None:
    for number in range(10):
        attempt(f"nobody-{number}@partner.example", "a guess")
    assert attempt(member.user.email).context["form"].errors == {"__all__": [TOO_MANY]}
    assert attempt(member.user.email, address="198.51.100.8")["Location"] == CODE_PAGE


def test_after_five_wrong_codes_the_right_one_has_to_wait(member: Person) -> None:
    browser = Client()
    enters(browser, member)
    for _ in range(5):
        browser.post(CODE_PAGE, {"code": "000000"})
    answer = browser.post(CODE_PAGE, {"code": code_now()})
    assert answer.context["form"].errors == {"code": [TOO_MANY]}


@pytest.mark.django_db(transaction=True)
def test_the_code_of_the_set_up_opens_nothing_more(account) -> None:
    person = member_of(account, Role.OWNER)
    remove_two_factor(person.user)
    secret = person.get("/account/two-factor/set-up/").context["form"].secret
    code = code_now(secret)
    person.post("/account/two-factor/set-up/", {"code": code})
    assert Authenticator.objects.filter(user=person.user, type="totp").exists()
    browser = Client()
    enters(browser, person)
    assert browser.post(CODE_PAGE, {"code": code}).context["form"].errors == {"code": ["Incorrect code."]}


def signed_in(member: Person, offset: int, agent: str) -> Client:
    browser = Client(headers={"user-agent": agent})
    enters(browser, member)
    assert browser.post(CODE_PAGE, {"code": code_now(offset=offset)})["Location"] == "/"
    return browser


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"


def test_a_person_sees_their_sessions_and_ends_the_others(member: Person) -> None:
    here, elsewhere = signed_in(member, 0, FIREFOX), signed_in(member, 1, CHROME)
    page = here.get(SECURITY).content.decode()
    assert [page.count(each) for each in ("Firefox on Linux", "Chrome on Windows", "This session")] == [
        1,
        1,
        1,
    ]
    assert here.post(SESSIONS)["Location"] == SECURITY
    assert here.get("/portal/test/").status_code == 200
    assert elsewhere.get("/portal/test/")["Location"].startswith("/account/login/")


@pytest.mark.parametrize("named", ["theirs", "not one", "9" * 30, "\x00", "here"])
def test_a_person_ends_one_session_of_their_own(member: Person, account, named) -> None:
    here, elsewhere = signed_in(member, 0, FIREFOX), signed_in(member, 1, CHROME)
    stranger = member_of(account, Role.OWNER)
    signed_in(stranger, 0, "Safari")
    pks = {each.user_agent: each.pk for each in UserSession.objects.all()}
    foreign = {"theirs": pks["Safari"], "here": pks[FIREFOX]}
    assert here.post(SESSIONS, {"session": foreign.get(named, named)})["Location"] == SECURITY
    assert UserSession.objects.count() == 3
    here.post(SESSIONS, {"session": pks[CHROME]})
    assert [browser.get(SECURITY).status_code for browser in (here, elsewhere)] == [200, 302]
    assert set(UserSession.objects.values_list("user_agent", flat=True)) == {FIREFOX, "Safari"}


HOME = "/portal/test/"


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


@pytest.mark.parametrize("key", ['"aaaaaaaaaaaa\\000"', '"aaaaaaaaaaaa\\303("', "aaaaaaaaaaaa-"])
def test_a_cookie_that_no_session_of_ours_can_have_is_no_session(settings, key: str):
    """Quoted, a cookie can hold any character: `\\000` is the one that PostgreSQL cannot read."""
    stranger = Client(raise_request_exception=False)
    for path in (HOME, "/account/login/", "/admin/"):
        answer = stranger.get(path, headers={"cookie": f"{settings.SESSION_COOKIE_NAME}={key}"})
        assert answer.status_code in (200, 302)
