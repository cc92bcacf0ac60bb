import pytest

from apps.status.judging import Figures, State, in_words, judged


@pytest.mark.parametrize(
    ("figures", "state"),
    [
        (Figures(), State.UNKNOWN),
        (Figures(calls=19, failed=19), State.UNKNOWN),
        (Figures(unmeasured=1_440), State.UNKNOWN),
        (Figures(calls=19, failed=19, checks=1), State.OPERATIONAL),
        (Figures(calls=1_000, failed=9), State.OPERATIONAL),
        (Figures(calls=1_000, failed=10), State.DEGRADED),
        (Figures(calls=20, failed=4), State.DEGRADED),
        (Figures(calls=20, failed=5), State.OUTAGE),
        (Figures(checks=1_440, failed_checks=4), State.OPERATIONAL),
        (Figures(checks=1_440, failed_checks=5), State.DEGRADED),
        (Figures(checks=1_440, failed_checks=59), State.DEGRADED),
        (Figures(checks=1_440, failed_checks=60), State.OUTAGE),
        (Figures(calls=1_000, failed=10, checks=90, failed_checks=60), State.OUTAGE),
    ],
)
def test_the_worse_of_calls_and_checks_decides(figures: Figures, state: State) -> None:
    assert judged(figures) is state


def test_the_words_tell_shares_and_minutes_and_never_how_many_calls() -> None:
    assert in_words(Figures(calls=70_001, failed=1, failed_checks=1, unmeasured=2)) == (
        "99.99 % of calls answered, 1 minute of failed checks, 2 minutes not measured"
    )
    assert in_words(Figures(calls=19, failed=3, checks=9)) == ""
