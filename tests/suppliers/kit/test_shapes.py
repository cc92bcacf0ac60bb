"""What is known of each supplier's answers is what its stand-in answers, and what the connector reads of them.

Where a stand-in or a connector has changed: `make shapes`, and look at what became of `known.json`.
"""

import json

import pytest

from apps.suppliers.drift import Shape, known_file
from tests.suppliers.kit.connectors import CONNECTORS
from tests.suppliers.kit.journey import travel
from tests.suppliers.kit.shapes import answers_of, learned, reads_noted, written
from tests.suppliers.kit.world import World


@pytest.mark.parametrize("connector", CONNECTORS)
def test_what_a_stand_in_answers_is_known(connector: str, world: World, pytestconfig: pytest.Config) -> None:
    with reads_noted(world.bench) as read:
        travel(world)
    path = known_file(world.bench.vendor)
    assert path is not None
    if pytestconfig.getoption("--learn-shapes"):
        path.write_text(written(learned(world.bench, read)))
    known = {call: Shape(fields) for call, fields in json.loads(path.read_text()).items()}
    answers = list(answers_of(world.bench))
    assert len(answers) > 5
    drift = {(call, one) for call, answer in answers for one in known[call].differences(answer)}
    assert drift == set(), "make shapes"
    read_here = {
        (call, field)
        for call, fields in read.items()
        if call in known
        for field in fields
        if field in known[call].fields
    }
    assert {(call, field) for call, field in read_here if not known[call].fields[field].is_read} == set(), (
        "make shapes"
    )
