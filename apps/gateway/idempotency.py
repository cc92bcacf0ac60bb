"""Idempotency-Key: claim first, work second, answer once (contract §2, "Idempotency"; step 14).

The claim is one INSERT committed at once; the unique (account, environment, key) decides the race. A call that dies leaves its
lease behind, and the next call with the key takes over. An answer below 500 is kept for 24 h and replayed; a 5xx releases the
key, and whoever claims it next finds in `Claim.taken_over` that something may already have begun.
"""

import hashlib
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import orjson
from django.conf import settings
from django.db import connection

from apps.common import clock
from apps.common.commits import RELAX
from apps.common.encryption import decrypt, encrypt
from apps.gateway.call import Answer, Call
from apps.gateway.envelope import render
from apps.gateway.errors import IdempotencyKeyInProgress, IdempotencyKeyRequired, IdempotencyKeyReuse
from apps.gateway.models import IdempotencyRecord, IdempotencyState
from apps.keys.partner import Partner

Needed = Callable[[int], bool]
_needed: list[Needed] = []

HEADER = "Idempotency-Key"
WELL_FORMED = re.compile(r"[\x20-\x7e]{8,255}")

# The quota rides along: its headers go on every answer, and a look of its own would be one more round trip.
CLAIM = f"""
INSERT INTO gateway_idempotencyrecord
       (account_id, environment, key, fingerprint, state, lease_token, lease_until, encrypted, resource, created_at)
VALUES (%(account)s, %(environment)s, %(key)s, %(fingerprint)s, 'running', %(token)s, %(lease_until)s, false, '', %(now)s)
ON CONFLICT (account_id, environment, key) DO NOTHING
RETURNING id, COALESCE((SELECT used FROM gateway_searchquotaday quota
    WHERE quota.account_id = %(account)s AND quota.environment = %(environment)s AND quota.day = %(day)s), 0), {RELAX}
"""  # noqa: S608

# Names the lease: a call that was paused past it finds no row and changes nothing.
COMPLETE = """
UPDATE gateway_idempotencyrecord SET state = 'done', status = %(answer_status)s, body = %(answer_body)s,
       encrypted = %(answer_encrypted)s, resource = %(answer_resource)s, completed_at = %(answered_at)s
WHERE id = %(claim)s AND lease_token = %(claim_token)s AND state = 'running'
"""

# In the statement that begins an operation: whether the claim is still this call's. One that was paused past it, and whose
# successor was refused, would else do what the partner was told is not done.
STANDS = (
    "EXISTS (SELECT FROM gateway_idempotencyrecord WHERE id = %s AND lease_token = %s AND state = 'running')"
)


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An earlier call's answer: its status, and its body or the record that holds it."""

    status: int
    body: bytes | None
    resource: str


@dataclass(slots=True)
class Claim:
    """The right to carry out the operation of one Idempotency-Key, until the lease ends."""

    record_id: int
    token: uuid.UUID
    taken_over: bool
    """Whether an earlier call with this key began and did not finish: look before you leap."""
    quota_used: int | None = None
    finished: bool = field(default=False)

    def complete(self, answer: Answer) -> bool:
        """Keep the answer for replays; in the caller's transaction where there is one. False where another call has the key."""
        with connection.cursor() as cursor:
            cursor.execute(COMPLETE, self.completion(answer))
            kept = bool(cursor.rowcount == 1)
        self.finished = True
        return kept

    def completion(self, answer: Answer) -> dict[str, Any]:
        """The parameters of COMPLETE, for a statement that does it in passing."""
        body = None if answer.resource else render(answer.body).decode()
        if body is not None and answer.secret:
            body = encrypt(body)
        return {
            "claim": self.record_id,
            "claim_token": self.token,
            "answer_status": answer.status,
            "answer_body": body,
            "answer_encrypted": answer.secret,
            "answer_resource": answer.resource,
            "answered_at": clock.now(),
        }

    def refuse_if_taken_over(self) -> None:
        """Raises IdempotencyKeyInProgress where the lease has ended and another call has the key."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {STANDS}", [self.record_id, self.token])
            (stands,) = cursor.fetchone()
        if not stands:
            raise IdempotencyKeyInProgress

    def release(self) -> None:
        """Give the key back unanswered: the next call with it continues."""
        IdempotencyRecord.objects.filter(
            pk=self.record_id, lease_token=self.token, state=IdempotencyState.RUNNING
        ).update(state=IdempotencyState.RELEASED)
        self.finished = True


def register_need(needed: Needed) -> None:
    """Keep the records, known by their ids, that `needed` has a use for beyond their 24 h."""
    _needed.append(needed)


def read_key(call: Call) -> str:
    """The request's Idempotency-Key; raises IdempotencyKeyRequired when missing or malformed."""
    key = call.request.headers.get(HEADER, "")
    if not WELL_FORMED.fullmatch(key):
        raise IdempotencyKeyRequired
    return key


def fingerprint(method: str, path: str, body: object) -> str:
    """SHA-256 of method, path and canonical JSON: the same request whatever its spacing or order of names."""
    canonical = orjson.dumps(_plain(body), option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(f"{method} {path} ".encode() + canonical).hexdigest()


def claim(partner: Partner, key: str, print_: str) -> Claim | StoredAnswer:
    """Claim the key, take over a released or dead claim, or find the stored answer. Raises the two 409s."""
    token, now = uuid.uuid4(), clock.now()
    with connection.cursor() as cursor:
        cursor.execute(
            CLAIM,
            {
                "account": partner.account_id,
                "environment": partner.environment,
                "key": key,
                "fingerprint": print_,
                "token": token,
                "lease_until": now + timedelta(seconds=settings.IDEMPOTENCY_LEASE_SECONDS),
                "now": now,
                "day": clock.today(partner),
            },
        )
        row = cursor.fetchone()
    if row is not None:
        return Claim(row[0], token, taken_over=False, quota_used=row[1])
    return _after_an_earlier_call(partner, key, print_, token)


def _after_an_earlier_call(partner: Partner, key: str, print_: str, token: uuid.UUID) -> Claim | StoredAnswer:
    now = clock.now()
    record = IdempotencyRecord.objects.filter(
        account_id=partner.account_id, environment=partner.environment, key=key
    ).first()
    if record is None or _is_forgotten(record):
        return claim(partner, key, print_)
    if record.fingerprint != print_:
        raise IdempotencyKeyReuse
    if record.state == IdempotencyState.DONE:
        return _stored(record)
    taken = IdempotencyRecord.objects.filter(
        pk=record.pk, lease_token=record.lease_token, state=record.state
    ).exclude(state=IdempotencyState.RUNNING, lease_until__gt=now)
    lease_until = now + timedelta(seconds=settings.IDEMPOTENCY_LEASE_SECONDS)
    if not taken.update(state=IdempotencyState.RUNNING, lease_token=token, lease_until=lease_until):
        raise IdempotencyKeyInProgress
    return Claim(record.pk, token, taken_over=True)


def _is_forgotten(record: IdempotencyRecord) -> bool:
    """Whether the answer's 24 h are over; the row then goes, and the key is as good as new.

    Not while what was begun under it is open: a booking that was answered `pending` would be made a second time.
    """
    if record.completed_at is None:
        return False
    age = clock.now() - record.completed_at
    if age < timedelta(hours=settings.IDEMPOTENCY_RETENTION_HOURS):
        return False
    if any(needed(record.pk) for needed in _needed):
        return False
    record.delete()
    return True


def _stored(record: IdempotencyRecord) -> StoredAnswer:
    body = decrypt(record.body) if record.encrypted and record.body else record.body
    return StoredAnswer(record.status or 200, body.encode() if body is not None else None, record.resource)


def _plain(value: object) -> object:
    """`value` with integers that orjson cannot hold as their text; the parser has bounded their length."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return f"{value}"
    return value
