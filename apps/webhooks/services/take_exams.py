"""Start receiver exams, and the run that takes them: claims the open ones, sends their next cases, and records the answers.

Nothing is sent inside a transaction: an exam is claimed under a lease, a thread sends one case of it, and the answer is recorded
under the lease's token. One process at a time does this, so that the dispatcher's others stay free for deliveries.
"""

import logging
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import Account, AuditAction
from apps.common import clock
from apps.common.encryption import decrypt
from apps.common.environments import Environment
from apps.common.errors import Conflict
from apps.gateway.periodic import ITSELF, Tally
from apps.webhooks import wakeups
from apps.webhooks.exams import CASES, Case, Letter, Situation, grades_of
from apps.webhooks.models import OPEN_EXAM, Endpoint, EndpointStatus, Exam, ExamStatus, StopReason
from apps.webhooks.selectors import lock_endpoint, refuse_disabled
from apps.webhooks.sender import Sender, complete_headers, sender
from apps.webhooks.services.endpoints import record_change

PER_HOUR = 20
"""Exams of one account: some ten requests each, to addresses that partners chose."""

LIVE_REFUSED = "An exam sends made-up events: it is for endpoints of the test environment alone."


@transaction.atomic
def start_exam(*, endpoint: Endpoint, actor: Actor = SUPPORT) -> Exam:
    """A queued exam; the sweep sends its cases.

    Raises Conflict for a live or disabled endpoint, while one is under way, and after PER_HOUR in an hour.
    """
    if endpoint.environment != Environment.TEST:
        raise Conflict(LIVE_REFUSED)
    # The account's row is the lock under which exams are counted.
    Account.objects.select_for_update(no_key=True).only("id").get(pk=endpoint.account_id)
    endpoint = lock_endpoint(endpoint)
    refuse_disabled(endpoint)
    now = clock.now()
    recent = Exam.objects.filter(account_id=endpoint.account_id, created_at__gt=now - timedelta(hours=1))
    if recent.count() >= PER_HOUR:
        raise Conflict(f"{PER_HOUR} exams were started in the last hour; try again later.")
    exam = Exam(
        account_id=endpoint.account_id, environment=endpoint.environment, endpoint=endpoint, created_at=now
    )
    _save_as_the_only_one(exam)
    record_change(endpoint, AuditAction.ENDPOINT_EXAMINED, actor, exam=exam.pk)
    transaction.on_commit(partial(wakeups.start, wakeups.TAKE_EXAMS))
    return exam


def _save_as_the_only_one(exam: Exam) -> None:
    try:
        with transaction.atomic():
            exam.save()
    except IntegrityError:
        raise Conflict("An exam of this endpoint is already running.") from None


logger = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)  # more than the two sends of a case take, at the longest timeout (checks.py)
AT_ONCE = 8  # exams, each with a thread
RUN_SECONDS = 60.0
"""No new round is begun after it: a wake-up or the sweep starts the next run."""

MAX_LOST = 3
KEPT_CHARACTERS = 500  # of an answer's body


@dataclass(frozen=True, slots=True)
class Turn:
    """The next case of a claimed exam, with all that a thread needs to send it."""

    exam_id: str
    case: Case
    url: str
    letters: list[Letter]


def take_exams(*, seconds: float | None = None, tally: Tally | None = None) -> int:
    """Send cases until no exam is open, or for RUN_SECONDS. Returns how many cases were sent.

    `seconds` is the limit of one request. `tally` gets failures, which are faults of this service.
    """
    token, began, sent, tally = uuid.uuid4(), time.monotonic(), 0, tally or Tally()
    limit = settings.WEBHOOK_TIMEOUT_SECONDS if seconds is None else seconds
    try:
        while time.monotonic() - began < RUN_SECONDS:
            turns = [turn for exam in claim(token) if (turn := _next_turn(exam, tally)) is not None]
            if not turns:
                break
            results = _send_all(turns, sender(), limit)
            for turn, sends in zip(turns, results, strict=True):
                record(turn, sends, token)
            sent += len(turns)
    except Exception as error:
        logger.exception("Exams could not be taken")
        tally.failed(ITSELF, error)
    finally:
        Exam.objects.filter(lease_token=token).update(lease_token=None, lease_until=None)
    return sent


def claim(token: uuid.UUID) -> list[Exam]:
    """The oldest open exams under a lease; none while another process takes exams."""
    now = clock.now()
    with transaction.atomic():
        open_exams = Exam.objects.filter(status__in=OPEN_EXAM)
        if open_exams.filter(lease_until__gt=now).exclude(lease_token=token).exists():
            return []
        free = open_exams.select_for_update(no_key=True, skip_locked=True, of=("self",))
        exams = list(free.select_related("endpoint").order_by("created_at", "pk")[:AT_ONCE])
        for exam in exams:
            if exam.lease_token not in (None, token):
                exam.lost_count += 1
            exam.lease_token, exam.lease_until = token, now + LEASE
            reason = _reason_to_stop(exam, exam.endpoint)
            if reason:
                _end(exam, ExamStatus.STOPPED, now, reason)
            else:
                exam.status = ExamStatus.RUNNING
            exam.save()
    return [exam for exam in exams if exam.is_open]


def _reason_to_stop(exam: Exam, endpoint: Endpoint) -> str:
    moved = endpoint.account_id != exam.account_id  # its sandbox was reset
    if moved or endpoint.status != EndpointStatus.ENABLED:  # as a deleted one is, too
        return StopReason.ENDPOINT_DISABLED
    return StopReason.OURS if exam.lost_count > MAX_LOST else ""


def _next_turn(exam: Exam, tally: Tally) -> Turn | None:
    """The next case of an exam. One that cannot be written stops its exam, and no other."""
    try:
        return _written(exam, next(case for case in CASES if exam.sends_of(case.name) is None))
    except Exception as error:
        logger.exception("The exam %s could not continue", exam.pk)
        tally.failed(ITSELF, error)
        _end(exam, ExamStatus.STOPPED, clock.now(), StopReason.OURS)
        exam.save()
        return None


def _written(exam: Exam, case: Case) -> Turn:
    endpoint, there = exam.endpoint, exam.endpoint.now()
    situation = Situation(
        exam_id=exam.pk,
        endpoint_id=exam.endpoint_id,
        environment=exam.environment,
        secrets=_secrets(endpoint, there),
        now=clock.now(),
        created_at=there,
    )
    return Turn(exam.pk, case, endpoint.url, case.write(situation))


def _secrets(endpoint: Endpoint, there: datetime) -> tuple[str, ...]:
    """Those that sign now, as they do an ordinary delivery. `there` is the time in its environment."""
    ends = endpoint.previous_secret_expires_at
    both = endpoint.previous_secret_encrypted if ends is not None and ends > there else ""
    return tuple(decrypt(secret) for secret in (endpoint.secret_encrypted, both) if secret)


def _send_all(turns: Sequence[Turn], using: Sender, seconds: float) -> list[list[dict[str, Any]]]:
    """A thread for each exam; they do not touch the database."""
    with ThreadPoolExecutor(max_workers=len(turns), thread_name_prefix="exam") as threads:
        return list(
            threads.map(lambda turn: [_send(turn, each, using, seconds) for each in turn.letters], turns)
        )


def _send(turn: Turn, letter: Letter, using: Sender, seconds: float) -> dict[str, Any]:
    headers = complete_headers(letter.headers, letter.body)
    answer = using.post(turn.url, headers=headers, body=letter.body, seconds=seconds)
    return {
        "status_code": answer.status_code,
        "duration_ms": answer.duration_ms,
        "error_code": answer.cause.code if answer.cause else "",
        "error": answer.cause.words if answer.cause else "",
        "response_body": answer.body[:KEPT_CHARACTERS],
        "headers": headers,
        "body": letter.body.decode(),
    }


@transaction.atomic
def record(turn: Turn, sends: list[dict[str, Any]], token: uuid.UUID) -> bool:
    """Store a case's answers. False where the lease was lost meanwhile: another process sends the case again."""
    exam = Exam.objects.select_for_update(no_key=True).filter(pk=turn.exam_id, lease_token=token).first()
    if exam is None or not exam.is_open:
        return False
    now = clock.now()
    is_first = not exam.results
    exam.results = [*exam.results, {"case": turn.case.name, "sends": sends}]
    exam.lease_until = now + LEASE
    if is_first and all(send["status_code"] is None for send in sends):
        _end(exam, ExamStatus.STOPPED, now, StopReason.UNREACHABLE)
    elif len(exam.results) == len(CASES):
        passed = all(each.passed for each in grades_of(exam.results).values())
        _end(exam, ExamStatus.PASSED if passed else ExamStatus.FAILED, now)
    exam.save()
    return True


def _end(exam: Exam, status: str, now: datetime, reason: str = "") -> None:
    exam.status, exam.stop_reason, exam.finished_at = status, reason, now
    exam.lease_token = exam.lease_until = None
