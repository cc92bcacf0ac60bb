"""Kill and pause (SIGSTOP past the claim) at every point of the four webhook operations, while partners retry with the same key.

Never two effects under one key, and the secret told is the secret in force. The suite goes through a few; `make chaos` strikes
twenty times at each point of each operation.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Terms, onboard_partner
from tests.chaos.app import PLANTED
from tests.chaos.beat import wait_until_none
from tests.chaos.conftest import LIMITS
from tests.chaos.persistence import all_insist, wait_until_answered
from tests.chaos.test_kills import arm, struck
from tests.chaos.webhook_calls import MAKE, Calls, WebhookCall, damages, deliver_all, points_of
from tests.support.api import Reply
from tests.support.receiver import Receiver, receiving
from tests.support.stack import SHORT_WAITS, HttpApi

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

TIMES = 2
"""Strikes at each point for one of CHAOS_RUNS: 20 with the ten of `make chaos`."""
BYSTANDERS = 2
AT_ONCE = 3
"""Processes that stand still at once, of four: somebody has to answer their callers."""
CLAIM_SECONDS = float(SHORT_WAITS["IDEMPOTENCY_LEASE_SECONDS"])  # type: ignore[arg-type]
BEGUN = [f"begun.{name}" for name in MAKE if name != "testWebhookEndpoint"]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


@pytest.fixture
def calls(web: str, transactional_db: None, receiver: Receiver) -> Callable[[], Calls]:
    """Calls of a new partner: one has room for twenty endpoints."""

    def of_new_partner() -> Calls:
        terms = Terms(name="Acme", currency="EUR", balance_cents=0, scopes=ENFORCED, rates=LIMITS)
        partner = onboard_partner(terms)
        api = HttpApi(web, partner.test_secret, timeout=3)
        wait_until_answered(lambda: api.get("/v1/account"), times=8)
        return Calls(api, partner.account.id, receiver)

    return of_new_partner


def insisted(made: Sequence[WebhookCall]) -> list[Reply]:
    return [answer.reply for answer in all_insist([call.send for call in made])]


# --- Kills -----------------------------------------------------------------------------------------------------------
def kill_at(armed: Path, points: Sequence[str], made: Sequence[WebhookCall]) -> list[str]:
    """One process dies at each of `points` while the calls are insisted upon; the damage, after all that is due was sent."""
    arm(armed, points)
    replies = insisted(made)
    assert struck(armed, points) == len(points)
    deliver_all()
    return damages(made, replies)


def test_no_webhook_call_is_lost_or_done_twice_by_a_death(
    calls: Callable[[], Calls], armed: Path, figure: Callable[[str], None]
) -> None:
    mine = calls()
    points = list(dict.fromkeys(point for operation in MAKE for point in points_of(operation)))
    made = [MAKE[operation](mine) for operation in MAKE for _ in range(3)]
    assert kill_at(armed, points, made) == []
    figure(f"webhook operations: {len(points)} kills, {len(made)} calls: 0 doubled, 0 lost")


# --- Pauses ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def planted(armed: Path, request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether the service is the wrong variant, which ignores that a claim was lost."""
    plant = armed / PLANTED
    if request.param:
        plant.touch()
    yield bool(request.param)
    plant.unlink(missing_ok=True)


def batched(points: Sequence[str]) -> list[Sequence[str]]:
    return [points[start : start + AT_ONCE] for start in range(0, len(points), AT_ONCE)]


def stop_at(armed: Path, points: Sequence[str], mine: Calls, made: Sequence[WebhookCall]) -> list[str]:
    """One process stands still at each of `points`, until its claim is over and its calls were answered by others; the damage
    once it has gone on. What is due is sent before that, too: a second attempt could not be told from the first.
    """
    arm(armed, points, "STOP")
    try:
        replies = insisted(made)
        assert [point for point in points if (armed / point).exists()] == []
        deliver_all()
        time.sleep(CLAIM_SECONDS)  # where the answer was there at once
    finally:
        stopped = go_on(armed)
    wait_until_over(armed, points, stopped)
    wait_until_answered(lambda: mine.api.get("/v1/account"))
    deliver_all()
    return damages(made, replies)


def go_on(armed: Path) -> set[int]:
    """Continue the processes that stand still; which ones."""
    stopped = set()
    for note in armed.glob("*.stopped"):
        stopped.add(int(note.read_text()))
        note.unlink()
    continue_all(stopped)
    for taken in armed.iterdir():
        if taken.suffix[1:].isdigit():
            taken.unlink()
    return stopped


def continue_all(processes: set[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


def wait_until_over(armed: Path, points: Sequence[str], stopped: set[int]) -> None:
    """Until the calls that stood still have ended, one way or the other. Two of one process may stop it one after the other: the
    second time it is continued here.
    """
    notes = [armed / f"{point}.over" for point in points]

    def left() -> int:
        continue_all(stopped)
        return sum(not note.exists() for note in notes)

    wait_until_none(left)
    for note in notes:
        note.unlink()


@pytest.mark.slow
@pytest.mark.parametrize("planted", [False, True], indirect=True, ids=["as it is", "planted"])
def test_a_webhook_call_that_goes_on_after_its_claim_commits_nothing(
    calls: Callable[[], Calls], armed: Path, planted: bool
) -> None:
    mine = calls()
    found = []
    for points in batched(BEGUN):
        found += stop_at(armed, points, mine, [MAKE[point.partition(".")[2]](mine) for point in points])
    assert {words.partition(":")[0] for words in found} == ({"doubled", "secret"} if planted else set())
    assert not planted or {
        "doubled: an endpoint",
        "doubled: a rotation",
        "doubled: an attempt",
        "secret: another one is in force",
    } <= set(found)


# --- Both, at every point --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("operation", MAKE)
@pytest.mark.parametrize("strike", ["kill", "pause"])
def test_no_call_of_an_operation_is_lost_or_done_twice(
    only_in_chaos: None,
    calls: Callable[[], Calls],
    armed: Path,
    runs: int,
    figure: Callable[[str], None],
    operation: str,
    strike: str,
) -> None:
    points = points_of(operation)
    assert points
    assert runs > 0
    for _ in range(TIMES * runs):
        mine = calls()
        for batch in [points] if strike == "kill" else batched(points):
            made = [MAKE[operation](mine) for _ in range(len(batch) + BYSTANDERS)]
            damage = kill_at(armed, batch, made) if strike == "kill" else stop_at(armed, batch, mine, made)
            assert damage == []
    figure(f"{operation}: {TIMES * runs} times {strike} at each of {len(points)} points: 0 doubled, 0 lost")
