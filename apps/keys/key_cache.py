"""The key cache: what Redis holds of valid keys, for 60 s at most, and the bypasses that say "ask PostgreSQL".

Three kinds of entries:

- `key:<digest>`: a Partner as JSON, with the time and the generation that it was read in; only of a valid secret.

- `bypass:<digest>`: for 120 s after a change the entry is not used. That is longer than any entry lives (60 s), so an entry that
was read before the change and written after it is not used either. A bypass only means "ask", so one too many does no harm.

- `key-cache`: when the cache was last asked, and its generation (`find_key.lua` explains what for).

A process remembers the entries that it has decoded, and believes none of them by itself. With every call Redis is asked whether
the entry is still the one that the process knows; if so, it is not sent and read again, and the call is counted in the same step.
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

from apps.common.redis import COUNT, Counted, Counter, RedisUnavailable, Script, run
from apps.keys.partner import Partner

logger = logging.getLogger(__name__)

FIND_KEY = Script(COUNT + Path(__file__).with_name("find_key.lua").read_text())
MAX_KNOWN = 2_000
"""Entries that a process remembers. An entry names a hundred addresses at most."""


@dataclass(frozen=True, slots=True)
class Known:
    """An entry as this process has decoded it, and until when it may be used."""

    entry: bytes
    generation: str
    partner: Partner
    ends_at: datetime


_known: dict[str, Known] = {}


@dataclass(frozen=True, slots=True)
class Cached:
    """What the cache answered. Without a partner, ask PostgreSQL and store the result under `generation`."""

    partner: Partner | None = None
    generation: str | None = None
    """None: do not store the result."""
    counted: Counted | None = None
    """What came of counting the call, where it was counted."""


def remembers(digest: str) -> bool:
    """Whether this process has decoded an entry of `digest`, however long ago: such a secret was issued."""
    return digest in _known


def known(digest: str, *, now: datetime) -> Known | None:
    """What this process knows of `digest`. To be believed only when `read` says so."""
    found = _known.get(digest)
    return found if found is not None and now <= found.ends_at else None


def read(digest: str, *, now: datetime, known: Known | None = None, counter: Counter | None = None) -> Cached:
    """What Redis holds for `digest`, in one round trip; nothing where Redis cannot be asked.

    Where that is what the process knows, the call is counted, in the same step.
    """
    keys = [f"key:{digest}", f"bypass:{digest}", "key-cache"]
    args: list[str | int | bytes] = [settings.KEY_CATALOGUE_SILENCE_MS]
    args += (known.entry, known.generation) if known else ("", "")
    if counter:
        keys.append(counter.key)
        args += (counter.limit, counter.seconds)
    try:
        entry, *found = FIND_KEY.run(keys=keys, args=args)
    except RedisUnavailable:
        return Cached()
    if known and entry == 1:
        counted = Counted(counter, bool(found[0]), found[1]) if counter else None
        return Cached(known.partner, known.generation, counted)
    generation = found[0].decode() if found[0] else None
    return Cached(_learnt(digest, entry, now) if entry else None, generation)


def write(digest: str, partner: Partner, *, loaded_at: datetime, generation: str) -> None:
    """Store `partner` as PostgreSQL returned it at `loaded_at`. Without Redis nothing is stored: PostgreSQL is asked again."""
    entry = _to_entry(partner, loaded_at, generation)
    _remember(digest, Known(entry, generation, partner, _end_of(loaded_at)))
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
        logger.warning("The key cache could not be updated with a change to %s secrets", len(digests))


def _to_entry(partner: Partner, loaded_at: datetime, generation: str) -> bytes:
    expires_at, key_expires_at = partner.secret_expires_at, partner.key_expires_at
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
            "key_expires_at": key_expires_at.isoformat() if key_expires_at else None,
            "secret_id": partner.secret_id,
            "clock_offset": partner.clock_offset.total_seconds(),
            "owner_id": partner.owner_id,
            "faults": dict(partner.faults),
        }
    )


def _learnt(digest: str, entry: bytes, now: datetime) -> Partner | None:
    """The partner in `entry`, remembered for the next call; None once it was read 60 s ago, whatever Redis' own clock says."""
    fields: dict[str, Any] = orjson.loads(entry)
    ends_at = _end_of(datetime.fromisoformat(fields["loaded_at"]))
    if now > ends_at:
        return None
    partner = _from_entry(fields)
    _remember(digest, Known(entry, fields["generation"], partner, ends_at))
    return partner


def _remember(digest: str, entry: Known) -> None:
    if len(_known) >= MAX_KNOWN:
        _known.clear()
    _known[digest] = entry


def _end_of(loaded_at: datetime) -> datetime:
    return loaded_at + timedelta(seconds=settings.KEY_CATALOGUE_SECONDS)


def _from_entry(fields: dict[str, Any]) -> Partner:
    expires_at = fields["secret_expires_at"]
    key_expires_at = fields.get("key_expires_at")  # an entry of the previous release has none
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
        key_expires_at=datetime.fromisoformat(key_expires_at) if key_expires_at else None,
        secret_id=fields["secret_id"],
        clock_offset=timedelta(seconds=fields.get("clock_offset", 0)),  # an entry of the previous release has
        owner_id=fields.get("owner_id", ""),  # none of these three
        faults=fields.get("faults", {}),
    )
