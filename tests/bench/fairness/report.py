"""Runs the situations one after the other, and prints what calls of an uninvolved partner took without them and during them."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.siege.trial import Outcome

ROUNDS = 3
SECONDS = 3.0


def main(rounds: int = ROUNDS, seconds: float = SECONDS, only: Sequence[str] = ()) -> None:
    """`only`: these situations, by their words."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from tests.bench.fairness.situations import SITUATIONS
    from tests.siege.puppet import puppet
    from tests.siege.stage import staged
    from tests.siege.trial import RATIO, Judge

    with (
        staged() as stage,
        puppet("tests.siege.victims") as victims,
        puppet("tests.bench.fairness.attackers") as attackers,
    ):
        judge = Judge(stage, victims, attackers, rounds, seconds)
        print(
            f"\n{'what others pay, in ms':36}{'alone p50':>10}{'p95':>8}{'meanwhile p50':>15}{'p95':>8}",
            end="",
        )
        print(f"{'ratio':>7}{'calls':>7}{'errors':>8}")
        for words in only or SITUATIONS:
            print("\n".join(lines(words, judge.try_out(SITUATIONS[words]), RATIO)), flush=True)
    print(
        f"Ratio: of the p95; {RATIO} is the most that is promised. A ratio above it was measured over more windows."
    )


def lines(words: str, outcome: "Outcome", most: float) -> Iterator[str]:
    yield words
    for call, cost in outcome.stormy.items():
        alone, errors = outcome.quiet[call], sum(cost.errors.values())
        which = f"  {cost.errors}" if errors else ""
        above = "  above the goal" if call != "health" and outcome.ratio(call) > most else ""
        yield (
            f"  {call:34}{alone.p50:10.1f}{alone.p95:8.1f}{cost.p50:15.1f}{cost.p95:8.1f}"
            f"{outcome.ratio(call):7.2f}{cost.calls:7}{errors:8}{which}{above}"
        )
