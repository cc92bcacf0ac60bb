"""Authentication: from a secret to the partner who calls with it.

A valid secret costs one round trip to Redis, in which the call is counted as well. One that the cache does not have, or must not
use, costs one statement in PostgreSQL as well. Revocation takes effect at once: see `key_cache` for how, and `bypass` for where
it is announced and for a revocation that Redis did not hear of.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

import orjson
from django.db import DatabaseError, connection

from apps.accounts.sandboxes import STATUS_THERE
from apps.common import clock
from apps.common.clock import rfc3339
from apps.common.errors import ApiKeyExpired, ApiKeyRevoked, InvalidApiKey
from apps.common.redis import Counted, Counter
from apps.keys import bypass, key_cache, secrets
from apps.keys.partner import Partner

logger = logging.getLogger(__name__)

# Written by hand: it is all that a call costs while Redis is away.
LOOK_UP = f"""
SELECT key.account_id, {STATUS_THERE}, key.id, key.environment, key.scopes, key.allowed_ips,
       account.currency, account.markup_bp, account.rate_search, account.rate_booking, account.rate_read,
       account.search_quota, secret.expires_at, secret.id, sandbox.clock_offset, sandbox.faults, holder.sandbox_of_id,
       key.expires_at, key.revoked_at
FROM keys_keysecret secret
JOIN keys_apikey key ON key.id = secret.key_id
JOIN accounts_account holder ON holder.id = key.account_id
JOIN accounts_account account ON account.id = COALESCE(holder.sandbox_of_id, holder.id)
LEFT JOIN accounts_sandbox sandbox ON sandbox.account_id = key.account_id AND key.environment = 'test'
WHERE secret.digest = %s
"""  # noqa: S608

NOTED_EVERY_SECONDS = 30.0
"""Each process stores the use of a secret twice a minute at most: neither Redis nor a worker is needed, and a partner who rotates
sees which of the two secrets is still used."""
MAX_REMEMBERED = 10_000

# The key's row before the secret's, as everywhere: the second UPDATE reads what the first one returns.
NOTE = """
WITH used AS (UPDATE keys_apikey SET last_used_at = %(now)s WHERE id = %(key_id)s RETURNING id)
UPDATE keys_keysecret SET last_used_at = %(now)s FROM used WHERE key_id = used.id AND digest = %(digest)s
"""
_noted: dict[str, float] = {}
"""When this process last stored the use of a digest, by the monotonic clock."""


def authenticate(secret: str) -> Partner:
    """The partner that `secret` belongs to. Raises InvalidApiKey, ApiKeyRevoked or ApiKeyExpired."""
    return authenticate_and_count(secret, lambda _: None)[0]


def authenticate_and_count(
    secret: str, counter_of: Callable[[Partner], Counter | None]
) -> tuple[Partner, Counted | None]:
    """As `authenticate`, and what came of counting the call where that took no round trip of its own.

    `counter_of` is asked about a partner who may not be the one that is returned. It gives the counter where everything else lets
    that partner's call pass. The call is counted only if it is that partner.
    """
    digest = secrets.digest(secret)
    if not key_cache.remembers(digest):
        refuse_junk(secret)
    now = clock.now()
    cached = key_cache.Cached()
    if bypass.allow_cached(digest):
        known = key_cache.known(digest, now=now)
        counter = counter_of(known.partner) if known and not has_expired(known.partner, now) else None
        cached = key_cache.read(digest, now=now, known=known, counter=counter)
    partner = cached.partner or load(digest)
    refuse_expired(partner, now)
    if cached.partner is None and cached.generation is not None:
        key_cache.write(digest, partner, loaded_at=now, generation=cached.generation)
    note_use(digest, partner.key_id, now + partner.clock_offset)
    return partner, cached.counted


def look_up(secret: str) -> Partner:
    """As `authenticate`, from PostgreSQL alone, and without counting as a use of the key."""
    partner = load(secrets.digest(secret))
    refuse_expired(partner, clock.now())
    return partner


def refuse_junk(secret: str) -> None:
    """Raises InvalidApiKey for what was never issued, before anything is asked."""
    if not secrets.is_plausible(secret):
        raise InvalidApiKey


def has_expired(partner: Partner, now: datetime) -> bool:
    """A secret works up to its expiry or its key's, not at it. Both are times of the key's environment, `now` is the real one."""
    return _is_past(partner.secret_expires_at, partner, now) or _is_past(partner.key_expires_at, partner, now)


def _is_past(end: datetime | None, partner: Partner, now: datetime) -> bool:
    return end is not None and end <= now + partner.clock_offset


def refuse_expired(partner: Partner, now: datetime) -> None:
    """Raises ApiKeyExpired."""
    if _is_past(partner.key_expires_at, partner, now):
        assert partner.key_expires_at is not None
        raise ApiKeyExpired.of(
            partner,
            message="This key has expired; use another one.",
            why=f"this key, which expired on {rfc3339(partner.key_expires_at)}",
        )
    if has_expired(partner, now):
        assert partner.secret_expires_at is not None
        raise ApiKeyExpired.of(
            partner,
            why=f"a secret that expired on {rfc3339(partner.secret_expires_at)}, after a rotation",
        )


def load(digest: str) -> Partner:
    """The partner as PostgreSQL has it, whether or not the secret has expired. Raises InvalidApiKey or ApiKeyRevoked."""
    with connection.cursor() as cursor:
        cursor.execute(LOOK_UP, [digest])
        row = cursor.fetchone()
    if row is None:
        raise InvalidApiKey
    *columns, revoked_at = row
    partner = _partner(*columns)
    if revoked_at is not None:
        raise ApiKeyRevoked.of(partner, why="this key, which was revoked")
    return partner


def _partner(
    account_id: str,
    account_status: str,
    key_id: str,
    environment: str,
    scopes: list[str],
    allowed_ips: list[str],
    currency: str,
    markup_bp: int,
    rate_search: int | None,
    rate_booking: int | None,
    rate_read: int | None,
    search_quota: int | None,
    secret_expires_at: datetime | None,
    secret_id: int,
    clock_offset: timedelta | None,
    faults: str | None,
    owner_id: str | None,
    key_expires_at: datetime | None,
) -> Partner:
    overrides = {"SEARCH": rate_search, "BOOKING": rate_booking, "READ": rate_read}
    return Partner(
        account_id=account_id,
        account_status=account_status,
        key_id=key_id,
        environment=environment,
        scopes=frozenset(scopes),
        allowed_ips=tuple(allowed_ips),
        currency=currency,
        markup_bp=markup_bp,
        rates={rate_class: limit for rate_class, limit in overrides.items() if limit is not None},
        search_quota=search_quota,
        secret_expires_at=secret_expires_at,
        key_expires_at=key_expires_at,
        secret_id=secret_id,
        clock_offset=clock_offset or timedelta(0),
        owner_id=owner_id or "",
        faults=orjson.loads(faults) if faults else {},
    )


def note_use(digest: str, key_id: str, now: datetime) -> None:
    """Store that the secret is used, unless this process just did. A failure loses only this one note."""
    instant = time.monotonic()
    if instant - _noted.get(digest, -NOTED_EVERY_SECONDS) < NOTED_EVERY_SECONDS:
        return
    if len(_noted) >= MAX_REMEMBERED:
        _noted.clear()
    _noted[digest] = instant
    try:
        with connection.cursor() as cursor:
            cursor.execute(NOTE, {"now": now, "key_id": key_id, "digest": digest})
    except DatabaseError:
        logger.warning("The last use of key %s could not be noted", key_id, exc_info=True)
