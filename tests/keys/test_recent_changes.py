"""Promise K1 where the process that makes the change cannot reach Redis, and those that serve calls can."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from math import inf

import pytest
from django.db import OperationalError

from apps.accounts.terms import set_status
from apps.keys import authentication, bypass
from apps.keys.services import revoke_key
from config import settings as production
from tests.embedded.support import eventually
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.keys.traffic import Traffic
from tests.support import stack
from tests.support.ports import free_port

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def polling(settings) -> Iterator[Callable[[], bool]]:
    """As in production. What it returns says whether cached keys may be used at all."""
    settings.KEY_POLL_SECONDS = production.KEY_POLL_SECONDS
    yield lambda: bypass.allow_cached("")
    settings.KEY_POLL_SECONDS = 0
    if bypass._thread is not None:
        bypass._thread.join()
    bypass._read_at, bypass._changed = -inf, frozenset()


def without_redis(*arguments: str) -> dict[str, str]:
    """The answer of a management command, run by a process that reaches PostgreSQL alone."""
    address = {"DATABASE_URL": stack.test_database_url(), "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    answer: dict[str, str] = json.loads(stack.manage(address, *arguments, "--json"))
    return answer


def test_a_key_revoked_by_a_process_without_redis_is_refused_within_a_second(polling) -> None:
    key, secret = issued_key()
    with Traffic(secret, threads=2) as traffic:
        assert eventually(polling)
        answer = without_redis("key", "revoke", key.id)
        traffic.until_refused(10)
        since = time.time() - datetime.fromisoformat(answer["revokedAt"]).timestamp()
        revoked_at = time.monotonic() - since

    assert any(began < revoked_at for began in traffic.accepted)
    assert max(traffic.accepted) - revoked_at < 1.0
    assert traffic.errors == []


def test_a_change_of_the_account_is_noticed_as_well(polling, settings) -> None:
    account = AccountFactory.create()
    _, secret = issued_key(account=account)
    authentication.authenticate(secret)
    redis_url, settings.REDIS_URL = settings.REDIS_URL, f"redis://127.0.0.1:{free_port()}/0"
    set_status(account=account, status="suspended")
    settings.REDIS_URL = redis_url

    assert eventually(lambda: authentication.authenticate(secret).account_status == "suspended")


def test_a_key_that_did_not_change_costs_no_statement(polling, journal) -> None:
    changed, _ = issued_key()
    _, secret = issued_key()
    revoke_key(key=changed)
    assert eventually(polling)
    authentication.authenticate(secret)

    with journal(sql=0, trips=1):
        authentication.authenticate(secret)


def test_what_was_read_too_long_ago_is_not_relied_upon(polling, journal, monkeypatch) -> None:
    """As where the thread stands still, or has not read anything yet."""
    _, secret = issued_key()
    assert eventually(polling)
    authentication.authenticate(secret)
    monkeypatch.setattr(bypass, "MAX_AGE_SECONDS", 0.0)

    with journal(sql=1, trips=0):
        authentication.authenticate(secret)


def test_it_goes_on_after_the_database_was_away(polling, monkeypatch) -> None:
    failures = 0
    read = bypass.changed_digests

    def away() -> list[str]:
        nonlocal failures
        failures += 1
        if failures <= 2:
            raise OperationalError("the connection is lost")
        return read()

    monkeypatch.setattr(bypass, "changed_digests", away)
    assert not polling()
    assert eventually(polling)
    assert failures >= 3
