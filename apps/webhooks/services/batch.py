"""A batch: up to 25 due deliveries of one endpoint, claimed under one lease and sent one after the other."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from time import monotonic

import orjson

from apps.accounts.faults import Faults

LEASE = timedelta(seconds=30)  # protects claimed deliveries from being sent by another process
MAX_LOST = 5  # attempts without a result that are repeated and not counted; the next one counts as a failure


@dataclass(frozen=True, slots=True)
class Job:
    """One claimed delivery. `attempt` is the number that this attempt has if it counts (from 1)."""

    delivery_id: str
    event_id: str
    payload: str
    attempt: int
    status_before_resend: str | None
    due_at: datetime
    """In the schedule of the endpoint, for their order."""
    worn_out: bool
    """Lost too often: it is recorded as a failure and not sent."""
    trace_context: bytes | None = None
    """The span in which the event was written, where its trace is recorded."""
    sent_twice: bool = False
    """The sandbox is set to send it a second time once it was accepted, as after a lost answer."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Claimed deliveries of one endpoint. `token` names the lease, `claimed_at` is the database's time."""

    endpoint_id: str
    account_id: str
    environment: str
    token: uuid.UUID
    url: str
    secrets_encrypted: tuple[str, ...]
    claimed_at: datetime
    jobs: list[Job]
    ahead: timedelta
    """How far the clock of the endpoint's test environment is ahead: attempts are signed in real time, and shown in its time."""
    faults: Faults = field(default_factory=Faults)
    """Of the test environment; all off in any other."""
    owner_id: str = ""
    """The partner, where `account_id` is one of its test environments; empty otherwise."""
    claimed_monotonic: float = field(default_factory=monotonic)

    def now(self) -> datetime:
        """The database's time, for threads that have no connection to ask it."""
        return self.claimed_at + timedelta(seconds=self.age)

    @property
    def share_of(self) -> str:
        """Whose share of a dispatcher it takes: a partner has one for all its test environments."""
        return self.owner_id or self.account_id

    @property
    def age(self) -> float:
        """Seconds since the claim."""
        return monotonic() - self.claimed_monotonic


@dataclass(frozen=True, slots=True)
class ClaimedRow:
    """One delivery as the claim's statement returns it."""

    endpoint_id: str
    account_id: str
    environment: str
    token: uuid.UUID
    url: str
    secret: str
    previous_secret: str
    delivery_id: str
    event_id: str
    payload: str
    attempt_count: int
    status_before_resend: str | None
    due_at: datetime
    lost_lease: datetime | None
    """The end of the lease under which an attempt was lost; None where no attempt was lost."""
    lost_token: uuid.UUID | None
    """The token of the lease that ended without a result; None where there was none."""
    lost_before: int
    ahead: timedelta
    """How far the clock of the endpoint's test environment is ahead."""
    faults: str | None = None
    """`Sandbox.faults` of the endpoint's test environment, as JSON; None where it has none, and for a live one."""
    owner_id: str | None = None
    """The partner, where the account is one of its test environments."""
    trace_context: bytes | None = None
    """The span in which the event was written, where its trace is recorded."""

    @property
    def is_worn_out(self) -> bool:
        return self.lost_lease is not None and self.lost_before >= MAX_LOST


def batches_of(rows: Sequence[ClaimedRow], now: datetime) -> list[Batch]:
    """A batch for each endpoint, in the order of their ids; its deliveries in the order in which they were due."""
    ordered = sorted(rows, key=attrgetter("endpoint_id", "due_at", "delivery_id"))
    return [_batch(list(group), now) for _, group in groupby(ordered, key=attrgetter("endpoint_id"))]


def _batch(rows: Sequence[ClaimedRow], now: datetime) -> Batch:
    first = rows[0]
    return Batch(
        endpoint_id=first.endpoint_id,
        account_id=first.account_id,
        environment=first.environment,
        token=first.token,
        url=first.url,
        secrets_encrypted=tuple(filter(None, (first.secret, first.previous_secret))),
        claimed_at=now,
        jobs=[_job(row) for row in rows],
        ahead=first.ahead,
        faults=Faults.of(orjson.loads(first.faults)) if first.faults else Faults(),
        owner_id=first.owner_id or "",
    )


def _job(row: ClaimedRow) -> Job:
    return Job(
        delivery_id=row.delivery_id,
        event_id=row.event_id,
        payload=row.payload,
        attempt=row.attempt_count + 1,
        status_before_resend=row.status_before_resend,
        due_at=row.due_at,
        worn_out=row.is_worn_out,
        trace_context=row.trace_context,
    )
