"""The table that `make siege` prints."""

from collections.abc import Iterator

from tests.siege.trial import HEALTH_SECONDS, MEMORY_RATIO, RATIO, Outcome, quantile

HEADER = f"{'attack':26} {'call':17} {'quiet p50':>9} {'p95':>7} {'storm p50':>9} {'p95':>7} {'ratio':>6} {'errors':>7}  goal"


def lines(outcome: Outcome) -> Iterator[str]:
    """Milliseconds, then memory and what the attackers got."""
    name = outcome.attack.name
    for call, cost in outcome.stormy.items():
        quiet = outcome.quiet[call]
        errors = sum(cost.errors.values())
        if call == "health":
            kept, goal = cost.slowest_seconds <= HEALTH_SECONDS, f"within {HEALTH_SECONDS:.0f} s"
        else:
            kept, goal = outcome.ratio(call) <= RATIO, f"≤ {RATIO}"
        kept = kept and not errors
        yield (
            f"{name:26} {call:17} {quiet.p50:9.1f} {quiet.p95:7.1f} {cost.p50:9.1f} {cost.p95:7.1f}"
            f" {outcome.ratio(call):6.2f} {errors:7}  {goal}: {'kept' if kept else 'MISSED'}"
        )
        name = ""
    kept = "kept" if outcome.memory_ratio <= MEMORY_RATIO else "MISSED"
    yield (
        f"{'':26} web memory {outcome.memory_before:.0f} → {outcome.memory_after:.0f} MB"
        f" × {outcome.memory_ratio:.2f}  ≤ {MEMORY_RATIO}: {kept};"
        f" attackers used {outcome.attackers_cpu:.0%} of a processor; {outcome.windows} windows"
    )
    yield f"{'':26} attackers got {told(outcome)}"
    for missed in outcome.missed_by_attackers():
        yield f"{'':26} MISSED: {missed}"
    for call, cost in outcome.stormy.items():
        if cost.errors:
            yield f"{'':26} {call}: {cost.errors} of {cost.calls} calls, the slowest after {cost.slowest_seconds:.1f} s"


def told(outcome: Outcome) -> str:
    """How the last wave's connections ended, and how soon."""
    tally = outcome.tally
    ends = ", ".join(f"{end} × {times}" for end, times in sorted(tally["ends"].items())) or "nothing"
    when = ""
    if tally["seconds"]:
        seconds = tally["seconds"]
        when = f" after {quantile(seconds, 0.5):.2f} s (p50), {seconds[-1]:.2f} s at most"
    held = f"; {tally['held']} still held at the end" if tally["held"] else ""
    return f"{ends}{when}{held}"
