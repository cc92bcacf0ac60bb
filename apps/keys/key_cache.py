"""The key cache: what Redis holds of valid keys, for 60 s at most, and the bypasses that say "ask PostgreSQL".

Three kinds of entries:

- `key:<digest>`: a Partner as JSON, with the time and the generation that it was read in; only of a valid secret.

- `bypass:<digest>`: for 120 s after a change the entry is not used. That is longer than any entry lives (60 s), so an entry that
was read before the change and written after it is not used either. A bypass only means "ask", so one too many does no harm.

- `key-cache`: when the cache was last asked, and its generation (`find_key.lua` explains what for).

There is no cache inside the process.
"""

import logging
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import redis
from django.conf import settings

from apps.common.redis import RedisUnavailable, Script, run
from apps.keys.partner import Partner

logger = logging.getLogger(__name__)

FIND_KEY = Script.from_file(Path(__file__).with_name("find_key.lua"))


@dataclass(frozen=True, slots=True)
class Cached:
    """What the cache answered. Without a partner, ask PostgreSQL and store the result under `generation`."""

    partner: Partner | None = None
    generation: str | None = None
    """None: do not store the result."""


def read(digest: str, *, now: datetime) -> Cached:
    """What Redis holds for `digest`, in one round trip; nothing where Redis cannot be asked."""
    try:
        entry, generation = FIND_KEY.run(
            keys=[f"key:{digest}", f"bypass:{digest}", "key-cache"],
            args=[settings.KEY_CATALOGUE_SILENCE_MS],
        )
    except RedisUnavailable:
        return Cached()
    generation = generation.decode() if generation else None
    return Cached(_from_entry(entry, now) if entry else None, generation)


def write(digest: str, partner: Partner, *, loaded_at: datetime, generation: str) -> None:
    """Store `partner` as PostgreSQL returned it at `loaded_at`. Without Redis nothing is stored: PostgreSQL is asked again."""
    entry = _to_entry(partner, loaded_at, generation)
    with suppress(RedisUnavailable):
        run(lambda client: client.set(f"key:{digest}", entry, ex=settings.KEY_CATALOGUE_SECONDS))


def bypass(digests: Collection[str], *, forget: bool = False) -> None:
    """Send every look-up of `digests` to PostgreSQL for the next 120 s. `forget` deletes their entries as well.

    Redis is asked even while the breaker is open. Where it does not answer, the sweep repeats this, and `key-cache` shows the
    silence.
    """

    def work(client: redis.Redis) -> None:
        with client.pipeline(transaction=False) as pipe:
            for digest in digests:
                pipe.set(f"bypass:{digest}", 1, ex=settings.KEY_BYPASS_SECONDS)
                if forget:
                    pipe.delete(f"key:{digest}")
            pipe.execute()

    if not digests:
        return
    try:
        run(work, insist=True)
    except RedisUnavailable:
        logger.warning("A change to %s secrets could not be told to the key cache", len(digests))


def _to_entry(partner: Partner, loaded_at: datetime, generation: str) -> bytes:
    expires_at = partner.secret_expires_at
    return orjson.dumps(
        {
            "generation": generation,
            "loaded_at": loaded_at.isoformat(),
            "account_id": partner.account_id,
            "account_status": partner.account_status,
            "key_id": partner.key_id,
            "environment": partner.environment,
            "scopes": sorted(partner.scopes),
            "allowed_ips": partner.allowed_ips,
            "currency": partner.currency,
            "markup_bp": partner.markup_bp,
            "rates": dict(partner.rates),
            "search_quota": partner.search_quota,
            "secret_expires_at": expires_at.isoformat() if expires_at else None,
            "secret_id": partner.secret_id,
        }
    )


def _from_entry(entry: bytes, now: datetime) -> Partner | None:
    """The partner in `entry`; None once it was read 60 s ago, whatever Redis' own clock says."""
    fields: dict[str, Any] = orjson.loads(entry)
    age = now - datetime.fromisoformat(fields["loaded_at"])
    if age > timedelta(seconds=settings.KEY_CATALOGUE_SECONDS):
        return None
    expires_at = fields["secret_expires_at"]
    return Partner(
        account_id=fields["account_id"],
        account_status=fields["account_status"],
        key_id=fields["key_id"],
        environment=fields["environment"],
        scopes=frozenset(fields["scopes"]),
        allowed_ips=tuple(fields["allowed_ips"]),
        currency=fields["currency"],
        markup_bp=fields["markup_bp"],
        rates=fields["rates"],
        search_quota=fields["search_quota"],
        secret_expires_at=datetime.fromisoformat(expires_at) if expires_at else None,
        secret_id=fields.get("secret_id"),  # an entry of the previous release has none
    )
