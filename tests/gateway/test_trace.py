"""The trace of a call: taken step by step, kept as a text, and read again."""

import pytest

from apps.common import errors
from apps.gateway import trace
from apps.gateway.trace import Step, timed


def test_a_step_is_noted_with_what_came_of_it():
    noted: list[str] = []

    def failing(error: Exception) -> None:
        raise error

    timed(noted, "first", str.upper, "passes")
    for name, error in (("refused", errors.NotFound()), ("crashed", ZeroDivisionError())):
        with pytest.raises(type(error)):
            timed(noted, name, failing, error)

    taken = trace.read(trace.written(noted))
    assert [step[:2] for step in taken] == [
        ("first", "passed"),
        ("refused", "not_found"),
        ("crashed", "ZeroDivisionError"),
    ]
    assert all(0 <= step.microseconds < 10**7 for step in taken)


@pytest.mark.parametrize(
    ("noted", "steps"),
    [
        ([], []),
        (["scope 0"], [Step("scope", "passed", 0)]),
        (
            ["scope 12", "body 7 invalid_request"],
            [Step("scope", "passed", 12), Step("body", "invalid_request", 7)],
        ),
    ],
)
def test_what_is_written_can_be_read(noted: list[str], steps: list[Step]):
    assert trace.read(trace.written(noted)) == steps
