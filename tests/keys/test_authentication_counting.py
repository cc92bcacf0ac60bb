"""The call is counted in the trip that looks the key up, where the process has checked it against the very same entry."""

import uuid
from datetime import timedelta

import pytest

from apps.accounts.terms import set_status
from apps.common import clock, redis
from apps.common.errors import ApiKeyExpired, ApiKeyRevoked
from apps.common.redis import Counter
from apps.keys import authentication, key_cache, secrets
from apps.keys.models import KeySecret
from apps.keys.services import revoke_key
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


def counted_by(limit: int = 5) -> Counter:
    return Counter(f"rate:test:{uuid.uuid4()}", limit, 120, resets_at=0)


def test_a_known_key_is_counted_in_the_trip_that_finds_it(journal):
    _, secret = issued_key()
    authentication.authenticate(secret)
    counter = counted_by(limit=2)

    found = []
    for _ in range(3):
        with journal(sql=0, trips=1):
            found.append(authentication.authenticate_and_count(secret, lambda _: counter)[1])

    assert [(one.admitted, one.used) for one in found if one] == [(True, 1), (True, 2), (False, 2)]


def test_a_key_that_the_process_does_not_know_is_not_counted(monkeypatch):
    _, secret = issued_key()
    authentication.authenticate(secret)
    monkeypatch.setattr(key_cache, "_known", {})
    counter = counted_by()

    assert authentication.authenticate_and_count(secret, lambda _: counter)[1] is None
    assert authentication.authenticate_and_count(secret, lambda _: counter)[1].used == 1


@pytest.mark.django_db(transaction=True)
def test_a_change_that_another_process_made_is_neither_counted_nor_missed(monkeypatch):
    account = AccountFactory()
    _, secret = issued_key(account)
    counter = counted_by()
    known = authentication.authenticate(secret)
    remembered = dict(key_cache._known)
    set_status(account=account, status="suspended")
    redis.run(
        lambda client: client.delete(f"bypass:{secrets.digest(secret)}", f"key:{secrets.digest(secret)}")
    )
    authentication.authenticate(secret)  # as another process, which caches the new state
    monkeypatch.setattr(key_cache, "_known", remembered)

    asked = []
    partner, counted = authentication.authenticate_and_count(
        secret, lambda partner: asked.append(partner) or counter
    )

    assert asked == [known]
    assert (partner.account_status, counted) == ("suspended", None)


def test_a_secret_that_has_expired_is_not_counted(move_clock):
    key, secret = issued_key()
    KeySecret.objects.filter(key=key).update(expires_at=clock.now() + timedelta(seconds=20))
    authentication.authenticate(secret)
    counter = counted_by()
    move_clock(seconds=21)

    with pytest.raises(ApiKeyExpired):
        authentication.authenticate_and_count(secret, lambda _: counter)
    assert redis.run(lambda client: client.get(counter.key)) is None


@pytest.mark.django_db(transaction=True)
def test_a_revoked_key_is_refused_though_the_process_knows_it():
    key, secret = issued_key()
    authentication.authenticate(secret)
    counter = counted_by()

    revoke_key(key=key)

    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate_and_count(secret, lambda _: counter)
    assert redis.run(lambda client: client.get(counter.key)) is None
