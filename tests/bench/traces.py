"""What metrics and traces cost a call: instructions of the whole process, the thread that sends the spans included.

A trace is recorded or it is not, so the cost of a share of them lies between those of none and of all, in proportion.
"""

import tempfile
from collections.abc import Mapping
from statistics import median

from tests.bench.parts import meters
from tests.bench.parts.report import apart, count
from tests.bench.stays import MEASURED
from tests.support.collector import collecting

CALLS = 20
"""A round's spans are sent together: as many as a busy process sends at once, or half of that."""
ROUNDS = 3
SHARES = (0.01, 0.1, 1.0)
OFF, METRICS, UNRECORDED, RECORDED = (
    "off",
    "metrics",
    "metrics, no trace recorded",
    "metrics, every trace recorded",
)


def main(calls: int = CALLS, rounds: int = ROUNDS, meter: str = "") -> None:
    chosen = meter or meters.best()
    with tempfile.TemporaryDirectory() as folder, collecting() as collector:
        metrics = {"METRICS_DIRECTORY": folder}
        traces = {name: str(value) for name, value in collector.environment.items()} | metrics
        traces["OTEL_BSP_SCHEDULE_DELAY"] = "3600000"  # a round's spans are sent at its end
        variants: Mapping[str, Mapping[str, str]] = {
            OFF: {},
            METRICS: metrics,
            UNRECORDED: {**traces, "OTEL_TRACES_SAMPLER": "always_off"},
            RECORDED: {**traces, "OTEL_TRACES_SAMPLER": "always_on"},
        }
        found = {name: _together(chosen, calls, rounds, settings) for name, settings in variants.items()}
        print(f"{len(collector.spans)} spans were collected.")
    _report(found)
    print(f"{meters.WORDS[chosen]}: of a call, medians of {rounds} rounds of {calls}.")


def _together(meter: str, calls: int, rounds: int, settings: Mapping[str, str]) -> dict[str, float]:
    """Thousands a call, by operation."""
    counted = count(meter, calls, rounds, settings)
    whole = {
        name: [sum(counted.costs(number, name).values()) for number in range(rounds)] for name in MEASURED
    }
    print(f"{settings}: rounds differ by {max(apart(each) for each in whole.values()):.1%}", flush=True)
    return {name: median(each) for name, each in whole.items()}


def _report(found: Mapping[str, Mapping[str, float]]) -> None:
    rows = dict(found)
    for share in SHARES:
        rows[f"metrics, {share:.0%} of traces"] = {
            name: none + share * (found[RECORDED][name] - none) for name, none in found[UNRECORDED].items()
        }
    print(f"\n{'':32}" + "".join(f"{name:>24}" for name in MEASURED))
    for row, costs in rows.items():
        print(
            f"{row:32}"
            + "".join(f"{cost:15,.0f}{cost / found[OFF][name] - 1:+9.1%}" for name, cost in costs.items())
        )
