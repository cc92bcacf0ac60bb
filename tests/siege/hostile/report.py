"""The hostile inputs' part of `make siege`."""

from collections import Counter

from tests.siege.hostile.running import SLOW_SECONDS, all_inputs, send_all, statuses
from tests.siege.stage import Stage


def hostile(stage: Stage, every: int = 1) -> list[str]:
    """Sends every `every`th input and prints what came of it; the goals that were missed."""
    known = all_inputs(stage, every)
    results = send_all(stage, known)
    found = [f"{result.input}: {fault}" for result in results for fault in result.faults()]
    slow = sorted(
        (result for result in results if result.answer.seconds > SLOW_SECONDS),
        key=lambda one: -one.answer.seconds,
    )
    slowest = max(results, key=lambda result: result.answer.seconds)
    print(
        f"\nhostile inputs: {len(results)}, of which {sum(one.must_refuse for one in known)} must be refused"
    )
    print(
        "  "
        + ", ".join(
            f"{status or 'no answer'} × {times}" for status, times in sorted(statuses(results).items())
        )
    )
    print(f"  slowest {slowest.answer.seconds:.2f} s: {slowest.input}; {len(slow)} over {SLOW_SECONDS:.0f} s")
    for fault, times in Counter(line.rpartition(": ")[2] for line in found).items():
        print(f"  {fault}: {times}")
    missed = [*found, *(f"{result.input}: {result.answer.seconds:.1f} s" for result in slow)]
    return [f"hostile: {line}" for line in missed]
