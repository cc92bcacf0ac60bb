"""No input ends in a 500, is taken although it is wrong, or is refused on /v1 without the envelope: a share of `make siege`'s."""

import pytest

from tests.siege.hostile.running import Result, all_inputs, send_all
from tests.siege.stage import Stage

pytestmark = pytest.mark.stack

EVERY = 41  # prime, so that each rule is met at another value in every operation
SECONDS = 10.0  # ten times what is promised: other tests run beside


@pytest.fixture(scope="module")
def results(stage: Stage) -> list[Result]:
    return send_all(stage, all_inputs(stage, EVERY))


def test_there_are_enough_of_them(stage: Stage, results: list[Result]) -> None:
    assert len(results) * EVERY >= 2_500


def test_no_input_makes_the_service_fail_or_is_taken_silently(results: list[Result]) -> None:
    assert [f"{result.input}: {fault}" for result in results for fault in result.faults()] == []


def test_every_input_is_answered_soon(results: list[Result]) -> None:
    assert [str(result.input) for result in results if result.answer.seconds > SECONDS] == []
