from datetime import timedelta

import pytest

from apps.accounts.actors import Actor
from apps.common import clock
from apps.common.errors import NotFound
from apps.keys.selectors import audit_of, key_actor, key_of, page_of_keys, revoked_keys_of
from apps.keys.services import rename_key, revoke_key, rotate_key
from tests.factories.accounts import AccountFactory
from tests.factories.gateway import partner_of
from tests.factories.keys import approved_account, issued_key
from tests.support.api import Api

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


@pytest.mark.django_db
def test_a_key_acts_under_its_own_name_from_where_it_was_sent():
    account = issued_key(name="Server")[0].account
    _, secret = issued_key(account, name="Büro")

    actor = key_actor(partner_of(Api(secret)), "203.0.113.7")

    assert actor == Actor("API key “Büro”", address="203.0.113.7")
