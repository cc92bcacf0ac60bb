"""What the players tell is read as it is meant: one failed check, or a request that was not sent, is no success."""

from dataclasses import replace
from typing import Any

import pytest

from apps.docs.collection.steps import steps
from tests.players.collections import Played
from tests.players.workflows import workflow_of

GOOD = {"status": "success", "message": "as it should be"}
BAD = {"status": "error", "message": "another status"}


def told(*attempts: list[dict[str, str]], status: str) -> dict[str, Any]:
    executed = [{"stepId": "book", "checks": checks} for checks in attempts]
    return {"workflowId": "hotel", "executedSteps": executed, "status": status, "totalTimeMs": 1200}


def test_a_workflow_that_failed_names_step_and_check():
    found = workflow_of(told([GOOD, GOOD], [GOOD, BAD], status="error"))
    assert (found.good, found.failed, found.checks, found.seconds) == (
        False,
        ["book: another status"],
        4,
        1.2,
    )


def test_a_workflow_that_stopped_without_a_check_failed_too():
    found = workflow_of(told([GOOD, GOOD], status="error"))
    assert (found.good, found.failed) == (False, ["hotel: error"])


def test_an_attempt_before_the_one_that_succeeded_is_no_failure():
    assert workflow_of(told([GOOD, BAD], [GOOD, GOOD], status="success")).good


@pytest.mark.parametrize("attempts", [[], [[GOOD]]])
def test_a_workflow_that_checked_next_to_nothing_is_not_good(attempts):
    assert not workflow_of(told(*attempts, status="success")).good


def test_a_collection_is_good_when_every_request_was_sent_and_no_check_failed():
    all_well = Played("newman", len(steps()), 2 * len(steps()), [])
    assert all_well.good
    assert not replace(all_well, failures=["searchHotels: answers 201"]).good
    assert not replace(all_well, requests=len(steps()) - 1).good
    assert not replace(all_well, checks=len(steps())).good
