"""Idempotency-Key: claim the key, do the work, store the answer once (contract §2, "Idempotency"; step 14).

The claim is one INSERT, committed at once. The unique (account, environment, key) decides which of two calls has the key. A call
that dies leaves its claim until the lease ends; then the next call with the key takes it over. An answer below 500 is stored for
24 h and replayed. A 5xx releases the key, and the next call that claims it learns from `Claim.taken_over` that an operation may
have begun.

A released key may also be used for another body: at once where nothing can have begun under it (the search quota was used up),
otherwise after 24 h, and never while an operation that began under it is open.
"""

import hashlib
import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.dispatch import receiver
from django.http import HttpRequest

from apps.accounts.signals import clock_moved
from apps.common import clock, sql, tracing
from apps.common.encryption import decrypt, encrypt
from apps.common.environments import Environment
from apps.common.errors import Conflict, IdempotencyKeyInProgress, IdempotencyKeyRequired, IdempotencyKeyReuse
from apps.common.sql import RELAX
from apps.gateway import search_quota
from apps.gateway.models import IdempotencyRecord, IdempotencyState
from apps.gateway.responses import Answer
from apps.gateway.search_quota import Quota
from apps.keys.partner import Partner


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """What bookings, an app above this one, have to say of the records. They set it as they start."""

    needed: Callable[[int], bool]
    """Whether the record of this id is kept, also beyond its 24 h."""
    remember: Callable[[Sequence[IdempotencyRecord]], None]
    """Called with the records that are being deleted, in the transaction that deletes them."""
    seal: Callable[[object, bytes], str]
    """How the body of an answer about a booking is stored."""
    unseal: Callable[[str], str | None]
    """The body again; one that was never sealed as it is, and None for one that can no longer be decrypted."""


hooks = Hooks(
    needed=lambda _id: False,
    remember=lambda _records: None,
    seal=lambda _booking, body: body.decode(),
    unseal=lambda text: text,
)

ANY_BODY = ""
"""The fingerprint of a released key under which nothing began."""
OURS = "ours"
"""The `resource` of a stored refusal whose texts hold no word of a caller or a supplier: the request log may show them for its
replays, too.
"""

INSERT = """
INSERT INTO gateway_idempotencyrecord
       (account_id, environment, key, fingerprint, state, lease_token, lease_until, encrypted, resource, operation,
        request_id, trace_context, created_at)
VALUES (%(account)s, %(environment)s, %(key)s, %(fingerprint)s, 'running', %(token)s, %(lease_until)s, false, '',
        %(operation)s, %(request_id)s, %(trace_context)s, %(now)s)
ON CONFLICT (account_id, environment, key) DO NOTHING
"""

# The statement also reads the search quota: its headers continue every answer, and a query of its own would be one more round
# trip.
CLAIM = f"""
{INSERT}
RETURNING id, COALESCE((SELECT used FROM gateway_searchquotaday quota
    WHERE quota.account_id = %(account)s AND quota.environment = %(environment)s AND quota.day = %(day)s), 0), {RELAX}
"""  # noqa: S608

# A search takes its unit of the quota in the same statement. Where none is left the key is claimed all the same.
CLAIM_AND_TAKE = f"""
WITH claimed AS ({INSERT} RETURNING id),
{search_quota.TAKEN.format(cause="claimed")}
SELECT claimed.id, (SELECT used FROM taken), {RELAX} FROM claimed
"""  # noqa: S608

ANSWERED = """
UPDATE gateway_idempotencyrecord SET state = 'done', status = %(answer_status)s, body = %(answer_body)s,
       encrypted = %(answer_encrypted)s, resource = %(answer_resource)s, completed_at = %(answered_at)s
"""
# The lease token is in the condition, so that a call that was paused beyond its lease changes nothing.
IS_OWN = "id = %(claim)s AND lease_token = %(claim_token)s AND state = 'running'"
COMPLETE = f"{ANSWERED} WHERE {IS_OWN}"

# For the statement that begins an operation: whether the claim still belongs to this call. A call that was paused beyond its
# lease must not begin the operation, because its successor may have reported to the partner that it was refused.
STANDS = (
    "EXISTS (SELECT FROM gateway_idempotencyrecord WHERE id = %s AND lease_token = %s AND state = 'running')"
)


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An earlier call's answer: its status, and its body or the record that holds it."""

    status: int
    body: bytes | None
    resource: str
    ours: bool = False
    """Of a refusal: whether no word of its texts came from a caller or a supplier."""
    secret: bool = False


@dataclass(slots=True)
class Claim:
    """The right to carry out the operation of one Idempotency-Key, until the lease ends."""

    record_id: int
    token: uuid.UUID
    lease_until: datetime
    taken_over: bool
    """Whether an earlier call with this key began and did not finish. Then look for its operation before beginning one."""
    clock_offset: timedelta
    """How far the clock of the caller's test environment is ahead when the answer is stored."""
    quota: Quota | None = None
    finished: bool = field(default=False)
    made: Answer | None = None

    def complete(self, answer: Answer, *, ours: bool = False) -> bool:
        """Store the answer for replays, in the caller's transaction if there is one. False when another call has the key.

        `ours`: it is a refusal whose texts hold no word of a caller or a supplier.
        """
        parameters = self.completion(answer)
        if ours:
            parameters["answer_resource"] = OURS
        stored = sql.rows_changed(COMPLETE, parameters) == 1
        self.finished = True
        return stored

    def completion(self, answer: Answer) -> dict[str, Any]:
        """The parameters of COMPLETE, for a statement that contains it."""
        self.made = answer
        if answer.resource:
            body = None
        elif answer.about is not None:
            body = hooks.seal(answer.about, answer.body)
        else:
            body = answer.body.decode()
            if answer.secret:
                body = encrypt(body)
        return {
            "claim": self.record_id,
            "claim_token": self.token,
            "answer_status": answer.status_code,
            "answer_body": body,
            "answer_encrypted": answer.secret,
            "answer_resource": answer.resource,
            "answered_at": clock.now(self),
        }

    @property
    def stored(self) -> Answer | None:
        """The answer that was stored under the key; None while it is missing."""
        return self.made if self.finished else None

    def refuse_if_taken_over(self) -> None:
        """Raises IdempotencyKeyInProgress when the lease has ended and another call has the key."""
        mine = IdempotencyRecord.objects.filter(pk=self.record_id, lease_token=self.token)
        if not mine.filter(state=IdempotencyState.RUNNING).exists():
            raise IdempotencyKeyInProgress

    def release(self, *, for_any_body: bool = False) -> None:
        """Release the key without an answer. The next call with it continues; `for_any_body` lets that call have another body."""
        now: dict[str, Any] = {"state": IdempotencyState.RELEASED, "lease_until": clock.now()}
        if for_any_body:
            now["fingerprint"] = ANY_BODY
        IdempotencyRecord.objects.filter(
            pk=self.record_id, lease_token=self.token, state=IdempotencyState.RUNNING
        ).update(**now)
        self.finished = True


def delete_remembered(rows: QuerySet[IdempotencyRecord]) -> int:
    """Delete these records, few enough for one transaction. What must be known of them later is written in the same one.
    Returns how many were deleted.
    """
    with transaction.atomic():
        records = list(rows.select_for_update().defer("body"))
        hooks.remember(records)
        return IdempotencyRecord.objects.filter(pk__in=[record.pk for record in records]).delete()[0]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a record says of the call that has the key: the operationId and the request's id."""

    operation: str = ""
    request_id: str = ""


UNNAMED = Asked()


def claim(
    partner: Partner, key: str, fingerprint: str, *, units: int = 0, asked: Asked = UNNAMED
) -> Claim | StoredAnswer:
    """Claim the key, take a released or dead claim over, or return the stored answer.

    `units`: of the day's search quota, which a new claim takes as well, if so many are left. They lapse with the claim.
    Raises IdempotencyKeyReuse for another body, and IdempotencyKeyInProgress while another call has the key.
    """
    token, now = uuid.uuid4(), clock.now()
    lease_until = now + timedelta(seconds=settings.IDEMPOTENCY_LEASE_SECONDS)
    limit, day = search_quota.limit_of(partner), clock.today(partner)
    parameters = {
        "account": partner.account_id,
        "environment": partner.environment,
        "key": key,
        "fingerprint": fingerprint,
        "token": token,
        "lease_until": lease_until,
        "now": clock.now(partner),
        "day": day,
        "operation": asked.operation,
        "request_id": asked.request_id,
        "trace_context": tracing.stored(),
    }
    unit = uuid.uuid4() if units else None
    if units:
        parameters |= {"limit": limit, "unit": unit, "units": units, "lapses_at": lease_until}
    row = sql.one_row(CLAIM_AND_TAKE if units else CLAIM, parameters)
    if row is None:
        return _after_an_earlier_call(partner, key, fingerprint, token, units=units, asked=asked)
    record_id, used, _ = row
    quota = None if used is None else Quota(limit, used, day, unit, units)
    return Claim(
        record_id, token, lease_until, taken_over=False, quota=quota, clock_offset=partner.clock_offset
    )


def _after_an_earlier_call(
    partner: Partner, key: str, fingerprint: str, token: uuid.UUID, *, units: int, asked: Asked
) -> Claim | StoredAnswer:
    now = clock.now()
    record = IdempotencyRecord.objects.filter(
        account_id=partner.account_id, environment=partner.environment, key=key
    ).first()
    if record is not None:
        tracing.link(record.trace_context)
    if record is None or _is_forgotten(record, clock.now(partner)):
        return claim(partner, key, fingerprint, units=units, asked=asked)
    if record.fingerprint not in {fingerprint, ANY_BODY}:
        if _is_given_up(record):
            return claim(partner, key, fingerprint, units=units, asked=asked)
        hours = settings.IDEMPOTENCY_RETENTION_HOURS
        raise IdempotencyKeyReuse(
            why=f"Within the last {hours} h this Idempotency-Key came with another path or body."
        )
    if record.state == IdempotencyState.DONE:
        return _stored(record)
    taken = IdempotencyRecord.objects.filter(
        pk=record.pk, lease_token=record.lease_token, state=record.state
    ).exclude(state=IdempotencyState.RUNNING, lease_until__gt=now)
    lease_until = now + timedelta(seconds=settings.IDEMPOTENCY_LEASE_SECONDS)
    if not taken.update(
        state=IdempotencyState.RUNNING,
        lease_token=token,
        lease_until=lease_until,
        fingerprint=fingerprint,
        operation=asked.operation,
        request_id=asked.request_id,
    ):
        raise IdempotencyKeyInProgress.for_seconds((record.lease_until - now).total_seconds())
    return Claim(record.pk, token, lease_until, taken_over=True, clock_offset=partner.clock_offset)


def _is_forgotten(record: IdempotencyRecord, now: datetime) -> bool:
    """Whether the 24 h of the answer are over, by the caller's clock. Then the row is deleted, and the key is unused again.

    Not while an operation that began under the key is open: a booking that was answered `pending` would be made a second time.
    """
    if record.completed_at is None or _is_recent(record.completed_at, now) or hooks.needed(record.pk):
        return False
    delete_remembered(IdempotencyRecord.objects.filter(pk=record.pk))
    return True


def _is_given_up(record: IdempotencyRecord) -> bool:
    """Whether the key was not answered and not used for 24 h. Then the row is deleted, and the key is unused again.

    What the first call began comes to its own end. Another body is another operation, and must not continue the first one.
    """
    if record.state == IdempotencyState.DONE or _is_recent(record.lease_until, clock.now()):
        return False
    if hooks.needed(record.pk):
        return False
    same = IdempotencyRecord.objects.filter(
        pk=record.pk, lease_token=record.lease_token, state=record.state
    )  # not if a call with the first body has taken the key over meanwhile
    return bool(delete_remembered(same))


def _is_recent(ended_at: datetime, now: datetime) -> bool:
    return now - ended_at < timedelta(hours=settings.IDEMPOTENCY_RETENTION_HOURS)


def _stored(record: IdempotencyRecord) -> StoredAnswer:
    body = open_body(record)
    if body is None and record.body:
        raise Conflict(
            "The response stored under this Idempotency-Key can no longer be read: read the booking.",
            ours=True,
        )
    content = body.encode() if body is not None else None
    return StoredAnswer(
        record.status or 200,
        content,
        record.resource,
        ours=record.resource == OURS,
        secret=record.encrypted,
    )


def open_body(record: IdempotencyRecord) -> str | None:
    """The stored body as it was sent; None where a record of its own holds it, or if it can no longer be decrypted."""
    body = record.body
    if not body or record.encrypted:
        return decrypt(body) if body else body
    return hooks.unseal(body)


@receiver(clock_moved)
def age_released_keys(*, account_id: str, advance: timedelta, **_: Any) -> None:
    """The 24 h after which an Idempotency-Key that was not answered takes another body: its lease is in real time."""
    released = IdempotencyRecord.objects.filter(
        account_id=account_id, environment=Environment.TEST, state=IdempotencyState.RELEASED
    )
    released.update(lease_until=F("lease_until") - advance)


# --- The header, and the fingerprint by which two requests are the same --------------------------------------------------

SENT_AS = "HTTP_IDEMPOTENCY_KEY"
WELL_FORMED = re.compile(r"[\x20-\x7e]{8,255}")


def read_key(request: HttpRequest) -> str:
    """The request's Idempotency-Key. Raises IdempotencyKeyRequired when it is missing or malformed."""
    key: str | None = request.META.get(SENT_AS)
    if key is None:
        raise IdempotencyKeyRequired(why="There was no Idempotency-Key header.")
    if not WELL_FORMED.fullmatch(key):
        raise IdempotencyKeyRequired(why=_why_malformed(key))
    return key


def _why_malformed(key: str) -> str:
    if not 8 <= len(key) <= 255:
        return f"The Idempotency-Key has {len(key)} characters; 8 to 255 are taken."
    return "The Idempotency-Key has characters other than printable ASCII."


def fingerprint(method: str, path: str, body: object) -> str:
    """SHA-256 of method, path and canonical JSON: equal for equal requests, whatever their spacing and order of names."""
    try:
        canonical = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits
        canonical = orjson.dumps(_plain(body), option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(f"{method} {path} ".encode() + canonical).hexdigest()


def _plain(value: object) -> object:
    """`value` with the integers that orjson cannot hold as text behind a NUL, which no text of a body has."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return f"\x00{value}"
    return value
