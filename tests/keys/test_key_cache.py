"""What Redis keeps of a key is what PostgreSQL told, in another process too."""

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from apps.common import clock, redis
from apps.keys import key_cache
from apps.keys.partner import Partner

pytestmark = pytest.mark.django_db

DIGEST = "d" * 64
WHOLE = Partner(
    account_id="acc_sandbox",
    account_status="active",
    key_id="key_1",
    environment="test",
    scopes=frozenset({"esim:read", "hotels:book"}),
    allowed_ips=("203.0.113.0/24",),
    currency="EUR",
    markup_bp=250,
    rates={"SEARCH": 11, "BOOKING": 12, "READ": 13},
    search_quota=4_000,
    secret_expires_at=datetime(2027, 1, 2, tzinfo=UTC),
    key_expires_at=datetime(2027, 2, 3, tzinfo=UTC),
    secret_id=7,
    clock_offset=timedelta(hours=5),
    owner_id="acc_owner",
    faults={"error_share": 2_000, "seed": 7},
)


@pytest.fixture
def another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has not read the key yet."""
    monkeypatch.setattr(key_cache, "_known", {})


def written(partner: Partner, at: datetime, digest: str = DIGEST) -> None:
    generation = key_cache.read(digest, now=at).generation
    assert generation is not None
    key_cache.write(digest, partner, loaded_at=at, generation=generation)
    key_cache._known.clear()


@pytest.mark.parametrize(
    "partner",
    [WHOLE, replace(WHOLE, secret_expires_at=None, key_expires_at=None, clock_offset=timedelta(), faults={})],
)
def test_another_process_reads_all_that_was_written(another_process: None, partner: Partner) -> None:
    now = clock.now()
    written(partner, now)
    assert key_cache.read(DIGEST, now=now).partner == partner


def test_what_a_process_knows_is_good_as_long_as_its_entry(another_process: None) -> None:
    now = clock.now()
    generation = key_cache.read(DIGEST, now=now).generation
    assert generation is not None
    key_cache.write(DIGEST, WHOLE, loaded_at=now, generation=generation)
    end = now + timedelta(seconds=settings.KEY_CATALOGUE_SECONDS)
    last = key_cache.known(DIGEST, now=end)
    assert last is not None
    assert last.partner == WHOLE
    assert key_cache.known(DIGEST, now=end + timedelta(microseconds=1)) is None


def test_an_entry_serves_up_to_its_last_instant(another_process: None) -> None:
    now = clock.now()
    written(WHOLE, now)
    last = now + timedelta(seconds=settings.KEY_CATALOGUE_SECONDS)
    assert key_cache.read(DIGEST, now=last).partner == WHOLE
    key_cache._known.clear()
    assert key_cache.read(DIGEST, now=last + timedelta(microseconds=1)).partner is None


def test_a_change_is_told_though_the_breaker_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    now, changed = clock.now(), "c" * 64
    written(WHOLE, now, changed)
    with monkeypatch.context() as redis_failed:
        redis_failed.setattr(redis.guarded(), "_open_until", time.monotonic() + 60)
        assert redis.guarded().is_open
        key_cache.bypass([changed])
    assert key_cache.read(changed, now=now).partner is None
