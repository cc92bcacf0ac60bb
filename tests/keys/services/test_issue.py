from datetime import timedelta

import pytest
from django.db import connection, transaction

from apps.accounts.actors import actor_of
from apps.accounts.models import Account, AccountAuditEntry, Sandbox
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest
from apps.keys import authentication, scopes, secrets
from apps.keys.models import ApiKey, KeySecret
from apps.keys.services import issue_key, revoke_key, rotate_key
from tests.factories.accounts import AccountFactory, UserFactory
from tests.factories.keys import approved_account
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


def test_the_secret_is_kept_as_its_digest_and_never_expires_by_itself():
    key, secret = issue_key(account=AccountFactory(), environment="test", name="Server")

    kept = key.secrets.get()
    assert (kept.digest, kept.prefix) == (secrets.digest(secret), secret[:13])
    assert (kept.expires_at, kept.last_used_at) == (None, None)


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


def test_an_approval_ends_at_its_last_instant():
    account = AccountFactory(live_approved_until=clock.now() - timedelta(seconds=1))

    assert refused_field(account=account, environment="live") == "environment"


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
    ],
)
def test_what_cannot_be_issued_is_named(arguments, field):
    assert refused_field(account=AccountFactory(), **arguments) == field


# --- How many work at a time ------------------------------------------------------------------------------------------


@pytest.fixture
def few_keys(settings):
    settings.KEYS_PER_ACCOUNT = {"live": 2, "test": 3}


def test_twenty_live_and_a_hundred_test_keys_are_the_deployment_s_default(settings):
    assert settings.KEYS_PER_ACCOUNT == {"live": 20, "test": 100}


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


def test_a_key_without_a_word_about_addresses_opens_from_anywhere():
    assert ApiKey().allowed_ips == []


def retired(**columns: object) -> Account:
    """An account row whose sandbox was reset or closed."""
    account = AccountFactory(**columns)
    Sandbox.objects.create(account=account, owner=account, name="Old", retired_at=clock.now())
    return account


def test_a_sandbox_that_was_reset_meanwhile_gets_no_key():
    account = retired()
    with pytest.raises(Conflict, match="was reset or closed meanwhile"):
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
