"""The recorded journey is what the service still does: played again at the recorded instant, each answer is the same.

The same to the last byte, ids and instants too: the clock and chance are held (`stage`, `chance`), so nothing is left to differ.
"""

import pytest

from apps.gateway.openapi import document
from apps.gateway.openapi.examples import recorded, recorded_events
from tests.examples.stage import Stage
from tests.support.operations import operations, sandbox_operations

OPERATIONS = sorted(operation.route.id for operation in (*operations(), *sandbox_operations()))
EVENTS = sorted(document()["webhooks"])
RECORD = "not what is recorded; where that is meant, run `make examples` and look at the difference"


@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_each_operation_answers_as_recorded(operation_id: str, played_again: Stage) -> None:
    now = [call for call in played_again.calls if call.operation_id == operation_id]

    assert now
    assert now == [call for call in recorded() if call.operation_id == operation_id], RECORD


@pytest.mark.parametrize("type_", EVENTS)
def test_each_event_is_delivered_as_recorded(type_: str, played_again: Stage) -> None:
    now = [event for event in played_again.events if event.type == type_]

    assert now
    assert now == [event for event in recorded_events() if event.type == type_], RECORD


def test_the_journey_is_recorded_in_its_order(played_again: Stage) -> None:
    assert recorded() == played_again.calls, RECORD
