from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts import clocks
from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.errors import NotFound
from apps.keys.models import ApiKey
from apps.keys.selectors import audit_of, key_of, page_of_keys, revoked_keys_of
from apps.keys.services import rename_key, revoke_key, rotate_key
from tests.factories.accounts import AccountFactory
from tests.factories.keys import approved_account, issued_key

pytestmark = pytest.mark.django_db


def test_a_key_is_found_by_its_own_account_and_in_its_environment_alone():
    key, _ = issued_key()
    assert key_of(key.account_id, "test", key.id) == key
    for account_id, environment, key_id in (
        (AccountFactory().id, "test", key.id),
        (key.account_id, "live", key.id),
        (key.account_id, "test", "key_unheard_of"),
    ):
        with pytest.raises(NotFound):
            key_of(account_id, environment, key_id)


def test_pages_go_from_the_newest_key_to_the_oldest_without_revoked_ones():
    account = approved_account()
    keys = sorted((issued_key(account)[0] for _ in range(5)), key=lambda key: key.id, reverse=True)
    issued_key(account, environment="live")
    revoke_key(key=keys.pop(2))

    first = page_of_keys(account.id, "test", limit=2)
    second = page_of_keys(account.id, "test", limit=2, cursor=first.older)

    assert [*first.keys, *second.keys] == keys
    assert (first.older, second.older) == (keys[1].id, None)


def test_the_secrets_of_a_listed_key_are_those_that_still_work_the_current_one_first():
    key, _ = issued_key()
    rotate_key(key=key, overlap=timedelta(0))
    rotate_key(key=key, overlap=timedelta(hours=1))
    ended, ending, current = key.secrets.order_by("id")

    (listed,) = page_of_keys(key.account_id, "test").keys

    assert listed.working_secrets == [current, ending]  # type: ignore[attr-defined]
    assert ended.expires_at <= clock.now()


def test_a_page_has_fifty_keys_and_a_trail_its_last_fifty_changes():
    key, _ = issued_key()
    account, now = key.account, clock.now()
    owner = {"account": account, "environment": "test", "scopes": []}
    ApiKey.objects.bulk_create(ApiKey(**owner, name=f"key {number}") for number in range(50))
    ApiKey.objects.bulk_create(ApiKey(**owner, name="revoked", revoked_at=now) for _ in range(51))
    about = {"account": account, "subject_type": "key", "subject_id": key.pk, "environment": "test"}
    AccountAuditEntry.objects.bulk_create(
        AccountAuditEntry(**about, action="keys.renamed") for _ in range(50)
    )

    page = page_of_keys(account.id, "test")

    assert len(page.keys) == len(revoked_keys_of(account.id, "test")) == len(audit_of(key)) == 50
    assert len(page_of_keys(account.id, "test", cursor=page.older).keys) == 1


def test_a_secret_that_ends_at_this_instant_works_no_more(monkeypatch):
    key, _ = issued_key()
    rotate_key(key=key, overlap=timedelta(hours=1))
    ending, current = key.secrets.order_by("id")

    for instant, working in (
        (ending.expires_at - timedelta(microseconds=1), [current, ending]),
        (ending.expires_at, [current]),
    ):
        monkeypatch.setattr(clock, "_database_now", lambda instant=instant: instant)
        (listed,) = page_of_keys(key.account_id, "test").keys
        assert listed.working_secrets == working  # type: ignore[attr-defined]


def test_a_page_costs_two_statements_however_many_keys_it_has():
    account = AccountFactory()
    for _ in range(3):
        issued_key(account)
    with clocks.working_for(account.id, "test"), CaptureQueriesContext(connection) as captured:
        assert len(page_of_keys(account.id, "test").keys) == 3
    assert len(captured) == 2


def test_revoked_keys_come_the_last_revoked_first():
    account = AccountFactory()
    early, late, standing = (issued_key(account)[0] for _ in range(3))
    revoke_key(key=late)
    revoke_key(key=early)
    assert list(revoked_keys_of(account.id, "test")) == [early, late]
    assert standing not in revoked_keys_of(account.id, "live")


def test_the_trail_of_a_key_is_its_own_newest_first():
    key, _ = issued_key()
    other, _ = issued_key(key.account)
    rename_key(key=key, name="New")
    rotate_key(key=key)
    revoke_key(key=key)
    revoke_key(key=other)
    assert [entry.action for entry in audit_of(key)] == [
        f"keys.{done}" for done in ("revoked", "rotated", "renamed", "created")
    ]
