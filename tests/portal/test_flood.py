"""A flood of sign-ins is slowed per user, per address and overall, and what comes calmly beside it is served."""

from collections.abc import Iterator
from ipaddress import IPv4Address

import pytest
from django.test import Client

from apps.accounts.models import Role
from apps.common import redis as guarded
from apps.portal.sign_in import flood
from tests.portal.person import PASSWORD, Person, code_now, member_of

pytestmark = pytest.mark.django_db

CODE_PAGE = "/account/two-factor/code/"
SLOWED = "Too many failed login attempts. Try again later."


@pytest.fixture
def member(account) -> Person:
    return member_of(account, Role.OWNER)


@pytest.fixture
def addresses() -> Iterator[str]:
    return (str(IPv4Address(number)) for number in range(0xC6336401, 0xC6336500))


def attempt(email: str, password: str, address: str):
    return Client(REMOTE_ADDR=address).post("/account/login/", {"login": email, "password": password})


def test_guessing_at_one_user_is_slowed_wherever_it_comes_from(member, portal, addresses):
    for _ in range(5):
        attempt(member.user.email, "a guess", next(addresses))
    slowed = attempt(member.user.email, PASSWORD, next(addresses))
    assert slowed.context["form"].errors == {"__all__": [SLOWED]}
    assert attempt(portal.user.email, PASSWORD, next(addresses))["Location"] == CODE_PAGE


def test_guessing_from_one_address_is_slowed_whoever_is_meant(member):
    for number in range(10):
        attempt(f"person{number}@elsewhere.example", "a guess", "198.51.100.7")
    slowed = attempt(member.user.email, PASSWORD, "198.51.100.7")
    assert slowed.context["form"].errors == {"__all__": [SLOWED]}
    assert attempt(member.user.email, PASSWORD, "198.51.100.8")["Location"] == CODE_PAGE


def test_an_address_that_floods_gets_the_page_for_that(member):
    answers = [attempt(member.user.email, PASSWORD, "198.51.100.7") for _ in range(31)]
    assert [answer.status_code for answer in answers] == [302] * 30 + [429]
    assert answers[-1]["Retry-After"] == "60"
    assert "Too many attempts" in answers[-1].content.decode()


def test_behind_a_proxy_the_address_is_the_one_the_proxy_saw(member, settings):
    settings.TRUSTED_PROXY_COUNT = 1
    for number in range(31):
        seen = {"x-forwarded-for": f"10.0.0.{number}, 198.51.100.7"}
        last = Client().post("/account/login/", {"login": "", "password": ""}, headers=seen)
    assert last.status_code == 429


def test_a_flood_from_everywhere_is_slowed_overall(member, addresses, settings):
    settings.SIGN_IN_PER_MINUTE = 3
    for number in range(3):
        assert attempt(f"person{number}@elsewhere.example", "a guess", next(addresses)).status_code == 200
    slowed = attempt(member.user.email, PASSWORD, next(addresses))
    assert (slowed.status_code, slowed["Retry-After"]) == (429, "60")
    assert Client().get("/account/login/").status_code == 200, "Looking at the form costs nothing"


def test_one_address_alone_locks_nobody_else_out(member, addresses, settings, monkeypatch):
    monkeypatch.setattr(flood, "PER_ADDRESS", 3)
    settings.SIGN_IN_PER_MINUTE = 5
    answers = [attempt("nobody@elsewhere.example", "a guess", "198.51.100.7") for _ in range(8)]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 5
    assert attempt(member.user.email, PASSWORD, next(addresses))["Location"] == CODE_PAGE


def test_guessing_at_codes_is_slowed(member):
    browser = Client()
    browser.post("/account/login/", {"login": member.user.email, "password": PASSWORD})
    for _ in range(5):
        browser.post(CODE_PAGE, {"code": "000000"})
    slowed = browser.post(CODE_PAGE, {"code": code_now()})
    assert slowed.context["form"].errors == {"code": [SLOWED]}


def test_asking_for_links_is_slowed(member):
    answers = [Client().post("/account/password/reset/", {"email": member.user.email}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429]


def test_without_redis_people_sign_in_and_each_process_counts_for_itself(member, settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    settings.REDIS_BREAKER_SECONDS = 60.0
    settings.SIGN_IN_PER_MINUTE = 2
    browser = Client()
    assert (
        browser.post("/account/login/", {"login": member.user.email, "password": PASSWORD}).status_code == 302
    )
    assert browser.post(CODE_PAGE, {"code": code_now()})["Location"] == "/"
    assert guarded.guarded().is_open
    assert attempt(member.user.email, PASSWORD, "198.51.100.7").status_code == 429
