"""That all situations happen, and that their table is printed. Nothing is judged by its speed here."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.bench.fairness import report, situations
from tests.siege.attack import Attack
from tests.siege.attacks import hanging_endpoints
from tests.siege.field import Field
from tests.siege.trial import Outcome


def test_all_at_once_is_all_four(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    def noting(attack: Attack) -> Attack:
        async def storm(field: Field) -> None:
            begun.append(attack.name)

        return replace(attack, storm=storm)

    for name in ("GREEDY", "STORM", "RECEIVERS", "HUNG"):
        monkeypatch.setattr(situations, name, noting(getattr(situations, name)))
    asyncio.run(situations.TOGETHER.storm(Field(port=0, partners={})))
    assert sorted(begun) == ["dear-searches", "hanging-endpoints", "hung-hotels", "ten-times-limits"]


class Stage:
    """Takes endpoints, as many as it is given."""

    def __init__(self) -> None:
        self.made = 0

    def api(self, partner: str, environment: str) -> "Stage":
        return self

    def post(self, path: str, body: object) -> SimpleNamespace:
        self.made += 1
        return SimpleNamespace(status=201, body={"id": f"whe_{self.made}"})

    def silent_port(self) -> int:
        return 9

    def live_plan(self) -> str:
        return "plan_none"


def test_the_endpoints_are_made_once_for_both_attacks_that_need_them() -> None:
    stage = Stage()
    alone, together = situations.RECEIVERS.prepare(stage), situations.TOGETHER.prepare(stage)
    assert stage.made == hanging_endpoints.ENDPOINTS
    assert together == {**alone, "hung": ("hotels",), "planId": "plan_none"}


def test_errors_and_ratios_above_the_goal_are_told() -> None:
    def window(ms: float, errors: dict[str, int]) -> dict[str, object]:
        return {"booking": {"ms": [ms] * 10, "errors": errors, "slowest": ms / 1000}}

    outcome = Outcome(
        situations.GREEDY,
        quiet_windows=[window(20.0, {})],
        stormy_windows=[window(30.0, {"503": 2})],
    )
    heading, line = report.lines("a partner at ten times its limits", outcome, 1.3)
    assert heading == "a partner at ten times its limits"
    figures = ["20.0", "20.0", "30.0", "30.0", "1.50", "10", "2"]
    assert line.split(maxsplit=8) == ["booking", *figures, "{'503': 2}  above the goal"]


@pytest.mark.stack
def test_the_table_of_a_situation_is_printed(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_TIMEOUT_SECONDS", "2")  # other tests run beside
    report.main(rounds=1, seconds=0.5, only=["a partner at ten times its limits"])
    lines = capfd.readouterr().out.splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines[3:7]}
    assert lines[2] == "a partner at ten times its limits"
    assert list(rows) == ["account", "search", "booking", "health"]
    assert all(float(figure) > 0 for row in rows.values() for figure in row[:6])
