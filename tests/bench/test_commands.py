"""`python -m tests.bench`: which commands there are, what each runs, and what a wrong one is told."""

import importlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench import __main__ as bench
from tests.bench.commands import COMMANDS

PERFORMANCE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
RUN = {
    "plain": ["beside_plain.main"],
    "peer": ["beside_peer.main"],
    "pgbench": ["pgbench.main"],
    "request-log": ["request_log.main"],
    "hanging-supplier": ["hanging_supplier.main"],
    "webhooks": ["webhooks.deliveries"],
    "parts": ["parts.report.main"],
    "fairness": ["fairness.report.main"],
    "feed": ["feed_growth.main"],
    "settlements": ["settlements.main"],
    "sizes": ["sizes.main"],
    "pages": ["pages.report.main"],
    "partitions": ["partitions.main"],
    "growth": ["growth.main", "webhooks.growth", "feed_growth.growth"],
    "costs": ["costs.measure.main"],
    "idle": ["idle.main"],
}
ALL = [name for command in list(RUN)[:6] for name in RUN[command]]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[object, ...]]]:
    """What would have run, with which arguments."""
    begun: list[tuple[str, tuple[object, ...]]] = []

    def noting(name: str) -> Callable[..., None]:
        return lambda *arguments: begun.append((name, arguments))

    for place in {place for places in RUN.values() for place in places}:
        module, _, name = place.rpartition(".")
        monkeypatch.setattr(importlib.import_module(f"tests.bench.{module}"), name, noting(place))
    return begun


@pytest.mark.parametrize("command", RUN)
def test_a_command_runs_what_it_is_called_after(command: str, ran: list[tuple[str, object]]) -> None:
    bench.main([command])
    assert [name for name, _ in ran] == RUN[command]


def test_without_a_command_everything_of_one_run_is_measured(ran: list[tuple[str, object]]) -> None:
    bench.main([])
    assert [name for name, _ in ran] == ALL


def test_a_number_alone_says_over_how_many_rounds(ran: list[tuple[str, object]]) -> None:
    bench.main(["2"])
    assert [name for name, _ in ran] == ALL
    assert dict(ran) | {"beside_peer.main": (2,), "pgbench.main": (2,)} == dict(ran)


def test_options_reach_the_command(ran: list[tuple[str, object]]) -> None:
    bench.main(["parts", "--rounds", "3", "--calls", "7", "--meter", "time"])
    bench.main(["fairness", "--rounds", "1", "--seconds", "0.5"])
    bench.main(["settlements", "--backlog", "100000"])
    assert ran == [
        ("parts.report.main", (7, 3, "time")),
        ("fairness.report.main", (1, 0.5)),
        ("settlements.main", (100_000,)),
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["peer", "--rounds", "0"], "0 is no whole number above zero"),
        (["peer", "--rounds", "many"], "many is no whole number above zero"),
        (["fairness", "--seconds", "nan"], "nan is no number above zero"),
        (["parts", "--meter", "stopwatch"], "invalid choice: 'stopwatch'"),
        (["growth", "--rounds", "3"], "unrecognized arguments: --rounds 3"),
        (["idle", "costs"], "unrecognized arguments: costs"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_told_in_a_sentence(
    arguments: list[str], said: str, ran: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        bench.main(arguments)
    told = str(ended.value.code)
    assert told.startswith("error: ")
    assert said in told
    assert told.endswith("make bench ARGS=--help tells the commands")
    assert ran == []


def test_help_tells_every_command_and_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        bench.main(["--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert ended.value.code == 0
    assert set(COMMANDS) == {*RUN, "all"}
    assert [f"{name} {command.says}" in told for name, command in COMMANDS.items()] == [True] * len(COMMANDS)


def test_the_documentation_tells_every_command() -> None:
    told = re.findall(r'^\| `make bench(?: ARGS="?([\w-]+)[^`]*)?`', PERFORMANCE.read_text(), re.MULTILINE)
    assert sorted(name or "all" for name in told) == sorted(COMMANDS)
