"""Every hostile scenario over every connector of every product. What is judged is the outcome: the stand-in's own book, our
ledger, and what the partner was answered.
"""

import pytest

from tests.suppliers.kit.connectors import CONNECTORS, bench_of
from tests.suppliers.kit.scenarios import SCENARIOS
from tests.suppliers.kit.scenarios.base import Scenario
from tests.suppliers.kit.verdict import verdict
from tests.suppliers.kit.world import World


def fitting() -> list[object]:
    """Scenario × connector, where the supplier has what it takes."""
    pairs = []
    for connector in CONNECTORS:
        with bench_of(connector) as bench:
            fits = [
                one
                for one in SCENARIOS
                if one.needs <= bench.steps.keys() and (one.where is None or one.where(bench))
            ]
        pairs += [pytest.param(connector, one, id=f"{connector}-{one}") for one in fits]
    return pairs


@pytest.mark.slow
@pytest.mark.parametrize(("connector", "scenario"), fitting())
def test_nothing_is_lost_doubled_or_charged_wrong(connector: str, scenario: Scenario, world: World) -> None:
    scenario.play(world)
    world.bench.calm()
    world.later()
    assert verdict(world) == []
