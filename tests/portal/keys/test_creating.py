"""Creating a key: the form, and the secret that is shown once."""

import re

import pytest

from apps.accounts.models import Role
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.scopes import DEFAULT, GRANTABLE
from apps.portal.forms import SESSION_KEY
from tests.factories.accounts import AccountFactory
from tests.portal.keys.reading import (
    ALLOWS_EVERYTHING,
    FILLED,
    NEW,
    NEW_LIVE,
    SECRET,
    approve,
    errors_of,
    let_approval_lapse,
    path,
    text_of,
)
from tests.portal.person import member_of
from tests.support.api import Api

pytestmark = pytest.mark.django_db

ALLOWS_A_SLASH_8 = (
    "This list would allow 16,777,216 addresses, which protects nothing: a /8 or more in all. "
    "Name the ranges that you call from."
)


def test_the_form_says_what_each_scope_opens_and_ticks_the_defaults(portal):
    page = portal.get(NEW).content.decode()
    ticked = re.findall(r'name="scopes" value="([^"]+)" checked', page)
    offered = re.findall(r'name="scopes" value="([^"]+)"', page)
    assert (ticked, offered) == (list(DEFAULT), list(GRANTABLE))
    assert "bookings:read opens nothing: no operation asks for it" in text_of(portal.get(NEW))
    assert 'value="traveller_paid" disabled' in page


@pytest.mark.parametrize(("count", "shown"), [(0, "192.0.2.99"), (1, "198.51.100.7")])
def test_your_address_now_is_the_one_the_gateway_would_see(portal, settings, count, shown):
    settings.TRUSTED_PROXY_COUNT = count
    answer = portal.client.get(NEW, REMOTE_ADDR="192.0.2.99", HTTP_X_FORWARDED_FOR="10.0.0.1, 198.51.100.7")
    assert f"Your address now: {shown} " in text_of(answer)


def test_a_new_key_shows_its_secret_once_and_works(portal):
    made = portal.post(NEW, FILLED)
    key = ApiKey.objects.get(account=portal.account)
    assert (made.status_code, made["Location"]) == (302, path(key, "secret/"))
    assert (key.name, key.scopes, key.allowed_ips) == ("Web shop", ["hotels:search"], ["203.0.113.7"])
    assert key.created_by == portal.user

    shown = portal.get(made["Location"])
    secrets = set(SECRET.findall(shown.content.decode()))
    assert {authentication.authenticate(secret).key_id for secret in secrets} == {key.pk}
    assert len(secrets) == 1
    assert "no-store" in shown["Cache-Control"]

    again = portal.get(made["Location"])
    assert (again.status_code, again["Location"]) == (302, path(key))
    after = portal.get(path(key)).content.decode()
    assert (SECRET.findall(after), "A secret is shown once" in after) == ([], True)


@pytest.mark.parametrize(("scope", "status"), [("account:read", 200), ("hotels:search", 403)])
def test_what_the_first_call_is_said_to_answer_it_answers(portal, scope, status):
    shown = portal.post(NEW, FILLED | {"scopes": [scope], "allowed_ips": ""}, follow=True)
    assert f"It answers {status}" in text_of(shown)
    assert Api(SECRET.findall(shown.content.decode())[0]).get("/v1/account").status == status


def test_between_the_pages_no_secret_is_readable_in_the_session(portal):
    made = portal.post(NEW, FILLED)
    kept = str(dict(portal.client.session))
    secret = SECRET.findall(portal.get(made["Location"]).content.decode())[0]
    assert (SESSION_KEY in kept, secret in kept) == (True, False)
    assert SESSION_KEY not in portal.client.session


def test_a_head_uses_no_secret_up(portal):
    made = portal.post(NEW, FILLED)
    assert portal.client.head(made["Location"]).status_code == 405
    assert SECRET.search(portal.get(made["Location"]).content.decode())


def test_a_secret_is_shown_to_nobody_else(portal, portal_as):
    shown_at = portal.post(NEW, FILLED)["Location"]
    stranger = member_of(AccountFactory(), Role.OWNER)
    assert stranger.get(shown_at).status_code == 404
    assert portal_as(Role.DEVELOPER).get(shown_at).status_code == 302
    assert SECRET.search(portal.get(shown_at).content.decode())


@pytest.mark.parametrize(
    ("typed", "field", "says"),
    [
        ({"name": ""}, "name", "This field is required."),
        ({"name": "   "}, "name", "This field is required."),
        ({"name": "a\x00b"}, "name", "Null characters are not allowed."),
        ({"name": "two\u2028lines"}, "name", "A name has 1 to 255 printable characters."),
        ({"name": "x" * 256}, "name", "Ensure this value has at most 255 characters (it has 256)."),
        ({"scopes": []}, "scopes", "A key needs at least one scope."),
        ({"scopes": ["hotels:all"]}, "scopes", "Select a valid choice. hotels:all is not one of the available choices."),
        ({"scopes": ["\x00"]}, "scopes", "Select a valid choice. \x00 is not one of the available choices."),
        ({"allowed_ips": "203.0.113"}, "allowed_ips", "'203.0.113' is not an IPv4 address or CIDR range."),
        ({"allowed_ips": "0.0.0.0/0"}, "allowed_ips", ALLOWS_EVERYTHING),
        ({"allowed_ips": "11.0.0.0/9\n11.128.0.0/9"}, "allowed_ips", ALLOWS_A_SLASH_8),
        ({"allowed_ips": "0.0.0.0"}, "allowed_ips", "'0.0.0.0' stands for no caller's address."),
        ({"allowed_ips": "0.0.0.0/1\n128.0.0.0/1"}, "allowed_ips", ALLOWS_EVERYTHING),
        ({"allowed_ips": "2001:db8::/32"}, "allowed_ips", "IPv6 ranges are not supported; list the addresses one by one."),
        ({"allowed_ips": "203.0.113.7\x00"}, "allowed_ips", "Null characters are not allowed."),
        ({"allowed_ips": "1.2.3.4\n" * 1_500}, "allowed_ips", "Ensure this value has at most 8000 characters (it has 11999)."),
        ({"allowed_ips": " ".join(f"10.0.0.{n}" for n in range(101))}, "allowed_ips", "At most 100 entries."),
        ({"settlement_mode": "traveller_paid"}, "settlement_mode", "'traveller_paid' is not available."),
        ({"settlement_mode": "barter"}, "settlement_mode", "Select a valid choice. barter is not one of the available choices."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_beside_its_field(portal, typed, field, says):
    answer = portal.post(NEW, FILLED | typed)
    assert (answer.status_code, errors_of(answer)) == (400, {field: [says]})
    assert not ApiKey.objects.exists()


def test_what_was_typed_stays(portal):
    page = portal.post(NEW, FILLED | {"name": "<b>Büro 🛫</b>", "allowed_ips": "nowhere"}).content.decode()
    assert 'value="&lt;b&gt;Büro 🛫&lt;/b&gt;"' in page
    assert ">\nnowhere</textarea>" in page
    assert re.findall(r'name="scopes" value="([^"]+)" checked', page) == ["hotels:search"]


def test_addresses_are_parted_by_lines_spaces_and_commas(portal):
    portal.post(NEW, FILLED | {"allowed_ips": "203.0.113.7, 198.51.100.0/24\r\n\r\n2001:DB8::1 203.0.113.7"})
    assert ApiKey.objects.get().allowed_ips == ["203.0.113.7", "198.51.100.0/24", "2001:db8::1"]


@pytest.mark.parametrize("lapsed", [False, True])
def test_a_live_key_is_refused_without_an_approval_and_nothing_typed_is_lost(portal, account, lapsed):
    if lapsed:
        let_approval_lapse(account)
    answer = portal.post(NEW_LIVE, FILLED)
    page = answer.content.decode()
    assert (answer.status_code, ApiKey.objects.exists()) == (400, False)
    assert ("has expired" if lapsed else "is not approved for live keys") in text_of(answer)
    assert '<a href="/portal/production-access/">Ask under Go live</a>' in page
    assert ('value="Web shop"' in page, ">\n203.0.113.7</textarea>" in page) == (True, True)


def test_an_approved_account_creates_a_live_key(portal, account):
    approve(account)
    made = portal.post(NEW_LIVE, FILLED, follow=True)
    assert SECRET.search(made.content.decode())[0].startswith("svc_live_")
    assert ApiKey.objects.get().environment == "live"


def test_one_key_more_than_may_work_is_refused_on_the_page(portal, settings):
    settings.KEYS_PER_ACCOUNT = {"live": 0, "test": 1}
    portal.post(NEW, FILLED)
    answer = portal.post(NEW, FILLED)
    said = ["An account has at most 1 test keys at a time. Revoke one that is not used any more."]
    assert (answer.status_code, answer.context["form"].errors) == (400, {"__all__": said})
    assert portal.account.keys.count() == 1
