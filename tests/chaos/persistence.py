"""A partner who wants a final answer: asks again with the same key, whatever happens to the connection or the service."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from tests.support.api import Reply
from tests.support.flight_shop import FlightShop
from tests.support.stack import NoAnswer

GIVE_UP_SECONDS = 60
PAUSE_SECONDS = 0.25
NOT_FINAL = {"idempotency_key_in_progress"}


@dataclass
class Answered:
    """The final answer, how long it took from the first broken one, and what came before it."""

    reply: Reply
    seconds: float
    before: list[str] = field(default_factory=list)


def insist(send: Callable[[], Reply]) -> Answered:
    """Send until the answer is below 500 and not «in progress»."""
    began = time.monotonic()
    broken: float | None = None
    before: list[str] = []
    while time.monotonic() - began < GIVE_UP_SECONDS:
        try:
            reply = send()
        except NoAnswer:
            before.append("no answer")
        else:
            if reply.status < 500 and reply.error_type not in NOT_FINAL:
                return Answered(reply, time.monotonic() - (broken or time.monotonic()), before)
            before.append(f"{reply.status} {reply.error_type}")
        broken = broken or time.monotonic()
        time.sleep(PAUSE_SECONDS)
    raise AssertionError(f"no final answer within {GIVE_UP_SECONDS} s: {before[-20:]}")


class PatientShop(FlightShop):
    """Asks until it is told: a machine at its limits may be slower than a supplier is given."""

    def ask(self, search: dict[str, Any]) -> Reply:
        return insist(lambda: super(PatientShop, self).ask(search)).reply


def all_insist(sends: Iterable[Callable[[], Reply]]) -> list[Answered]:
    """Many such partners at once."""
    sends = list(sends)
    with ThreadPoolExecutor(len(sends)) as pool:
        return list(pool.map(insist, sends))


def p95(answers: Iterable[Answered]) -> float:
    """Of those that were not answered at once: seconds to the final answer."""
    waits = sorted(answer.seconds for answer in answers if answer.before)
    return waits[min(len(waits) - 1, len(waits) * 95 // 100)] if waits else 0.0


def wait_until_answered(send: Callable[[], Reply], times: int = 20) -> None:
    """Until the service answers `times` in a row: processes killed a moment ago are back."""
    in_a_row = 0
    give_up = time.monotonic() + GIVE_UP_SECONDS
    while in_a_row < times:
        assert time.monotonic() < give_up, "the service does not come back"
        try:
            in_a_row = in_a_row + 1 if send().status == 200 else 0
        except NoAnswer:
            in_a_row = 0
            time.sleep(PAUSE_SECONDS)
