"""The pages of API keys: the list, creating, changing, revoking, and who may."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from apps.accounts.clocks import move_clock as move_sandbox
from apps.accounts.models import Role
from apps.common import clock
from apps.common.errors import ApiKeyRevoked
from apps.keys import authentication
from apps.keys.models import ApiKey, KeySecret
from apps.keys.scopes import DEFAULT, ENFORCED
from apps.keys.selectors import audit_of
from apps.keys.services import change_expiry, revoke_key
from apps.portal.forms import SESSION_KEY
from apps.portal.key_forms import PRESETS, access_label, preset_scopes
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.portal.person import PASSWORD, member_of
from tests.portal.reading import (
    ALLOWS_EVERYTHING,
    FILLED,
    LIST,
    NEW,
    NEW_LIVE,
    SECRET,
    approve,
    errors_of,
    let_approval_lapse,
    path,
    text_of,
)
from tests.request_log.calls import log
from tests.support.api import Api

pytestmark = pytest.mark.django_db


def test_the_list_is_of_one_environment_and_folds_what_is_revoked(portal, account):
    approve(account)
    issued_key(account, name="Standing")
    issued_key(account, name="Of live", environment="live")
    gone, _ = issued_key(account, name="Gone")
    revoke_key(key=gone)
    page = portal.get(LIST).content.decode()
    standing, folded = page.split("<details>\n  <summary")
    assert [name in standing for name in ("Standing", "Gone", "Of live")] == [True, False, False]
    assert [name in folded for name in ("Standing", "Gone", "Of live")] == [False, True, False]


ALLOWS_A_SLASH_8 = (
    "This list would allow 16,777,216 addresses, which protects nothing: a /8 or more in all. "
    "Name the ranges that you call from."
)


def test_the_form_says_what_each_scope_opens_and_ticks_the_defaults(portal):
    page = portal.get(NEW).content.decode()
    ticked = re.findall(r'name="scopes" value="([^"]+)" checked', page)
    offered = re.findall(r'name="scopes" value="([^"]+)"', page)
    assert (ticked, offered) == (list(DEFAULT), list(ENFORCED))
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


def test_between_the_pages_no_secret_is_readable_in_the_session(portal):
    made = portal.post(NEW, FILLED)
    kept = str(dict(portal.client.session))
    secret = SECRET.findall(portal.get(made["Location"]).content.decode())[0]
    assert (SESSION_KEY in kept, secret in kept) == (True, False)
    assert SESSION_KEY not in portal.client.session


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
        ({"name": "two\u2028lines"}, "name", "A name has 1 to 255 printable characters."),
        ({"scopes": []}, "scopes", "A key needs at least one scope."),
        ({"scopes": ["hotels:all"]}, "scopes", "Select a valid choice. hotels:all is not one of the available choices."),
        ({"allowed_ips": "0.0.0.0/0"}, "allowed_ips", ALLOWS_EVERYTHING),
        ({"allowed_ips": "11.0.0.0/9\n11.128.0.0/9"}, "allowed_ips", ALLOWS_A_SLASH_8),
        ({"settlement_mode": "traveller_paid"}, "settlement_mode", "'traveller_paid' is not available."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_beside_its_field(portal, typed, field, says):
    answer = portal.post(NEW, FILLED | typed)
    assert (answer.status_code, errors_of(answer)) == (400, {field: [says]})
    assert not ApiKey.objects.exists()


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


def test_renaming(portal, account):
    key, _ = issued_key(account, name="Before")
    answer = portal.post(path(key, "name/"), {"name": "After"}, follow=True)
    assert "The key is called “After” now." in text_of(answer)
    assert f"Renamed the key After, which was called “Before” {portal.user.email}" in text_of(answer)


def test_changing_addresses(portal, account):
    key, secret = issued_key(account)
    assert "every address" in text_of(portal.get(path(key)))
    answer = portal.post(path(key, "addresses/"), {"allowed_ips": "203.0.113.7"}, follow=True)
    assert "Changed the addresses of the key Server from every address to 203.0.113.7" in text_of(answer)
    assert Api(secret, address="203.0.113.8").get("/v1/account").error_type == "ip_not_allowed"
    assert ">\n203.0.113.7</textarea>" in portal.get(path(key, "addresses/")).content.decode()


def test_setting_spend_limits(account):
    key, secret = issued_key(account)
    WalletFactory(account=account)
    finance = member_of(account, Role.FINANCE)
    typed = {"per_booking_cents": "100", "per_month_cents": "2000.50", "approval_above_cents": "20"}
    answer = finance.post(path(key, "limits/"), typed, follow=True)
    limits = "100.00 EUR a booking, 2,000.50 EUR a month, approval above 20.00 EUR"
    assert f"Changed the spend limits of the key Server from none to {limits}" in text_of(answer)
    assert Api(secret).get("/v1/account").body["limits"]["spend"]["perMonthCents"] == 200_050
    for typed, field in [
        ({"per_day_cents": "-1"}, "per_day_cents"),
        ({"per_booking_cents": "2", "per_day_cents": "1"}, "per_booking_cents"),
        ({"per_month_cents": "0.001"}, "per_month_cents"),
        ({"approval_above_cents": "-1"}, "approval_above_cents"),
        ({"approval_above_cents": "2", "per_booking_cents": "1"}, "approval_above_cents"),
    ]:
        answer = finance.post(path(key, "limits/"), typed)
        assert (answer.status_code, list(errors_of(answer))) == (400, [field])
    assert member_of(account, Role.DEVELOPER).post(path(key, "limits/"), {}).status_code == 403


def test_the_list_shows_use_access_and_expiry_of_each_key(portal, account):
    key, _ = issued_key(account, name="Shop", scopes=preset_scopes("search"))
    issued_key(account, name="Other", allowed_ips=["203.0.113.7"], scopes=["account:read", "ledger:read"])
    change_expiry(key=key, expires_at=clock.now() + timedelta(days=3, hours=1))
    for status in (200, 409):
        log(key, created_at=clock.now(), client_address="198.51.100.7", status=status)
    rows = {row.key.name: row for row in portal.get(LIST).context["rows"]}
    shop, other = rows["Shop"], rows["Other"]
    assert (shop.calls, shop.errors, shop.last_call.address) == (2, 1, "198.51.100.7")
    assert (shop.access, shop.expires_soon, other.access) == ("Search only", True, "2 scopes")
    shown = text_of(portal.get(LIST))
    assert "in 3 days" in shown
    assert "2 scopes 1 address 0 none in 30 days never" in shown


def test_of_a_sandbox_ahead_the_last_call_was_just_now_and_the_expiry_is_by_its_clock(portal, account):
    key, _ = issued_key(account)
    change_expiry(key=key, expires_at=clock.now() + timedelta(days=3))
    log(key, created_at=clock.now(), client_address="198.51.100.7")
    move_sandbox(account_id=account.pk, by=timedelta(days=10))
    shown = text_of(portal.get(LIST))
    assert [said in shown for said in ("Expired", "7 days ago")] == [True, True]
    assert re.search(r"\d s ago 198\.51\.100\.7", shown)
    assert "This key has expired." in text_of(portal.get(path(key)))


def test_a_preset_fills_the_scopes_in_and_says_which_is_chosen(portal, account):
    key, _ = issued_key(account)
    for page in (NEW, path(key, "scopes/")):
        answer = portal.get(f"{page}?preset=search").content.decode()
        ticked = re.findall(r'name="scopes" value="([^"]+)" checked', answer)
        assert ticked == [
            "account:read", "hotels:search", "flights:search", "transfers:search", "esim:read",
        ], page  # fmt: skip
        assert re.findall(r'aria-current="true">([^<]+)<', answer)[-1] == "Search only"
        assert (
            'name="scopes" value="hotels:book" checked' in portal.get(f"{page}?preset=odd").content.decode()
        )
    assert [access_label(preset_scopes(name)) for name in PRESETS] == [label for label, _ in PRESETS.values()]


def test_adding_scopes_is_saved_and_removing_them_is_confirmed_first(portal, account):
    key, secret = issued_key(account, scopes=["account:read", "hotels:search", "bookings:read"])
    page = path(key, "scopes/")
    assert "bookings:read, which cannot be chosen here" in text_of(portal.get(page))
    added = ["account:read", "hotels:search", "hotels:book"]
    answer = portal.post(page, {"scopes": added}, follow=True)
    assert "Changed the scopes of the key Server: added hotels:book" in text_of(answer)

    log(key, created_at=clock.now(), operation="getAccount")
    asked = portal.post(page, {"scopes": ["hotels:search", "ledger:read"]})
    shown = text_of(asked)
    assert asked.status_code == 200
    assert "Remove 2 scopes from “Server”? " in shown
    assert (
        "account:read (the account, its balance, its limits and the key itself): 1 call in the last 24 h."
        in shown
    )
    assert "hotels:book (booking, reading and cancelling hotels): no call in the last 24 h." in shown
    assert "Added: ledger:read." in shown
    assert Api(secret).get("/v1/account").status == 200

    sent = re.findall(r'type="hidden" name="(scopes|removes)" value="([^"]+)"', asked.content.decode())
    typed = {"scopes": [value for name, value in sent if name == "scopes"], "removes": dict(sent)["removes"]}
    stale = portal.post(page, typed | {"scopes": ["ledger:read"]})
    assert "Remove 3 scopes" in text_of(stale), "More than was confirmed"
    answer = portal.post(page, typed, follow=True)
    assert "Saved. The scopes apply from the next call." in text_of(answer)
    key.refresh_from_db()
    assert key.scopes == ["ledger:read", "hotels:search", "bookings:read"]
    assert Api(secret).get("/v1/account").error_type == "insufficient_scope"


def test_a_key_expires_on_a_day_that_can_be_changed(portal, account):
    portal.post(NEW, FILLED | {"expires_at": "2099-12-31"})
    key = ApiKey.objects.get(account=account)
    assert key.expires_at == datetime(2099, 12, 31, tzinfo=UTC)
    page = path(key, "expiry/")
    assert 'value="2099-12-31"' in portal.get(page).content.decode()
    answer = portal.post(page, {"expires_at": "2100-01-31"}, follow=True)
    assert "The key expires on 31 Jan 2100, 00:00 UTC." in text_of(answer)
    assert "Changed when the key expires Web shop from 31 Dec 2099 to 31 Jan 2100" in text_of(answer)
    assert "The key does not expire." in text_of(portal.post(page, {"expires_at": ""}, follow=True))


def test_the_page_of_a_key_names_the_addresses_that_it_was_used_from(
    portal, account, django_assert_max_num_queries
):
    key, _ = issued_key(account)
    for address in ("198.51.100.7", "198.51.100.8", "198.51.100.7"):
        log(key, created_at=clock.now(), client_address=address)
    portal.get(path(key))
    with django_assert_max_num_queries(12):
        shown = text_of(portal.get(path(key)))
    assert re.search(r"198\.51\.100\.7 \d+ s ago , 2 calls 198\.51\.100\.8 \d+ s ago , 1 call ", shown)
    assert "Last addresses 198.51.100.7" in text_of(portal.get(path(key, "addresses/")))


def test_before_revoking_the_page_says_how_much_the_key_is_used(portal, account, move_clock):
    key, _ = issued_key(account)
    assert "No call in the last 30 days." in text_of(portal.get(path(key, "revoke/")))
    for _ in range(2):
        log(key, created_at=clock.now())
    assert re.search(
        r"2 calls in the last hour, the last \d+ s ago\.", text_of(portal.get(path(key, "revoke/")))
    )
    move_clock(hours=2)
    assert "No call in the last hour; the last 2 h ago." in text_of(
        member_of(account, Role.OWNER).get(path(key, "revoke/"))
    )


TOO_MANY = "\n".join(f"203.0.113.{number}" for number in range(101))


@pytest.mark.parametrize(
    ("page", "typed", "field"),
    [
        ("new/", {"expires_at": "2020-01-01"}, "expires_at"),
        ("new/", {"expires_at": "31.12.2099"}, "expires_at"),
        ("new/", {"expires_at": "2099-02-30"}, "expires_at"),
        ("new/", {"expires_at": "2099-12-31\x00"}, "expires_at"),
        ("new/", {"name": "n" * 256}, "name"),
        ("new/", {"name": "a\x07b"}, "name"),
        ("new/", {"allowed_ips": TOO_MANY}, "allowed_ips"),
        ("new/", {"allowed_ips": "1" * 8_001}, "allowed_ips"),
        ("new/", {"allowed_ips": "203.0.113.7\x00"}, "allowed_ips"),
        ("new/", {"scopes": ["bookings:read"]}, "scopes"),
        ("{key}/scopes/", {"scopes": []}, "scopes"),
        ("{key}/scopes/", {"scopes": ["hotels:all"]}, "scopes"),
        ("{key}/expiry/", {"expires_at": "0001-01-01"}, "expires_at"),
        ("{key}/expiry/", {"expires_at": "tomorrow"}, "expires_at"),
        ("{key}/addresses/", {"allowed_ips": TOO_MANY}, "allowed_ips"),
    ],
)
def test_bad_input_is_refused_with_a_summary_and_what_was_typed(portal, account, page, typed, field):
    key, _ = issued_key(account)
    answer = portal.post(LIST + page.format(key=key.pk), (FILLED if page == "new/" else {}) | typed)
    shown = answer.content.decode()
    assert (answer.status_code, list(errors_of(answer))) == (400, [field])
    assert re.search(r'role="alert" tabindex="-1" autofocus>.*There is a problem', shown, re.DOTALL)
    if page == "new/" and field != "name":
        assert 'value="Web shop"' in shown
    assert [entry.action for entry in audit_of(key)] == ["keys.created"]
    assert ApiKey.objects.count() == 1


@pytest.mark.parametrize(
    ("page", "typed", "field"),
    [
        ("name/", {"name": "\u202eevil"}, "name"),
        ("addresses/", {"allowed_ips": "0.0.0.0/0"}, "allowed_ips"),
        ("rotate/", {"overlap": "31536000"}, "overlap"),
        ("rotate/", {"overlap": "\x00"}, "overlap"),
        ("rotate/", {}, "overlap"),
    ],
)
def test_a_change_that_cannot_be_is_said_beside_its_field(portal, account, page, typed, field):
    key, _ = issued_key(account)
    answer = portal.post(path(key, page), typed)
    assert (answer.status_code, list(errors_of(answer))) == (400, [field])
    assert [entry.action for entry in audit_of(key)] == ["keys.created"]


def test_revoking_is_confirmed_and_immediate(portal, account):
    key, secret = issued_key(account, name="Web shop")
    assert "You cannot undo this" in text_of(portal.get(path(key, "revoke/")))
    assert authentication.authenticate(secret).key_id == key.pk
    answer = portal.post(path(key, "revoke/"), follow=True)
    assert "“Web shop” is revoked." in text_of(answer)
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)


def test_of_a_revoked_key_nothing_changes(portal, account):
    key, _ = issued_key(account)
    revoke_key(key=key)
    forms = (
        ("name/", {"name": "New"}),
        ("scopes/", {"scopes": ["account:read"]}),
        ("expiry/", {}),
        ("rotate/", {"overlap": "0"}),
        ("addresses/", {}),
        ("end-old/", {}),
    )
    for page, typed in forms:
        for answer in (portal.get(path(key, page)), portal.post(path(key, page), typed)):
            assert (answer.status_code, answer["Location"]) == (302, path(key)), page
    assert [entry.action for entry in audit_of(key)] == ["keys.revoked", "keys.created"]


@pytest.mark.parametrize("page", ["new/", "{key}/rotate/", "{key}/secret/"])
def test_creating_rotating_and_showing_ask_for_the_password_again(account, page):
    key, _ = issued_key(account)
    stale = member_of(account, Role.DEVELOPER, seconds_ago=301)
    where = LIST + page.format(key=key.pk)
    answers = [stale.get(where)] if "secret" in page else [stale.get(where), stale.post(where, FILLED)]
    assert {(answer.status_code, answer["Location"].split("?")[0]) for answer in answers} == {
        (302, "/account/reauthenticate/")
    }
    assert (ApiKey.objects.count(), KeySecret.objects.count()) == (1, 1)


def test_a_form_that_was_filled_in_slowly_is_carried_out_after_the_password(account):
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    stale.post(NEW, FILLED)
    done = stale.post("/account/reauthenticate/", {"password": PASSWORD, "next": NEW}, follow=True)
    assert SECRET.search(done.content.decode())
    assert ApiKey.objects.get().name == "Web shop"
