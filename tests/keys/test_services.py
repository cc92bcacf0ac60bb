from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from apps.accounts.actors import actor_of
from apps.accounts.models import Account, AccountAuditEntry, Sandbox
from apps.common import clock
from apps.common.errors import ApiKeyExpired, ApiKeyRevoked, Conflict, InvalidRequest
from apps.keys import authentication, scopes
from apps.keys.models import ApiKey, KeySecret
from apps.keys.selectors import audit_of
from apps.keys.services import (
    change_allowed_ips,
    change_expiry,
    change_scopes,
    end_old_secrets,
    issue_key,
    rename_key,
    revoke_key,
    rotate_key,
)
from tests.factories.accounts import AccountFactory, UserFactory
from tests.factories.keys import approved_account, issued_key
from tests.support.api import Api
from tests.support.locks import is_taken, locked
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db


def refused_field(**arguments: object) -> str:
    """The field that issuing refuses; nothing is left behind."""
    defaults = {"environment": "test", "name": "Server"}
    with pytest.raises(InvalidRequest) as refusal:
        issue_key(**{**defaults, **arguments})
    assert not ApiKey.objects.exists()
    assert not KeySecret.objects.exists()
    return refusal.value.extras["details"][0]["field"]


def test_a_new_key_has_the_default_scopes_and_opens_from_anywhere():
    key, secret = issue_key(account=AccountFactory(), environment="test", name=" Server ")

    key.refresh_from_db()
    assert (key.name, key.scopes, key.allowed_ips) == ("Server", list(scopes.DEFAULT), [])
    assert (key.settlement_mode, key.revoked_at, key.changed_at) == ("partner_merchant", None, None)
    assert authentication.authenticate(secret).key_id == key.id


def test_the_trail_says_who_issued_it():
    account, person = AccountFactory(), UserFactory()
    actor = actor_of(person, "198.51.100.7")
    key, _ = issue_key(account=account, environment="test", name="Server", scopes=["esim:read"], actor=actor)

    entry = AccountAuditEntry.objects.get()
    assert (entry.account, entry.subject_id, entry.action) == (account, key.pk, "keys.created")
    assert (entry.actor, entry.actor_label, entry.address) == (person, person.email, "198.51.100.7")
    assert entry.details == {"scopes": ["esim:read"], "allowedIps": []}
    assert key.created_by == person


def test_a_live_key_needs_an_approval_that_runs(move_clock):
    account = AccountFactory()
    assert refused_field(account=account, environment="live") == "environment"

    account = approved_account()
    key, secret = issue_key(account=account, environment="live", name="Server")
    assert (key.environment, secret[:9]) == ("live", "svc_live_")

    move_clock(days=366)
    with pytest.raises(InvalidRequest):
        issue_key(account=account, environment="live", name="Another")
    assert authentication.authenticate(secret).key_id == key.id, (
        "Keys outlive the approval they were issued under"
    )


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"environment": "sandbox"}, "environment"),
        ({"settlement_mode": "traveller_paid"}, "settlementMode"),
        ({"settlement_mode": "other"}, "settlementMode"),
        ({"scopes": ["flights:fly"]}, "scopes.0"),
        ({"scopes": []}, "scopes"),
        ({"allowed_ips": ["0.0.0.0/0"]}, "allowedIps"),
        ({"allowed_ips": ["2001:db8::/32"]}, "allowedIps.0"),
        ({"name": "  "}, "name"),
        ({"name": "n" * 256}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}, "expiresAt"),
    ],
)
def test_what_cannot_be_issued_is_named(arguments, field):
    assert refused_field(account=AccountFactory(), **arguments) == field


# --- How many work at a time ------------------------------------------------------------------------------------------


@pytest.fixture
def few_keys(settings):
    settings.KEYS_PER_ACCOUNT = {"live": 2, "test": 3}


@pytest.mark.usefixtures("few_keys")
@pytest.mark.parametrize(("environment", "most"), [("live", 2), ("test", 3)])
def test_one_key_more_than_may_work_is_refused_and_says_what_to_do(environment, most):
    account = approved_account()
    for _ in range(most):
        issue_key(account=account, environment=environment, name="Server")
    with pytest.raises(InvalidRequest) as refusal:
        issue_key(account=account, environment=environment, name="One more")
    assert refusal.value.extras["details"] == [
        {
            "field": "environment",
            "message": f"An account has at most {most} {environment} keys at a time. Revoke one that is not used any more.",
        }
    ]
    assert account.keys.count() == most


@pytest.mark.usefixtures("few_keys")
def test_what_counts_is_what_works_of_the_account_in_the_environment():
    account = approved_account()
    issue_key(account=approved_account(), environment="live", name="Somebody else's")
    for environment in ("live", "live", "test", "test", "test"):
        key, _ = issue_key(account=account, environment=environment, name="Server")
    rotate_key(key=key)
    with pytest.raises(InvalidRequest):
        issue_key(account=account, environment="test", name="One more")
    revoke_key(key=key)
    issue_key(account=account, environment="test", name="In its place")
    assert account.keys.filter(revoked_at=None).count() == 5


@pytest.mark.usefixtures("few_keys")
@pytest.mark.django_db(transaction=True)
def test_keys_that_are_issued_in_one_moment_are_no_more_than_may_work():
    account = AccountFactory()

    def one() -> bool:
        try:
            issue_key(account=account, environment="test", name="Server")
        except InvalidRequest:
            return False
        return True

    assert sum(all_at_once([one] * 8)) == 3
    assert account.keys.count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_key_is_issued_without_waiting_for_calls_and_bookings_of_the_account():
    """What they write refers to the account, and holds its row for that."""
    account = AccountFactory()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with locked(Account.objects.filter(pk=account.pk), "KEY SHARE"):
        issue_key(account=account, environment="test", name="Server")
    assert ApiKey.objects.count() == 1


def retired(**columns: object) -> Account:
    """An account row whose sandbox was reset or closed."""
    account = AccountFactory(**columns)
    Sandbox.objects.create(account=account, owner=account, name="Old", retired_at=clock.now())
    return account


def test_a_sandbox_that_was_reset_meanwhile_gets_no_key():
    account = retired()
    with pytest.raises(Conflict, match="was reset or closed in the meantime"):
        issue_key(account=account, environment="test", name="Server")
    assert not ApiKey.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_key_of_a_sandbox_waits_for_who_changes_its_partner():
    """Its keys have the terms of the partner: a suspension that is on its way decides."""
    owner = AccountFactory()
    sandbox = AccountFactory(sandbox_of=owner)
    with transaction.atomic():
        issue_key(account=sandbox, environment="test", name="Server")
        assert [is_taken(Account.objects.filter(pk=row.pk)) for row in (owner, sandbox)] == [True, True]
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    bystander = AccountFactory()
    with locked(Account.objects.filter(pk=bystander.pk)):
        assert issue_key(account=sandbox, environment="test", name="Another")[0].account_id == sandbox.pk


def test_it_stops_neither_live_keys_nor_those_of_others():
    retired()
    owner = approved_account()
    Sandbox.objects.create(account=owner, owner=owner, name="Old", retired_at=clock.now())
    other = AccountFactory()
    Sandbox.objects.create(account=other, owner=other, name="In use")
    issued = [
        issue_key(account=account, environment=environment, name="Server")[0]
        for account, environment in ((owner, "live"), (other, "test"))
    ]
    assert ApiKey.objects.count() == len(issued) == 2


def test_a_key_is_as_old_as_the_clock_of_its_sandbox_says():
    account = AccountFactory()
    ahead = timedelta(days=30)
    Sandbox.objects.create(account=account, owner=account, name="Ahead", clock_offset=ahead)
    before = clock.now()
    key, _ = issue_key(account=account, environment="test", name="Server")
    key.refresh_from_db()
    assert before + ahead <= key.created_at <= clock.now() + ahead
    assert before + ahead <= key.secrets.get().created_at <= clock.now() + ahead


def test_a_key_takes_its_new_name_and_the_trail_keeps_both():
    key, _ = issued_key(name="Server")

    renamed = rename_key(key=key, name=" Büro Köln ")

    key.refresh_from_db()
    assert key.name == renamed.name == "Büro Köln"
    entry = AccountAuditEntry.objects.get(action="keys.renamed")
    assert entry.details == {"before": "Server", "after": "Büro Köln"}
    assert (entry.environment, entry.subject_id) == ("test", key.id)


@pytest.mark.django_db(transaction=True)
def test_two_changes_of_one_key_wait_for_each_other_and_not_for_its_account():
    key, _ = issued_key(name="Server")
    with locked(Account.objects.filter(pk=key.account_id), "KEY SHARE"):
        rename_key(key=key, name="Second")
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with locked(ApiKey.objects.filter(pk=key.pk), "NO KEY UPDATE"), pytest.raises(OperationalError):
        rename_key(key=key, name="Third")
    key.refresh_from_db()
    assert (key.name, AccountAuditEntry.objects.filter(action="keys.renamed").count()) == ("Second", 1)


@pytest.mark.parametrize("name", ["n", "n" * 255])
def test_a_name_has_1_to_255_characters(name: str):
    key, _ = issued_key(name="Server")

    assert rename_key(key=key, name=f" {name}\n").name == name


@pytest.mark.parametrize("name", ["", " ", "n" * 256, "two\nlines"])
def test_an_unusable_name_is_refused(name):
    key, _ = issued_key(name="Server")

    with pytest.raises(InvalidRequest):
        rename_key(key=key, name=name)


def test_the_new_list_replaces_the_old_one_and_the_trail_keeps_both():
    key, _ = issued_key(allowed_ips=["203.0.113.7"])

    change_allowed_ips(key=key, allowed_ips=["198.51.100.0/24"])

    key.refresh_from_db()
    assert key.allowed_ips == ["198.51.100.0/24"]
    assert AccountAuditEntry.objects.get(action="keys.allowed_ips_changed").details == {
        "before": ["203.0.113.7"],
        "after": ["198.51.100.0/24"],
    }


def test_an_unusable_list_changes_nothing():
    key, _ = issued_key(allowed_ips=["203.0.113.7"])

    with pytest.raises(InvalidRequest):
        change_allowed_ips(key=key, allowed_ips=["0.0.0.0/1", "128.0.0.0/1"])

    key.refresh_from_db()
    assert (key.allowed_ips, key.changed_at) == (["203.0.113.7"], None)


def test_new_scopes_replace_the_old_ones_and_those_not_offered_any_more_stay(settings):
    key, _ = issued_key(scopes=["account:read", "esim:read", "hotels:search", "bookings:read"])
    settings.SUPPLIERS = {**settings.SUPPLIERS, "esim": {"live": "off"}}

    change_scopes(key=key, scopes=["hotels:book", "account:read"])
    change_scopes(key=key, scopes=["account:read", "hotels:book"])

    key.refresh_from_db()
    assert key.scopes == ["account:read", "hotels:book", "esim:read", "bookings:read"]
    assert [entry.details for entry in AccountAuditEntry.objects.filter(action="keys.scopes_changed")] == [
        {
            "before": ["account:read", "hotels:search", "esim:read", "bookings:read"],
            "after": ["account:read", "hotels:book", "esim:read", "bookings:read"],
        }
    ]


@pytest.mark.parametrize(("scopes", "field"), [([], "scopes"), (["account:read", "hotels:all"], "scopes.1")])
def test_scopes_that_cannot_be_change_nothing(scopes, field):
    key, _ = issued_key()
    before = key.scopes

    with pytest.raises(InvalidRequest) as refusal:
        change_scopes(key=key, scopes=scopes)

    details: Any = refusal.value.extras["details"]
    assert [detail["field"] for detail in details] == [field]
    key.refresh_from_db()
    assert (key.scopes, key.changed_at) == (before, None)


def test_an_expiry_is_in_the_future_by_the_clock_of_the_environment():
    account = AccountFactory()
    ahead = timedelta(days=30)
    Sandbox.objects.create(account=account, owner=account, name="Ahead", clock_offset=ahead)
    key, secret = issued_key(account)
    for past in (clock.now() + timedelta(days=29), key.now()):
        with pytest.raises(InvalidRequest):
            change_expiry(key=key, expires_at=past)
    end = clock.now() + timedelta(days=31)
    for expires_at in (end, end, None):
        change_expiry(key=key, expires_at=expires_at)
    assert Api(secret).get("/v1/account").status == 200
    entries = AccountAuditEntry.objects.filter(action="keys.expiry_changed").order_by("id")
    assert [entry.details for entry in entries] == [
        {"before": None, "after": clock.rfc3339(end)},
        {"before": clock.rfc3339(end), "after": None},
    ]


def test_a_call_with_an_expired_key_says_so_and_the_account_says_when_it_expires(move_clock):
    end = clock.now() + timedelta(hours=1)
    key, secret = issued_key(expires_at=end)
    rotate_key(key=key, overlap=timedelta(hours=2))
    assert Api(secret).get("/v1/account").body["key"]["expiresAt"] == clock.rfc3339(end)
    move_clock(hours=1)
    refused = Api(secret).get("/v1/account")
    assert (refused.status, refused.error_type) == (401, "api_key_expired")
    assert refused.body["error"]["message"] == "This key has expired; use another one."


def test_every_secret_but_the_newest_is_refused_with_the_next_call():
    key, first = issued_key()
    second = rotate_key(key=key)
    newest = rotate_key(key=key)
    for secret in (first, second, newest):
        assert Api(secret).get("/v1/account").status == 200, "And is cached now"

    assert end_old_secrets(key=key) == 2

    answers = [Api(secret).get("/v1/account") for secret in (first, second, newest)]
    assert [answer.status for answer in answers] == [401, 401, 200]
    assert [answer.error_type for answer in answers[:2]] == ["api_key_expired"] * 2


def test_the_keys_beside_it_go_on():
    key, _ = issued_key()
    neighbour, old = issued_key(key.account)
    for each in (key, neighbour):
        rotate_key(key=each)

    end_old_secrets(key=key)

    assert authentication.authenticate(old).key_id == neighbour.id


def test_who_looked_before_a_rotation_ends_nothing():
    key, first = issued_key()
    newest_then = key.secrets.get().pk
    rotate_key(key=key)

    with pytest.raises(InvalidRequest) as refusal:
        end_old_secrets(key=key, newest=newest_then)

    details: Any = refusal.value.extras["details"]
    assert [detail["field"] for detail in details] == ["newest"]
    assert authentication.look_up(first).key_id == key.id
    assert end_old_secrets(key=key, newest=key.secrets.latest("id").pk) == 1


def test_the_trail_says_who_ended_it_and_how_long_it_would_have_gone_on():
    key, _ = issued_key()
    rotate_key(key=key, overlap=timedelta(hours=1))
    would_have_ended = key.secrets.exclude(expires_at=None).get().expires_at
    person = UserFactory()

    end_old_secrets(key=key, actor=actor_of(person, "198.51.100.7"))

    entry = AccountAuditEntry.objects.get(action="keys.old_secrets_ended")
    assert (entry.subject_id, entry.actor, entry.details["secrets"]) == (key.pk, person, 1)
    assert (entry.actor_label, entry.address) == (person.email, "198.51.100.7")
    assert entry.details["wouldHaveEndedAt"][:19] == would_have_ended.isoformat()[:19]


def test_where_nothing_is_in_overlap_nothing_changes(move_clock):
    key, _ = issued_key()
    assert end_old_secrets(key=key) == 0

    rotate_key(key=key, overlap=timedelta(minutes=5))
    move_clock(minutes=6)
    ended = key.secrets.exclude(expires_at=None).get().expires_at

    assert end_old_secrets(key=key) == 0
    assert key.secrets.exclude(expires_at=None).get().expires_at == ended
    assert [entry.action for entry in audit_of(key)] == ["keys.rotated", "keys.created"]


def test_it_needs_no_approval_as_a_rotation_does():
    key, old = issued_key(environment="live")
    rotate_key(key=key, overlap=timedelta(days=30))
    key.account.live_approved_until = key.created_at
    key.account.save()

    assert end_old_secrets(key=key) == 1
    with pytest.raises(ApiKeyExpired):
        authentication.authenticate(old)


def test_a_revoked_key_is_refused_and_its_neighbour_is_not():
    key, secret = issued_key()
    neighbour, other = issued_key(key.account)

    revoked = revoke_key(key=key)

    assert revoked.revoked_at is not None
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)
    assert authentication.authenticate(other).key_id == neighbour.id


def test_revoking_again_changes_nothing(move_clock):
    key, _ = issued_key()
    person = UserFactory()
    first = revoke_key(key=key, actor=actor_of(person))
    move_clock(hours=1)

    second = revoke_key(key=key)

    assert second.revoked_at == first.revoked_at
    assert [entry.actor for entry in AccountAuditEntry.objects.filter(action="keys.revoked")] == [person]


@pytest.mark.parametrize(
    "change",
    [
        rotate_key,
        end_old_secrets,
        partial(change_allowed_ips, allowed_ips=["203.0.113.7"]),
        partial(change_scopes, scopes=["account:read"]),
        partial(change_expiry, expires_at=datetime(2099, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_revoked_key_is_not_changed_any_more(change):
    key, _ = issued_key()
    revoke_key(key=key)

    with pytest.raises(Conflict):
        change(key=key)
