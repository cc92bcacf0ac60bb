"""A change of an account or of a test environment is known with the next call."""

import pytest

from apps.accounts.signals import account_changed, sandbox_changed
from apps.common import redis
from apps.keys import secrets
from tests.factories.accounts import AccountFactory
from tests.factories.keys import approved_account, issued_key

pytestmark = pytest.mark.django_db(transaction=True)


def is_bypassed(secret: str) -> bool:
    return bool(redis.run(lambda client: client.exists(f"bypass:{secrets.digest(secret)}")))


def test_a_change_of_a_sandbox_is_of_its_test_keys_alone() -> None:
    account = approved_account()
    test, live = (issued_key(account=account, environment=name)[1] for name in ("test", "live"))
    of_another = issued_key(account=AccountFactory())[1]
    sandbox_changed.send(sender=None, account_id=account.pk)
    assert [is_bypassed(secret) for secret in (test, live, of_another)] == [True, False, False]


def test_a_change_of_an_account_is_of_all_its_keys_those_of_its_sandboxes_too() -> None:
    account = approved_account()
    sandbox = AccountFactory(sandbox_of=account)
    test, live = (issued_key(account=account, environment=name)[1] for name in ("test", "live"))
    in_sandbox, of_another = (issued_key(account=each)[1] for each in (sandbox, AccountFactory()))
    account_changed.send(sender=None, account=account)
    bypassed = [is_bypassed(secret) for secret in (test, live, in_sandbox, of_another)]
    assert bypassed == [True, True, True, False]
