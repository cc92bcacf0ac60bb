"""Guessing is limited by person and by address; a code and a session are good once."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from apps.accounts.models import Role
from tests.portal.person import PASSWORD, Person, code_now, member_of, remove_two_factor
from tests.portal.sign_in.browsers import CODE_PAGE, attempt, enters

pytestmark = pytest.mark.django_db
TOO_MANY = "Too many failed login attempts. Try again later."
SESSIONS = "/account/sessions/"


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


def test_a_right_password_does_not_count(member: Person) -> None:
    for _ in range(8):
        assert attempt(member.user.email)["Location"] == CODE_PAGE


def test_thirty_sign_ins_a_minute_from_one_address_get_a_page_that_says_to_wait(
    member: Person, settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login": "3/m/ip"}
    answers = [attempt(member.user.email).status_code for _ in range(4)]
    assert answers == [302, 302, 302, 429]


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


def sign_in(member: Person, offset: int, agent: str) -> Client:
    browser = Client(headers={"user-agent": agent})
    browser.post("/account/login/", {"login": member.user.email, "password": PASSWORD})
    assert browser.post(CODE_PAGE, {"code": code_now(offset=offset)})["Location"] == "/"
    return browser


def test_a_person_sees_their_sessions_and_ends_the_others(member: Person) -> None:
    here, elsewhere = sign_in(member, 0, "Firefox"), sign_in(member, 1, "Chrome")
    page = here.get(SESSIONS).content.decode()
    assert ("Firefox" in page, "Chrome" in page, page.count("This session")) == (True, True, 1)
    assert here.post(SESSIONS)["Location"] == SESSIONS
    assert here.get("/portal/test/").status_code == 200
    assert elsewhere.get("/portal/test/")["Location"].startswith("/account/login/")
