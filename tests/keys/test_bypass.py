import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import connection, transaction

from apps.accounts.clocks import move_clock
from apps.accounts.models import Account
from apps.accounts.terms import set_status
from apps.common import redis
from apps.common.errors import ApiKeyRevoked
from apps.keys import authentication, key_cache, secrets
from apps.keys.bypass import bypass_keys, rebypass_recent_changes
from apps.keys.models import ApiKey
from apps.keys.partner import Partner
from apps.keys.services import rename_key, revoke_key
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.keys import issued_key
from tests.support.locks import until_somebody_waits

pytestmark = pytest.mark.django_db(transaction=True)


def is_bypassed(secret: str) -> bool:
    return bool(redis.run(lambda client: client.exists(f"bypass:{secrets.digest(secret)}")))


def forget_bypass(secret: str) -> None:
    redis.run(lambda client: client.delete(f"bypass:{secrets.digest(secret)}"))


def is_cached(secret: str) -> bool:
    return bool(redis.run(lambda client: client.exists(f"key:{secrets.digest(secret)}")))


def test_a_key_is_bypassed_before_the_commit_and_again_after_it():
    key, secret = issued_key()
    authentication.authenticate(secret)

    with transaction.atomic():
        bypass_keys(ApiKey.objects.filter(id=key.id))
        before_commit = is_bypassed(secret), is_cached(secret)
        forget_bypass(secret)

    assert before_commit == (True, True)
    assert (is_bypassed(secret), is_cached(secret)) == (True, False)


def test_a_change_that_is_rolled_back_does_no_harm():
    key, secret = issued_key()
    authentication.authenticate(secret)

    with suppress(ZeroDivisionError), transaction.atomic():
        rename_key(key=key, name="Never")
        raise ZeroDivisionError

    assert is_bypassed(secret)
    assert authentication.authenticate(secret).key_id == key.id


def test_a_bypass_that_breaks_after_the_commit_keeps_the_change(monkeypatch, caplog):
    key, secret = issued_key()
    bypass = key_cache.bypass

    def breaking(digests, *, forget=False):
        if forget:
            raise RuntimeError("broken")
        bypass(digests)

    monkeypatch.setattr(key_cache, "bypass", breaking)
    revoke_key(key=key)

    assert is_bypassed(secret)
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)


def test_the_sweep_repeats_the_changes_of_two_minutes_and_no_older_ones(move_clock):
    key, secret = issued_key()
    rename_key(key=key, name="Other")
    forget_bypass(secret)

    move_clock(seconds=100)
    assert rebypass_recent_changes() == 1
    assert is_bypassed(secret)

    forget_bypass(secret)
    move_clock(seconds=21)
    assert rebypass_recent_changes() == 0
    assert not is_bypassed(secret)


def test_a_change_of_a_key_bypasses_no_other_key_of_its_account():
    key, secret = issued_key()
    _, sibling = issued_key(key.account)

    rename_key(key=key, name="Other")

    assert [is_bypassed(each) for each in (secret, sibling)] == [True, False]


def test_the_sweep_does_without_redis(private_redis):
    key, _ = issued_key()
    rename_key(key=key, name="Other")
    private_redis.kill()

    assert rebypass_recent_changes() == 1
    private_redis.start()


def one_waits_for_the_other(first: Callable[[], object], second: Callable[[], object]) -> list[object]:
    """What both return: `second` begins while the transaction of `first` is open, and goes on after its commit."""
    under_way, may_end = threading.Event(), threading.Event()

    def hold_open() -> object:
        try:
            with transaction.atomic():
                done = first()
                under_way.set()
                may_end.wait(60)
            return done
        finally:
            connection.close()

    def come_second() -> object:
        try:
            return second()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        held = pool.submit(hold_open)
        assert under_way.wait(60)
        waits = pool.submit(come_second)
        try:
            until_somebody_waits()
        finally:
            may_end.set()
        return [held.result(60), waits.result(60)]


def known_after(change: Callable[[], object], account: Account, *, key_first: bool) -> Partner:
    """What a key is known as that was issued at the same time as the change, and was used at once."""

    def issue() -> str:
        return issued_key(account)[1]

    def issue_and_call() -> str:
        secret = issue()
        authentication.authenticate(secret)
        return secret

    if key_first:
        secret, _ = one_waits_for_the_other(issue, change)
    else:
        _, secret = one_waits_for_the_other(change, issue_and_call)
    return authentication.authenticate(str(secret))


@pytest.mark.parametrize("key_first", [False, True])
@pytest.mark.parametrize("of_a_sandbox", [False, True])
def test_a_key_issued_during_a_suspension_is_not_cached_as_accepting(key_first: bool, of_a_sandbox: bool):
    """Whoever comes second waits: a key that the suspension did not see would be believed for a minute."""
    account = AccountFactory()
    stored_under = AccountFactory(sandbox_of=account) if of_a_sandbox else account

    def suspend() -> None:
        set_status(account=account, status="suspended")

    assert known_after(suspend, stored_under, key_first=key_first).account_status == "suspended"


@pytest.mark.parametrize("key_first", [False, True])
@pytest.mark.parametrize("moved_before", [False, True])
def test_a_key_issued_while_the_clock_moves_has_the_new_time(key_first: bool, moved_before: bool):
    account = AccountFactory()
    if moved_before:
        SandboxFactory(account=account)

    def move() -> None:
        move_clock(account_id=account.pk, by=timedelta(hours=1))

    assert known_after(move, account, key_first=key_first).clock_offset == timedelta(hours=1)
