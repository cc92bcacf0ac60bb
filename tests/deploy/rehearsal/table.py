"""What a rehearsal showed, as lines of a table."""

from collections import Counter

from tests.deploy.rehearsal.failures import Outcome

HEADER = """| what | calls | orders acknowledged | until orders succeed, s | answered meanwhile | wrong |
|---|---:|---:|---|---|---|"""


def line(outcome: Outcome) -> str:
    seconds = sorted(outcome.seconds)
    waited = "–" if not seconds else f"{seconds[len(seconds) // 2]:.1f} (most {seconds[-1]:.1f})"
    answers = "; ".join(f"{kind}s {told(counted)}" for kind, counted in outcome.meanwhile.items() if counted)
    wrong = "; ".join(outcome.wrong[:5]) or "nothing"
    return f"| {outcome.name} | {outcome.calls} | {outcome.acknowledged} | {waited} | {answers or '–'} | {wrong} |"


def told(counted: Counter[str]) -> str:
    return ", ".join(f"{times} × {words}" for words, times in counted.most_common())
