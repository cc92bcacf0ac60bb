"""That each part of a call is counted as its own, by whatever counts, and that the table is printed."""

import gc
from pathlib import Path

import pytest

from tests.bench.parts import callgrind, meters, report
from tests.bench.parts.attribution import Attribution
from tests.bench.parts.spots import PARTS, SPOTS, found
from tests.bench.stays import MEASURED


class Steps:
    """A counter that goes one up whenever it is told to."""

    def __init__(self) -> None:
        self.count = 0

    def read(self) -> int:
        return self.count

    def take(self, steps: int) -> None:
        self.count += steps


def test_work_belongs_to_the_innermost_part() -> None:
    steps = Steps()
    attribution = Attribution(meters.CounterMeter(steps.read))
    statement = attribution.part("statements", lambda: steps.take(100))
    fetch = attribution.part("statements", lambda: (steps.take(1_000), statement()))
    gate = attribution.part("gate", lambda: (steps.take(1), statement(), steps.take(10), fetch()))
    attribution.begin()
    attribution.operation("GET account")
    gate()
    attribution.operation("")
    assert attribution.spent() | {"nothing/nothing": 0, "GET account/nothing": 0} == {
        "GET account/gate": 11,
        "GET account/statements": 1_200,
        "nothing/nothing": 0,
        "GET account/nothing": 0,
    }
    assert attribution.pieces == {
        "GET account/gate": 3,
        "GET account/statements": 2,
        "GET account/nothing": 2,
        "nothing/nothing": 1,
    }


def test_a_part_that_fails_has_ended() -> None:
    steps = Steps()
    attribution = Attribution(meters.CounterMeter(steps.read))

    def refuse() -> None:
        steps.take(5)
        raise LookupError

    attribution.begin()
    with pytest.raises(LookupError):
        attribution.part("gate", refuse)()
    attribution.part("the rest", lambda: steps.take(7))()
    spent = attribution.spent()
    assert (spent["nothing/gate"], spent["nothing/the rest"]) == (5, 7)


def test_the_garbage_collector_is_a_part_of_its_own() -> None:
    steps = Steps()
    attribution = Attribution(meters.CounterMeter(steps.read))
    attribution.collections("garbage collector")
    noted = gc.callbacks.pop()
    attribution.begin()
    attribution.part("gate", lambda: (noted("start", {}), steps.take(9), noted("stop", {}), steps.take(1)))()
    spent = attribution.spent()
    assert (spent["nothing/garbage collector"], spent["nothing/gate"]) == (9, 1)


def test_rounds_differ_by_what_is_left_without_the_ends() -> None:
    assert report.apart([100.0, 110.0]) == pytest.approx(0.1)
    assert report.apart([1.0, 100.0, 105.0, 102.0, 900.0]) == pytest.approx(0.05)


def test_every_place_that_is_measured_is_there() -> None:
    places = [place for part in SPOTS.values() for place in part]
    assert len(places) > 20
    assert [callable(getattr(*found(place))) for place in places] == [True] * len(places)
    with pytest.raises(LookupError, match="no_such_check is not there any more"):
        found("apps.gateway.steps:no_such_check")


def test_the_dumps_of_callgrind_are_added_up_by_label(tmp_path: Path) -> None:
    for number, (label, count) in enumerate([("a/gate", 30), ("a/the rest", 5), ("a/gate", 12)], start=1):
        head = f"version: 1\npart: {number}\ndesc: Trigger: Client Request: {label}\nevents: Ir\nsummary: {count}\n"
        (tmp_path / f"dump.{number}").write_text(f"# callgrind format\n{head}fn=(1) main\n+3 700\n")
    assert callgrind.spent_in(tmp_path) == {"a/gate": 42, "a/the rest": 5}


@pytest.mark.stack
def test_the_table_of_all_parts_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    report.main(calls=2, rounds=2, meter=meters.TIME)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == " ".join(MEASURED).split()
    assert [line[:18].strip() for line in lines[2:13]] == [*PARTS, "together", "rounds differ by"]
    together = [float(figure.replace(",", "")) for figure in lines[11].split()[1:]]
    assert len(together) == len(MEASURED)
    assert min(together) > 0
    assert "229 offers" in lines[-1]


def test_what_cannot_count_here_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meters, "instructions_of_this_thread", lambda: None)
    with pytest.raises(SystemExit, match="error: perf cannot count on this machine"):
        report.main(meter=meters.PERF)
