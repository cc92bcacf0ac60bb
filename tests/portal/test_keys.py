import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest

from apps.accounts.actors import actor_of
from apps.accounts.models import Account, AccountAuditEntry, Role
from apps.accounts.services.live_approval import approve_live
from apps.common import clock
from apps.gateway.errors import ApiKeyExpired, ApiKeyRevoked
from apps.gateway.request_log.models import CallHour
from apps.keys import catalogue
from apps.keys.models import ApiKey, KeyAuditEntry, KeySecret
from apps.keys.scopes import DEFAULT, GRANTABLE
from apps.keys.services.rename import rename_key
from apps.keys.services.revoke import revoke_key
from apps.keys.services.rotate import rotate_key
from apps.portal.shown_once import SESSION_KEY
from tests.factories.accounts import AccountFactory, UserFactory
from tests.factories.keys import issued_key
from tests.portal.person import PASSWORD, Person, member_of
from tests.portal.world.requests import write_down
from tests.support.api import Api

pytestmark = pytest.mark.django_db
LIST, NEW, NEW_LIVE = "/portal/test/keys/", "/portal/test/keys/new/", "/portal/live/keys/new/"
SECRET = re.compile(r"svc_(?:test|live)_[0-9A-Za-z]{38}")
ALLOWS_EVERYTHING = "This list would allow every address; leave it empty to say so."
FILLED: dict[str, Any] = {
    "name": "Web shop",
    "scopes": ["hotels:search"],
    "allowed_ips": "203.0.113.7",
    "settlement_mode": "partner_merchant",
}


def text_of(answer: Any) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


def errors_of(answer: Any) -> dict[str, list[str]]:
    """What is said beside each field."""
    return {name: list(said) for name, said in answer.context["form"].errors.items()}


def path(key: ApiKey, page: str = "") -> str:
    return f"/portal/{key.environment}/keys/{key.pk}/{page}"


def approve(account: Account) -> None:
    approve_live(account=account, approved_by=None)


def let_approval_lapse(account: Account) -> None:
    Account.objects.filter(pk=account.pk).update(live_approved_until=clock.now() - timedelta(days=1))


# --- The list -------------------------------------------------------------------------------------------------------


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


def test_a_row_tells_what_the_key_may_and_when_it_was_used(portal, account):
    key, secret = issued_key(
        account, name="Web shop", actor=actor_of(portal.user), allowed_ips=["203.0.113.7"]
    )
    Api(secret, address="203.0.113.7").get("/v1/account")
    write_down()
    rotate_key(key=key, overlap=timedelta(minutes=90))
    text = text_of(portal.get(LIST))
    prefix = key.secrets.latest("id").prefix
    assert f"Web shop {prefix}… Rotating old secret ends in 1 h 10 scopes, from 1 address" in text
    assert re.search(rf"\d+ s ago .* UTC {portal.user.email}", text)


def test_pages_of_many_keys_hold_each_key_once(portal, account):
    made = {issued_key(account, name=f"Key {n}")[0].pk for n in range(60)}
    first = portal.get(LIST).content.decode()
    older = re.search(r'href="\?cursor=([^"]+)" rel="next"', first)
    second = portal.get(LIST, cursor=older[1]).content.decode()
    listed = [
        re.findall(r'class="row-link" href="/portal/test/keys/([^/]+)/"', page) for page in (first, second)
    ]
    assert ([len(page) for page in listed], {*listed[0], *listed[1]}) == ([50, 10], made)


def test_without_keys_the_next_step_is_said(portal, portal_as, account):
    assert 'href="/portal/test/keys/new/"' in portal.get(LIST).content.decode()
    live = portal.get("/portal/live/keys/")
    assert ("Live keys need an approval" in text_of(live), "keys/new" in live.content.decode()) == (
        True,
        False,
    )
    assert "An owner or a developer" in text_of(portal_as(Role.VIEWER).get(LIST))
    approve(account)
    assert "Create a live key" in text_of(portal.get("/portal/live/keys/"))


# --- Creating -------------------------------------------------------------------------------------------------------


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
    assert {catalogue.find(secret).key_id for secret in secrets} == {key.pk}
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
    assert ("has lapsed" if lapsed else "is not approved for live keys") in text_of(answer)
    assert '<a href="/portal/production-access/">Ask under Production access</a>' in page
    assert ('value="Web shop"' in page, ">\n203.0.113.7</textarea>" in page) == (True, True)


def test_an_approved_account_creates_a_live_key(portal, account):
    approve(account)
    made = portal.post(NEW_LIVE, FILLED, follow=True)
    assert SECRET.search(made.content.decode())[0].startswith("svc_live_")
    assert ApiKey.objects.get().environment == "live"


# --- Asking again ---------------------------------------------------------------------------------------------------


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


def test_a_form_that_is_refused_after_the_password_is_sent_to_its_own_address_again(account):
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    stale.post(NEW, FILLED | {"allowed_ips": "nowhere"})
    answer = stale.post("/account/reauthenticate/", {"password": PASSWORD, "next": NEW})
    assert (answer.status_code, f'method="post" action="{NEW}"' in answer.content.decode()) == (400, True)


# --- Who may --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [Role.VIEWER, Role.FINANCE])
def test_who_may_not_change_keys_sees_no_buttons_and_is_refused(portal_as, account, role):
    key, _ = issued_key(account)
    person: Person = portal_as(role)
    page = person.get(path(key))
    assert ("Owners and developers" in text_of(page), "rotate/" in page.content.decode()) == (True, False)
    pages = ("name/", "addresses/", "rotate/", "end-old/", "revoke/")
    refused = [NEW, *(path(key, page) for page in pages)]
    assert {person.post(each, FILLED).status_code for each in refused} == {403}
    assert [entry.action for entry in KeyAuditEntry.objects.all()] == ["created"]


def test_a_key_is_found_in_its_own_environment_alone(portal, account):
    key, _ = issued_key(account)
    pages = ("", "name/", "addresses/", "rotate/", "end-old/", "revoke/", "secret/")
    assert {portal.get(f"/portal/live/keys/{key.pk}/{page}").status_code for page in pages} == {404}


# --- Changing -------------------------------------------------------------------------------------------------------


def test_renaming(portal, account):
    key, _ = issued_key(account, name="Before")
    answer = portal.post(path(key, "name/"), {"name": "After"}, follow=True)
    assert "The key is called “After” now." in text_of(answer)
    assert f"Renamed from “Before” to “After” {portal.user.email}" in text_of(answer)


def test_changing_addresses(portal, account):
    key, secret = issued_key(account)
    assert "every address" in text_of(portal.get(path(key)))
    answer = portal.post(path(key, "addresses/"), {"allowed_ips": "203.0.113.7"}, follow=True)
    assert "Addresses changed from every address to 203.0.113.7" in text_of(answer)
    assert Api(secret, address="203.0.113.8").get("/v1/account").error_type == "ip_not_allowed"
    assert ">\n203.0.113.7</textarea>" in portal.get(path(key, "addresses/")).content.decode()


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
    assert [entry.action for entry in key.audit_entries.all()] == ["created"]


def test_revoking_is_confirmed_and_immediate(portal, account):
    key, secret = issued_key(account, name="Web shop")
    assert "It cannot be taken back" in text_of(portal.get(path(key, "revoke/")))
    assert catalogue.find(secret).key_id == key.pk
    answer = portal.post(path(key, "revoke/"), follow=True)
    assert "“Web shop” is revoked." in text_of(answer)
    with pytest.raises(ApiKeyRevoked):
        catalogue.find(secret)


def test_of_a_revoked_key_nothing_changes(portal, account):
    key, _ = issued_key(account)
    revoke_key(key=key)
    forms = (("name/", {"name": "New"}), ("rotate/", {"overlap": "0"}), ("addresses/", {}), ("end-old/", {}))
    for page, typed in forms:
        for answer in (portal.get(path(key, page)), portal.post(path(key, page), typed)):
            assert (answer.status_code, answer["Location"]) == (302, path(key)), page
    assert [entry.action for entry in key.audit_entries.order_by("id")] == ["created", "revoked"]


# --- Rotating -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [3_600, 86_400, 604_800])
def test_a_rotation_shows_the_new_secret_and_keeps_the_old_one_for_as_long_as_chosen(
    portal, account, seconds
):
    key, old = issued_key(account)
    shown = portal.post(path(key, "rotate/"), {"overlap": str(seconds)}, follow=True)
    new = SECRET.findall(shown.content.decode())[0]
    assert catalogue.find(new).key_id == catalogue.find(old).key_id == key.pk
    left = key.secrets.earliest("id").expires_at - clock.now()
    assert seconds - 60 < left.total_seconds() <= seconds


def test_a_rotation_at_once_ends_the_old_secret(portal, account):
    key, old = issued_key(account)
    portal.post(path(key, "rotate/"), {"overlap": "0"})
    with pytest.raises(ApiKeyExpired):
        catalogue.find(old)
    assert "Rotated; the old secret ended at once" in text_of(portal.get(path(key)))


def test_rotating_a_live_key_waits_for_the_approval(portal, account):
    approve(account)
    key, secret = issued_key(account, environment="live")
    let_approval_lapse(account)
    answer = portal.post(path(key, "rotate/"), {"overlap": "3600"})
    page = answer.content.decode()
    assert (answer.status_code, "Ask under Production access" in page) == (400, True)
    assert 'name="overlap" value="3600" checked' in page
    assert (key.secrets.count(), catalogue.find(secret).key_id) == (1, key.pk)


def rotated(account: Account) -> tuple[ApiKey, str, str]:
    key, old = issued_key(account, name="Web shop")
    return key, old, rotate_key(key=key)


def silence(key: ApiKey, minutes: int) -> None:
    """As if the rotation and the old secret's last call had been so long ago."""
    at = clock.now() - timedelta(minutes=minutes, seconds=5)
    old, new = key.secrets.order_by("id")
    KeySecret.objects.filter(pk=old.pk).update(created_at=at - timedelta(days=1))
    KeySecret.objects.filter(pk=new.pk).update(created_at=at)
    CallHour.objects.filter(secret_id=old.pk).update(last_call_at=at)


def test_before_the_first_call_with_the_new_secret_it_is_asked_for(portal, account):
    key, old, _ = rotated(account)
    Api(old).get("/v1/account")
    write_down()
    silence(key, minutes=45)
    assert "No call with the new secret yet." in text_of(portal.get(path(key)))


def test_while_the_old_secret_is_in_use_one_waits(portal, account):
    key, old, new = rotated(account)
    for secret in (old, old, new):
        Api(secret).get("/v1/account")
    write_down()
    text = text_of(portal.get(path(key)))
    assert re.search(r"New 1 \d+ s ago .* Old ends in 23 h 2 \d+ s ago", text)
    assert re.search(r"0 calls on the old one for \d+ s only\. Wait", text)


def test_once_the_old_secret_is_silent_the_page_says_so(portal, account):
    key, old, new = rotated(account)
    for secret in (old, new):
        Api(secret).get("/v1/account")
    write_down()
    silence(key, minutes=35)
    text = text_of(portal.get(path(key)))
    assert "0 calls on the old one for 35 min. The traffic has moved" in text


def test_an_old_secret_that_was_never_called_is_silent_since_the_rotation(portal, account):
    key, _, new = rotated(account)
    Api(new).get("/v1/account")
    write_down()
    silence(key, minutes=31)
    assert "0 calls on the old one for 31 min. The traffic has moved" in text_of(portal.get(path(key)))


def test_traffic_is_asked_for_again_only_while_a_rotation_runs(portal, account):
    key, _, _ = rotated(account)
    assert 'hx-trigger="every 10s"' in portal.get(path(key)).content.decode()
    key.secrets.exclude(expires_at=None).update(expires_at=clock.now() - timedelta(hours=1))
    page = portal.get(path(key))
    assert ("ended 1 h ago" in text_of(page), "every 10s" in page.content.decode()) == (True, False)
    key.secrets.exclude(expires_at=None).update(expires_at=clock.now() - timedelta(days=2))
    assert "Traffic since" not in text_of(portal.get(path(key)))


def test_the_old_secret_is_ended_on_a_page_that_says_whose_traffic_is_cut_off(portal, account):
    key, old, new = rotated(account)
    assert f'href="{path(key, "end-old/")}">End the old secret now' in portal.get(path(key)).content.decode()
    for secret in (old, new):
        Api(secret).get("/v1/account")
    write_down()
    asked = text_of(portal.get(path(key, "end-old/")))
    assert f"Every call with {old[:13]}… is refused" in asked
    assert re.search(r"0 calls on the old one for \d+ s only: whoever still uses it is cut off", asked)
    assert Api(old).get("/v1/account").status == 200, "Looking ends nothing"

    answer = portal.post(path(key, "end-old/"), follow=True)

    assert Api(old).get("/v1/account").error_type == "api_key_expired"
    assert Api(new).get("/v1/account").status == 200
    text = text_of(answer)
    assert "The newest secret of “Web shop” is the only one that works now." in text
    assert re.search(rf"Ended the old secret, which had another (23 h|1 day) {portal.user.email}", text)
    assert "End the old secret now" not in text
    assert AccountAuditEntry.objects.latest("id").address == "127.0.0.1"


@pytest.mark.parametrize(
    ("minutes", "called", "says"),
    [(35, True, "0 calls on the old one for 35 min: the traffic has moved."), (35, False, "No call with the new secret yet")],
)  # fmt: skip
def test_before_ending_the_old_secret_the_traffic_is_said(portal, account, minutes, called, says):
    key, old, new = rotated(account)
    for secret in (old, new) if called else (old,):
        Api(secret).get("/v1/account")
    write_down()
    silence(key, minutes=minutes)
    assert says in text_of(portal.get(path(key, "end-old/")))


def test_without_a_rotation_there_is_nothing_to_end(portal, account):
    key, secret = issued_key(account)
    for answer in (portal.get(path(key, "end-old/")), portal.post(path(key, "end-old/"))):
        assert (answer.status_code, answer["Location"]) == (302, path(key))
    assert "No old secret of this key works any more." in text_of(portal.get(path(key)))
    assert catalogue.find(secret).key_id == key.pk
    assert [entry.action for entry in key.audit_entries.all()] == ["created"]


def test_who_may_not_change_keys_is_not_offered_the_end_of_a_secret(portal_as, account):
    key, old, _ = rotated(account)
    viewer = portal_as(Role.VIEWER)
    assert "end-old/" not in viewer.get(path(key)).content.decode()
    assert viewer.post(path(key, "end-old/")).status_code == 403
    assert member_of(AccountFactory(), Role.OWNER).post(path(key, "end-old/")).status_code == 404
    assert catalogue.find(old).key_id == key.pk


def test_the_trail_is_told_newest_first_and_names_none_of_our_people(portal, account):
    key, _ = issued_key(account, name="A", actor=actor_of(portal.user))
    rotate_key(key=key, overlap=timedelta(hours=1), actor=actor_of(UserFactory(is_staff=True)))
    rename_key(key=key, name="B")
    told = re.findall(
        r'<li>(.+?)<br><span class="muted">(.+?), <time', portal.get(path(key)).content.decode()
    )
    assert [(unescape(what), who) for what, who in told] == [
        ("Renamed from “A” to “B”", "Support"),
        ("Rotated; the old secret got another 1 h", "Support"),
        ("Created with 10 scopes, for every address", portal.user.email),
    ]
