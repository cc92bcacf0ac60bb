"""Promise K2: revocation holds with Redis down, restarted or frozen."""

import time
from pathlib import Path

import pytest

from apps.accounts.terms import set_status
from apps.common import clock, redis
from apps.common.errors import ApiKeyRevoked
from apps.keys import authentication, key_cache, secrets
from apps.keys.bypass import rebypass_recent_changes
from apps.keys.services import revoke_key
from tests.embedded.support import eventually
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.keys.conftest import are_connected
from tests.keys.traffic import Traffic
from tests.support.private_redis import PrivateRedis
from tests.support.trips import counted_redis_attempts, counted_redis_trips

pytestmark = pytest.mark.django_db(transaction=True)


def as_another_process() -> None:
    """Forget connections and breaker: a process that had no call while Redis was away noticed nothing."""
    redis._guarded.cache_clear()


def knows(server: PrivateRedis, secret: str) -> bool:
    return bool(server.client.exists(f"key:{secrets.digest(secret)}"))


def silent_for_long(server: PrivateRedis) -> None:
    """As when nobody could ask it for longer than a minute."""
    server.client.hincrby("key-cache", "heard_at", -61_000)


def refuses(secret: str) -> bool:
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)
    return True


def test_keys_are_found_while_redis_is_down(private_redis):
    key, secret = issued_key()
    private_redis.kill()

    assert authentication.authenticate(secret).key_id == key.id
    private_redis.start()


def test_a_frozen_redis_delays_one_call_by_two_timeouts(frozen, settings, monkeypatch, uses_noted_already):
    key, secret = issued_key()
    authentication.authenticate(secret)
    settings.REDIS_BREAKER_SECONDS = 60
    monkeypatch.setattr(redis, "PATIENCE_RESTORED_SECONDS", 60)

    tried = []
    with frozen():
        for _ in range(2):
            with counted_redis_attempts() as attempts:
                assert authentication.authenticate(secret).key_id == key.id
            tried.append(len(attempts))

    assert tried == [2, 0]


def test_a_key_revoked_while_redis_is_down_stays_refused_after_its_return(private_redis):
    key, secret = issued_key()
    authentication.authenticate(secret)
    private_redis.kill()

    revoke_key(key=key)

    assert refuses(secret)
    private_redis.start()
    as_another_process()
    assert refuses(secret)


def test_a_key_revoked_while_redis_is_frozen_stays_refused_after_the_thaw(frozen):
    key, secret = issued_key()
    authentication.authenticate(secret)
    with frozen():
        revoke_key(key=key)
        assert refuses(secret)

    as_another_process()
    assert refuses(secret)


def test_a_change_that_redis_never_heard_of_shows_by_its_silence(
    private_redis: PrivateRedis, settings, tmp_path: Path
):
    key, secret = issued_key()
    authentication.authenticate(secret)
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    revoke_key(key=key)
    settings.REDIS_URL = private_redis.url
    silent_for_long(private_redis)
    as_another_process()

    assert knows(private_redis, secret)
    assert private_redis.client.keys("bypass:*") == []
    assert refuses(secret)


def test_without_a_silence_the_sweep_tells_redis_what_it_missed(
    private_redis: PrivateRedis, settings, tmp_path: Path
):
    key, secret = issued_key()
    authentication.authenticate(secret)
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    revoke_key(key=key)
    settings.REDIS_URL = private_redis.url
    assert authentication.authenticate(secret).key_id == key.id, "Nothing but the sweep knows yet"

    rebypass_recent_changes()

    assert refuses(secret)


def test_after_a_silence_each_key_is_read_anew_and_then_cached_again(private_redis, uses_noted_already):
    _, secret = issued_key()
    authentication.authenticate(secret)
    silent_for_long(private_redis)

    with counted_redis_trips() as trips:
        authentication.authenticate(secret)
    assert len(trips) == 2
    with counted_redis_trips() as trips:
        authentication.authenticate(secret)
    assert len(trips) == 1


def test_a_fill_that_began_before_a_silence_is_not_believed_after_it(private_redis):
    key, secret = issued_key()
    digest, now = secrets.digest(secret), clock.now()
    missed = key_cache.read(digest, now=now)
    partner = authentication.load(digest)
    private_redis.kill()
    revoke_key(key=key)
    private_redis.start()
    as_another_process()
    key_cache.write(digest, partner, loaded_at=now, generation=missed.generation)

    assert knows(private_redis, secret)
    assert refuses(secret)


def test_a_change_of_status_takes_effect_while_redis_is_down(private_redis):
    account = AccountFactory()
    _, secret = issued_key(account)
    authentication.authenticate(secret)
    private_redis.kill()

    set_status(account=account, status="suspended")

    assert authentication.authenticate(secret).account_status == "suspended"
    private_redis.start()
    as_another_process()
    assert authentication.authenticate(secret).account_status == "suspended"


@pytest.mark.slow
@pytest.mark.usefixtures("short_waits")
def test_freezing_and_thawing_under_traffic_never_accepts_a_revoked_key(private_redis):
    """Rounds of: traffic, freeze, revoke, thaw. No call that begins after the revocation is accepted."""
    for _ in range(5):
        key, secret = issued_key()
        with Traffic(secret, threads=3) as traffic:
            assert eventually(are_connected)
            private_redis.freeze()
            revoke_key(key=key)
            revoked_at = time.monotonic()
            traffic.until_refused(1)
            private_redis.thaw()
            traffic.until_refused(100)
        assert [began for began in traffic.accepted if began > revoked_at] == []
        assert traffic.errors == []
