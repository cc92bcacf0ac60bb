"""What a run that asks several suppliers has come to."""

import pytest

from apps.gateway.periodic import ITSELF, Outcome, Tally, outcome_of, outcome_of_failure, told


def test_a_supplier_has_failed_that_did_not_answer_a_single_time() -> None:
    tally = Tally()
    tally.failed("duffel", RuntimeError("away"))
    tally.answered("duffel")
    tally.failed("duffel", RuntimeError("away"))
    tally.failed("airalo", RuntimeError("no such order"))
    assert tally.outcome == Outcome(frozenset({ITSELF, "duffel"}), {"airalo": "RuntimeError: no such order"})


def test_a_run_without_work_says_nothing_of_any_supplier() -> None:
    assert Tally().outcome == Outcome(frozenset({ITSELF}), {})
    assert Tally().outcome.applied_to({"duffel": 1, ITSELF: 2}) == {"duffel": 1}


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
    assert tally.outcome.applied_to(before) == after


def test_what_is_returned_is_a_success_unless_it_says_otherwise() -> None:
    tally = Tally()
    tally.failed(ITSELF, ValueError("x"))
    assert (outcome_of(None), outcome_of(7)) == (Outcome(), Outcome())
    assert outcome_of(tally) == Outcome(frozenset(), {ITSELF: "ValueError: x"})
    assert outcome_of_failure(ValueError("x")) == Outcome(frozenset(), {ITSELF: "ValueError: x"})


def test_an_error_is_told_in_one_short_line() -> None:
    assert told(KeyError()) == "KeyError"
    assert told(RuntimeError("one\ntwo")) == "RuntimeError: one"
    assert len(told(RuntimeError("x" * 900))) == 200
    assert Outcome(failures={"b": "2", ITSELF: "1"}).why == "1; b: 2"
