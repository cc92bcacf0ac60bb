"""What one caller does stops nobody else: `make siege` in a few seconds, judged only by what no noise of a machine explains."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.siege.attacks import ATTACKS
from tests.siege.attacks.largest_bodies import OPERATIONS, with_bodies
from tests.siege.puppet import puppet
from tests.siege.stage import Stage
from tests.siege.trial import Judge

pytestmark = pytest.mark.stack

HEALTH_SECONDS = 10.0  # ten times what is promised: other tests run beside


@pytest.fixture(scope="module")
def judge(stage: Stage) -> Iterator[Judge]:
    with puppet("tests.siege.victims") as victims, puppet("tests.siege.attackers") as attackers:
        yield Judge(stage, victims, attackers, rounds=1, seconds=1.0, compares=False)


@pytest.mark.parametrize(
    "name",
    ["slow-everything", "slow-readers-few", "idle-connections", "sbx-slow-every-route", "ten-times-limits"],
)
def test_others_are_served_while_it_lasts(name: str, judge: Judge) -> None:
    attack = ATTACKS[name]
    outcome = judge.try_out(replace(attack, rounds=1, patience=attack.patience if attack.must_end else 0.0))
    assert list(outcome.broken()) == []
    assert outcome.stormy["health"].slowest_seconds < HEALTH_SECONDS


def test_the_largest_bodies_stop_nobody(judge: Judge) -> None:
    """Twenty of the operation that cost most before its lists were bounded."""
    attack = ATTACKS["bodies-createFlightOrder"]
    assert attack.prepare is not None
    few = {**attack.prepare(judge.stage), "count": 20}
    outcome = judge.try_out(replace(attack, prepare=lambda stage: few, rounds=1))
    assert list(outcome.broken()) == []
    assert outcome.tally["held"] == 0
    assert outcome.stormy["health"].slowest_seconds < HEALTH_SECONDS


def test_every_operation_that_takes_a_body_is_among_the_attacks(stage: Stage) -> None:
    document = stage.api("heavy").get("/v1/openapi.json").body
    assert set(with_bodies(document)) == set(OPERATIONS)
