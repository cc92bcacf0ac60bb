"""Rate limits on sign-in forms: a flood is refused, and other visitors are served."""

import pytest
from django.test import Client

from apps.common import redis as guarded
from apps.portal.sign_in import rate_limits
from tests.portal.person import PASSWORD, code_now
from tests.portal.sign_in.browsers import CODE_PAGE, LOGIN, attempt, enters, known_browser

pytestmark = pytest.mark.django_db
EMPTY = {"login": "", "password": ""}


def empty_form(address: str, **more: str):
    return Client(REMOTE_ADDR=address).post(LOGIN, EMPTY, **more)


def statuses(addresses: list[str]) -> list[int]:
    return [empty_form(address).status_code for address in addresses]


def test_an_address_that_floods_gets_the_page_for_that():
    answers = [empty_form("198.51.100.7") for _ in range(61)]
    assert [answer.status_code for answer in answers] == [200] * 60 + [429]
    page = answers[-1].content.decode()
    assert answers[-1]["Retry-After"] == "60"
    assert ("Too many attempts" in page, "Try again in <strong>60 seconds</strong>" in page) == (True, True)


def test_behind_a_proxy_the_address_is_the_one_the_proxy_saw(settings):
    settings.TRUSTED_PROXY_COUNT = 1
    seen = [{"x-forwarded-for": f"10.0.0.{number}, 198.51.100.7"} for number in range(61)]
    answers = [Client().post(LOGIN, EMPTY, headers=each).status_code for each in seen]
    assert answers == [200] * 60 + [429]


def test_looking_at_the_form_is_never_refused():
    statuses(["198.51.100.7"] * 61)
    assert Client(REMOTE_ADDR="198.51.100.7").get(LOGIN).status_code == 200


def test_five_addresses_that_flood_lock_nobody_else_out(member):
    """More forms than five addresses may send in a minute."""
    for number in range(5):
        statuses([f"198.51.{number}.7"] * 62)
        member.user.refresh_from_db()  # a test's transaction that rests for five seconds is ended
    assert attempt(member.user.email, address="203.0.113.9")["Location"] == CODE_PAGE


def test_a_network_has_a_share_of_its_own(monkeypatch):
    monkeypatch.setattr(rate_limits, "PER_NETWORK", 4)
    assert statuses([f"198.51.100.{number}" for number in range(6)]) == [200] * 4 + [429] * 2
    assert statuses(["198.51.101.1"]) == [200]


def test_an_address_of_ipv6_is_counted_with_those_around_it(monkeypatch):
    monkeypatch.setattr(rate_limits, "PER_ADDRESS", 2)
    assert statuses([f"2001:db8:0:1::{number}" for number in range(1, 4)]) == [200, 200, 429]
    assert statuses(["2001:db8:0:2::1"]) == [200]


def test_who_sends_much_competes_with_those_who_do_alone(monkeypatch, settings):
    monkeypatch.setattr(rate_limits, "QUIET_FORMS", 2)
    settings.SIGN_IN_PER_MINUTE = 20
    crowds = [f"198.51.{number}.7" for number in range(3)]
    taken = [statuses([address] * 8).count(200) for address in crowds]
    assert taken == [8, 6, 2], "two calm ones each, and ten of the busy half for all three"
    assert statuses(["203.0.113.9"] * 2) == [200, 200]


def test_a_flood_from_everywhere_ends_before_browsers_that_are_known(member, settings):
    known = known_browser(member, "192.0.2.1")
    settings.SIGN_IN_PER_MINUTE = 3
    assert statuses([f"198.51.{number}.7" for number in range(5)])[-1] == 429
    assert attempt(member.user.email, address="203.0.113.9").status_code == 429
    assert enters(known, member)["Location"] == CODE_PAGE


def test_a_browser_that_is_known_has_a_bound_too(member, monkeypatch):
    monkeypatch.setattr(rate_limits, "PER_PERSON", 3)
    known = known_browser(member)
    assert [known.post(LOGIN, EMPTY).status_code for _ in range(4)] == [200] * 3 + [429]


@pytest.mark.parametrize("cookie", ["", "x", "a:b:c", "é" * 40, "x" * 5_000])
def test_a_made_up_cookie_makes_no_browser_known(monkeypatch, settings, cookie):
    monkeypatch.setattr(rate_limits, "PER_ADDRESS", 1)
    browser = Client(REMOTE_ADDR="198.51.100.7")
    browser.cookies[settings.DEVICE_COOKIE_NAME] = cookie
    assert [browser.post(LOGIN, EMPTY).status_code for _ in range(2)] == [200, 429]


def test_asking_for_links_is_slowed(member):
    answers = [Client().post("/account/password/reset/", {"email": member.user.email}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429]


def test_without_redis_people_sign_in_and_each_process_counts_for_itself(member, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    settings.REDIS_BREAKER_SECONDS = 60.0
    settings.SIGN_IN_PER_MINUTE = 2
    browser = Client()
    first = browser.post(LOGIN, {"login": member.user.email, "password": PASSWORD})
    assert first.status_code == 302
    assert browser.post(CODE_PAGE, {"code": code_now()})["Location"] == "/"
    assert guarded.guarded().is_open
    assert attempt(member.user.email, address="198.51.100.7").status_code == 429


def test_without_redis_a_flood_from_many_addresses_pushes_no_count_out(settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    settings.REDIS_BREAKER_SECONDS = 60.0
    monkeypatch.setattr(rate_limits, "PER_ADDRESS", 3)
    assert statuses(["203.0.113.77"] * 4) == [200] * 3 + [429]
    for number in range(1_000):
        rate_limits.count(f"address:{number}")
    assert statuses(["203.0.113.77"]) == [429]
