"""Every change of a key or its account is visible with the next look-up (the key cache notwithstanding)."""

from datetime import timedelta

import pytest

from apps.accounts.terms import set_status
from apps.common import clock, redis
from apps.common.errors import ApiKeyExpired, ApiKeyRevoked
from apps.keys import authentication, key_cache, secrets
from apps.keys.services import (
    change_allowed_ips,
    change_expiry,
    change_scopes,
    end_old_secrets,
    revoke_key,
    rotate_key,
)
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.keys.cached import cached_entry

pytestmark = pytest.mark.django_db(transaction=True)


def test_revocation():
    key, secret = issued_key()
    authentication.authenticate(secret)
    assert cached_entry(secret) is not None

    revoke_key(key=key)

    assert cached_entry(secret) is None
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)


def test_revocation_of_every_secret_of_the_key():
    key, old = issued_key()
    new = rotate_key(key=key)

    revoke_key(key=key)

    for secret in (old, new):
        with pytest.raises(ApiKeyRevoked):
            authentication.authenticate(secret)


def test_the_early_end_of_an_old_secret():
    key, old = issued_key()
    new = rotate_key(key=key)
    for secret in (old, new):
        authentication.authenticate(secret)  # while bypassed, and cached from here on
    redis.run(lambda client: client.delete(*(f"bypass:{secrets.digest(each)}" for each in (old, new))))
    assert authentication.authenticate(old).key_id == authentication.authenticate(new).key_id
    assert cached_entry(old) is not None

    end_old_secrets(key=key)

    assert cached_entry(old) is None
    with pytest.raises(ApiKeyExpired):
        authentication.authenticate(old)
    assert authentication.authenticate(new).key_id == key.id


def test_revocation_with_a_fill_in_flight():
    key, secret = issued_key()
    digest, now = secrets.digest(secret), clock.now()
    missed = key_cache.read(digest, now=now)
    partner = authentication.load(digest)

    revoke_key(key=key)
    key_cache.write(digest, partner, loaded_at=now, generation=missed.generation)

    assert cached_entry(secret) is not None
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)

    # Without the bypass that stale entry would be believed: this is what holds the door.
    redis.run(lambda client: client.delete(f"bypass:{digest}"))
    assert authentication.authenticate(secret) == partner


def test_allowed_addresses():
    key, secret = issued_key()
    authentication.authenticate(secret)

    change_allowed_ips(key=key, allowed_ips=["203.0.113.7"])

    assert authentication.authenticate(secret).allowed_ips == ("203.0.113.7",)


def test_scopes():
    key, secret = issued_key(scopes=["account:read", "hotels:search"])
    authentication.authenticate(secret)
    assert cached_entry(secret) is not None

    change_scopes(key=key, scopes=["hotels:search", "hotels:book"])

    assert authentication.authenticate(secret).scopes == {"hotels:search", "hotels:book"}


def test_an_expiry_and_its_end_with_every_secret_of_the_key(move_clock):
    key, old = issued_key()
    new = rotate_key(key=key, overlap=timedelta(days=3))
    for secret in (old, new):
        authentication.authenticate(secret)
    end = clock.now() + timedelta(days=1)

    change_expiry(key=key, expires_at=end)

    assert {authentication.authenticate(secret).key_expires_at for secret in (old, new)} == {end}
    move_clock(days=1)
    for secret in (old, new):
        with pytest.raises(ApiKeyExpired) as refused:
            authentication.authenticate(secret)
        assert (refused.value.message, refused.value.why) == (
            "This key has expired; use another one.",
            f"this key, which expired on {clock.rfc3339(end)}",
        )
    change_expiry(key=key, expires_at=None)
    assert authentication.authenticate(new).key_id == key.id


def test_a_cached_key_expires_at_its_instant(move_clock):
    key, secret = issued_key(expires_at=clock.now() + timedelta(seconds=30))
    authentication.authenticate(secret)
    assert cached_entry(secret) is not None
    move_clock(seconds=29)
    assert authentication.authenticate(secret).key_id == key.id
    move_clock(seconds=1)
    with pytest.raises(ApiKeyExpired):
        authentication.authenticate(secret)


def test_while_bypassed_nothing_is_cached(journal):
    account = AccountFactory()
    _, secret = issued_key(account)
    set_status(account=account, status="read-only")

    for _ in range(2):
        with journal(sql=1, trips=1):
            authentication.authenticate(secret)
