"""Wrong passwords and codes slow down those who give them, and nobody else."""

import pytest
from django.core.cache import cache
from django.test import Client

from apps.accounts.models import AccountAuditEntry, Role
from apps.common import clock
from apps.portal.models import SignInAttemptCount
from apps.portal.sign_in.attempt_limits import (
    BackoffPolicy,
    codes_of_one_person,
    count_password,
    prune_attempts,
)
from apps.portal.sign_in.too_many_attempts import TooManyAttempts
from tests.portal.person import PASSWORD, code_now, member_of
from tests.portal.sign_in.browsers import CODE_PAGE, attempt, enters, known_browser
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db
CHANGE, NEW = "/account/password/change/", "nine lilies under glass"
HERE, NEARBY, ELSEWHERE = "198.51.100.7", "198.51.100.8", "203.0.113.9"


def guess(email: str, address: str = HERE, times: int = 5) -> list[int]:
    return [attempt(email, "a guess", address).status_code for _ in range(times)]


@pytest.mark.parametrize(
    ("count", "seconds"),
    [(1, 0), (4, 0), (5, 10), (6, 20), (7, 40), (12, 900), (39, 900), (40, 3600), (10**9, 3600)],
)
def test_each_wrong_try_makes_the_next_one_wait_longer(count, seconds):
    assert BackoffPolicy(window=86_400, free=5, most=40, slowest=3_600).wait(count) == seconds


def test_after_five_wrong_passwords_the_next_waits_and_then_it_is_taken(member, stopped_clock, move_clock):
    assert guess(member.user.email) == [200] * 5
    slowed = attempt(member.user.email)
    assert (slowed.status_code, slowed["Retry-After"]) == (429, "10")
    assert "Try again in <strong>10 seconds</strong>" in slowed.content.decode()
    move_clock(seconds=9)
    assert attempt(member.user.email)["Retry-After"] == "1"
    move_clock(seconds=1)
    assert attempt(member.user.email)["Location"] == CODE_PAGE


def test_the_present_password_on_the_page_of_a_new_one_is_counted_and_told_like_any_other(portal, move_clock):
    """A session that was left open is no place to guess the password at leisure."""
    guessed = {"oldpassword": "a guess", "password1": NEW, "password2": NEW}
    answers = [portal.post(CHANGE, guessed) for _ in range(5)]
    assert [list(answer.context["form"].errors) for answer in answers] == [["oldpassword"]] * 5
    again = portal.post("/account/reauthenticate/", {"password": PASSWORD})
    assert (again.status_code, again["Retry-After"]) == (429, "10")
    told = AccountAuditEntry.objects.filter(action="sign_in.wrong_password")
    assert [entry.details for entry in told] == [{"of": portal.user.email}] * 5
    move_clock(seconds=10)
    cache.clear()  # the library counts forms of this page too, by the clock of the host
    assert portal.post(CHANGE, {**guessed, "oldpassword": PASSWORD}).status_code == 302
    portal.user.refresh_from_db()
    assert portal.user.check_password(NEW)
    assert not SignInAttemptCount.objects.exists(), "A right one begins anew"


def test_a_try_that_is_refused_does_not_lengthen_the_wait(member, stopped_clock, move_clock):
    guess(member.user.email, times=50)
    move_clock(seconds=10)
    assert guess(member.user.email, times=1) == [200]
    assert attempt(member.user.email)["Retry-After"] == "20"


def test_who_guesses_here_does_not_slow_the_owner_elsewhere(member):
    guess(member.user.email)
    assert attempt(member.user.email, address=NEARBY).status_code == 429, "the same network"
    assert attempt(member.user.email, address=ELSEWHERE)["Location"] == CODE_PAGE


def test_who_guesses_here_does_not_slow_a_browser_here_that_the_owner_is_known_at(member):
    known = known_browser(member, HERE)
    guess(member.user.email)
    assert enters(known, member)["Location"] == CODE_PAGE


def test_a_browser_that_is_known_is_slowed_by_its_own_guesses(member):
    known = known_browser(member, HERE)
    for _ in range(5):
        enters(known, member, "a guess")
    assert enters(known, member).status_code == 429
    assert attempt(member.user.email, address=HERE)["Location"] == CODE_PAGE


def test_a_browser_is_known_to_those_who_signed_in_there_alone(member, account):
    known, other = known_browser(member, HERE), member_of(account, Role.VIEWER)
    guess(other.user.email)
    assert enters(known, other).status_code == 429


def test_a_crowd_that_guesses_at_one_person_has_a_bound_by_the_hour(
    member, settings, stopped_clock, move_clock
):
    settings.SIGN_IN_GUESSES_PER_HOUR = 6
    known = known_browser(member, HERE)
    for number in range(6):
        assert guess(member.user.email, f"192.0.{number}.1", times=1) == [200]
    slowed = attempt(member.user.email, address=ELSEWHERE)
    assert (slowed.status_code, 3_500 < int(slowed["Retry-After"]) <= 3_600) == (429, True)
    assert "/account/password/reset/" in slowed.content.decode()
    assert enters(known, member)["Location"] == CODE_PAGE
    move_clock(hours=1, seconds=1)
    assert attempt(member.user.email, address=ELSEWHERE)["Location"] == CODE_PAGE


def test_what_was_right_counts_for_nothing(member, settings):
    settings.SIGN_IN_GUESSES_PER_HOUR = 3
    for _ in range(12):
        assert attempt(member.user.email)["Location"] == CODE_PAGE


def test_guessing_from_one_address_is_slowed_whoever_is_meant(member, stopped_clock):
    for number in range(10):
        guess(f"person{number}@elsewhere.example", times=1)
    assert attempt(member.user.email)["Retry-After"] == "60"
    assert attempt(member.user.email, address=NEARBY)["Location"] == CODE_PAGE


def test_an_unknown_address_is_slowed_like_a_known_one(member):
    for email in (member.user.email, "nobody@partner.example"):
        assert guess(email, times=6) == [200] * 5 + [429]


def test_the_case_of_the_address_opens_no_second_count(member):
    guess(member.user.email.upper(), times=3)
    assert guess(member.user.email, times=3) == [200, 200, 429]


def test_guesses_before_a_secret_are_slowed_for_the_session_alone(account):
    person = member_of(account, Role.OWNER, seconds_ago=301)
    answers = [person.post("/account/reauthenticate/", {"password": "a guess"}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert attempt(person.user.email)["Location"] == CODE_PAGE


@pytest.mark.django_db(transaction=True)
def test_guesses_at_one_moment_count_as_many(rf):
    def one() -> bool:
        request = rf.post("/account/login/", REMOTE_ADDR=HERE)
        request.user = None
        try:
            count_password(request, "ana@partner.example")
        except TooManyAttempts:
            return False
        return True

    assert sum(all_at_once([one] * 12)) == 5


# --- Codes --------------------------------------------------------------------------------------------------------------


def at_the_code_page(person, address: str = HERE) -> Client:
    browser = Client(REMOTE_ADDR=address)
    assert enters(browser, person)["Location"] == CODE_PAGE
    return browser


def test_guessing_at_codes_is_slowed_wherever_it_comes_from(member, stopped_clock, move_clock):
    for number in range(5):
        answer = at_the_code_page(member, f"192.0.{number}.1").post(CODE_PAGE, {"code": "000000"})
        assert answer.status_code == 200
    browser = at_the_code_page(member)
    slowed = browser.post(CODE_PAGE, {"code": code_now()})
    assert (slowed.status_code, slowed["Retry-After"]) == (429, "10")
    move_clock(seconds=10)
    assert browser.post(CODE_PAGE, {"code": code_now()})["Location"] == "/"


def test_codes_of_one_person_have_a_bound_by_the_day_that_slows_and_does_not_lock(
    member, settings, stopped_clock, move_clock
):
    settings.TWO_FACTOR_TRIES_PER_DAY = 6
    browser = at_the_code_page(member)
    for _ in range(5):
        browser.post(CODE_PAGE, {"code": "000000"})
    move_clock(seconds=10)
    browser.post(CODE_PAGE, {"code": "000000"})
    assert browser.post(CODE_PAGE, {"code": code_now()})["Retry-After"] == "3600"
    move_clock(hours=1)
    assert browser.post(CODE_PAGE, {"code": "000000"}).status_code == 200, "one an hour"
    assert browser.post(CODE_PAGE, {"code": "000000"})["Retry-After"] == "3600"


def test_a_right_code_does_not_begin_the_day_anew(member, settings, move_clock):
    settings.TWO_FACTOR_TRIES_PER_DAY = 3
    browser = at_the_code_page(member)
    for _ in range(2):
        browser.post(CODE_PAGE, {"code": "000000"})
    assert browser.post(CODE_PAGE, {"code": code_now()})["Location"] == "/"
    thief = at_the_code_page(member)
    assert thief.post(CODE_PAGE, {"code": "000000"}).status_code == 200
    assert thief.post(CODE_PAGE, {"code": "000000"}).status_code == 429


def test_who_guesses_at_codes_does_not_slow_a_browser_that_is_known(member):
    known = known_browser(member)
    thief = at_the_code_page(member)
    for _ in range(6):
        thief.post(CODE_PAGE, {"code": "000000"})
    enters(known, member)
    assert known.post(CODE_PAGE, {"code": code_now(offset=1)})["Location"] == "/"


def test_codes_of_a_day_are_few_beside_a_million(settings):
    """Three of a million codes are valid at any moment. So this limits how likely a day of guessing succeeds."""
    patience, at, tries = codes_of_one_person(), 0, 0
    while at < patience.window:
        tries += 1
        at += patience.wait(tries)
    assert tries <= settings.TWO_FACTOR_TRIES_PER_DAY + 24


# --- What is kept -------------------------------------------------------------------------------------------------------


def test_nothing_kept_names_a_person_and_all_is_forgotten(member, move_clock):
    guess(member.user.email, times=1)
    rows = list(SignInAttemptCount.objects.all())
    assert len(rows) == 3
    assert all(len(row.pk) == 64 and row.forget_at > clock.now() for row in rows)
    assert prune_attempts() == 0
    move_clock(hours=1, seconds=1)
    assert prune_attempts() == 3


def test_the_device_cookie_opens_nothing_and_is_out_of_reach_of_scripts(member, settings):
    known = known_browser(member)
    cookie = known.cookies[settings.DEVICE_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert member.user.email not in cookie.value
    assert known.get("/portal/test/")["Location"].startswith("/account/login/")
    assert enters(known, member, "not the password").status_code == 200
    assert PASSWORD not in cookie.value
