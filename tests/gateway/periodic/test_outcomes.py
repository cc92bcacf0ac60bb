"""What a run that asks several suppliers has come to."""

import pytest

from apps.gateway.periodic import ITSELF, Tally, told


def test_a_supplier_has_failed_that_did_not_answer_a_single_time() -> None:
    tally = Tally()
    tally.failed("duffel", RuntimeError("away"))
    tally.answered("duffel")
    tally.failed("duffel", RuntimeError("away"))
    tally.failed("airalo", RuntimeError("no such order"))
    assert tally.succeeded == {ITSELF, "duffel"}
    assert tally.failures == {"airalo": "RuntimeError: no such order"}


def test_a_run_without_work_says_nothing_of_any_supplier() -> None:
    assert Tally().applied_to({"duffel": 1, ITSELF: 2}) == {"duffel": 1}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"duffel": 1}),
        ({"duffel": 1}, {"duffel": 2}),
        ({"duffel": 2, "airalo": 1}, {"duffel": 2, "airalo": 1}),
    ],
)
def test_failures_in_a_row_are_counted_up_to_two(before: dict[str, int], after: dict[str, int]) -> None:
    tally = Tally()
    tally.failed("duffel", RuntimeError())
    assert tally.applied_to(before) == after


def test_an_error_is_told_in_one_short_line() -> None:
    assert told(KeyError()) == "KeyError"
    assert told(RuntimeError("one\ntwo")) == "RuntimeError: one"
    assert len(told(RuntimeError("x" * 900))) == 200
    tally = Tally.of_failure(KeyError())
    tally.failed("b", RuntimeError("2"))
    assert tally.why == "KeyError; b: RuntimeError: 2"
