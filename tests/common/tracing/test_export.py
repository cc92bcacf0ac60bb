"""The way of spans to a collector: nothing waits for it, what is lost is counted, and the end of a process is bounded."""

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from apps.common.tracing import export, spans
from apps.common.tracing.export import DROPPED, REFUSED, SENT, Queue
from apps.common.tracing.spans import Span

LONG = 3_600.0


class Collector:
    """Takes spans, or holds them until it is let go."""

    def __init__(self, *, takes: bool = True) -> None:
        self.takes = takes
        self.got: list[str] = []
        self.batches: list[int] = []
        self.asked = threading.Event()
        self.let_go = threading.Event()
        self.let_go.set()

    def open(self) -> export.Send:
        return self.send

    def send(self, batch: Sequence[Span]) -> bool:
        self.asked.set()
        self.let_go.wait()
        self.batches.append(len(batch))
        if self.takes:
            self.got += [span.name for span in batch]
        return self.takes


class Outcomes:
    def __init__(self) -> None:
        self.counted: list[str] = []

    def add(self, outcome: str, *, count: int = 1) -> None:
        self.counted += [outcome] * count

    def of(self, outcome: str) -> int:
        return self.counted.count(outcome)


@pytest.fixture
def outcomes(monkeypatch: pytest.MonkeyPatch) -> Outcomes:
    counted = Outcomes()
    monkeypatch.setattr(export, "SPANS", counted)
    return counted


def a_span(name: str = "span") -> Span:
    return Span(name, spans.INTERNAL, 1, 0, None)


def test_spans_are_sent_in_batches_by_a_thread_that_starts_with_the_first(outcomes: Outcomes) -> None:
    collector = Collector()
    queue = Queue(collector.open, most=100, batch=4, seconds=LONG)
    assert queue._thread is None
    for number in range(10):
        queue.take(a_span(f"{number}"))
    queue.flush()
    assert collector.got == [f"{number}" for number in range(10)]
    assert max(collector.batches) <= 4
    assert outcomes.of(SENT) == 10
    queue.close()


def test_a_collector_that_hangs_keeps_nobody_and_what_does_not_fit_is_counted(outcomes: Outcomes) -> None:
    collector = Collector()
    collector.let_go.clear()
    queue = Queue(collector.open, most=5, batch=1, seconds=LONG)
    queue.take(a_span())
    assert collector.asked.wait(60)
    for _ in range(8):
        queue.take(a_span())  # would hang here
    assert outcomes.of(DROPPED) == 3
    queue.close(seconds=0.05)
    assert outcomes.of(DROPPED) == 3 + 6  # one was under way, five waited
    queue.take(a_span())
    assert outcomes.of(DROPPED) == 10
    collector.let_go.set()
    assert queue._thread is not None
    queue._thread.join()  # what it still sends is not counted in another test


def test_a_collector_that_is_away_is_told_of_once(
    outcomes: Outcomes, caplog: pytest.LogCaptureFixture
) -> None:
    collector = Collector(takes=False)
    queue = Queue(collector.open, most=100, batch=2, seconds=LONG)
    with caplog.at_level(logging.WARNING):
        for _ in range(6):
            queue.take(a_span())
        queue.flush()
        collector.takes = True
        queue.take(a_span())
        queue.flush()
    assert (outcomes.of(REFUSED), outcomes.of(SENT)) == (6, 1)
    assert [record.message for record in caplog.records if record.name == export.__name__] == [
        "the collector of traces takes no spans: they are lost",
        "the collector of traces takes spans again",
    ]
    queue.close()


def test_the_end_of_a_process_sends_what_waits(outcomes: Outcomes) -> None:
    collector = Collector()
    queue = Queue(collector.open, most=100, batch=50, seconds=LONG)
    for _ in range(3):
        queue.take(a_span())
    queue.close()
    assert collector.got == ["span"] * 3
    assert (outcomes.of(SENT), outcomes.of(DROPPED)) == (3, 0)


def test_a_child_of_a_fork_sends_its_own_spans_alone(outcomes: Outcomes) -> None:
    collector = Collector()
    queue = Queue(collector.open, most=100, batch=50, seconds=LONG)
    queue.take(a_span("the parent's"))
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        queue.take(a_span("the child's"))
        queue.close()
        os.write(writing, ",".join(collector.got).encode())
        os._exit(0)
    os.close(writing)
    assert os.read(reading, 100) == b"the child's"
    os.waitpid(child, 0)
    os.close(reading)
    queue.close()
    assert collector.got == ["the parent's"]


BEGIN = "import django; django.setup(); from apps.common.tracing import spans; print(spans.is_on)"
COLLECTOR = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
READ_SETTINGS = """
import json, os, sys
from importlib import reload
import config.settings
for variables in json.loads(sys.argv[1]):
    os.environ.update(variables)
    try:
        print(reload(config.settings).TRACES)
    except Exception as error:
        print(error)
    for name in variables:
        del os.environ[name]
"""


def test_traces_are_off_unless_a_collector_is_named_and_a_wrong_setting_is_refused() -> None:
    cases: list[tuple[dict[str, str], str]] = [
        ({}, "False"),
        (COLLECTOR, "True"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:9/v1/traces"}, "True"),
        ({**COLLECTOR, "OTEL_SDK_DISABLED": "true"}, "False"),
        ({**COLLECTOR, "OTEL_TRACES_EXPORTER": "none"}, "False"),
        ({"OTEL_TRACES_SAMPLER": "everything"}, "OTEL_TRACES_SAMPLER is none of OpenTelemetry's samplers."),
        ({"OTEL_TRACES_SAMPLER_ARG": "1.5"}, "OTEL_TRACES_SAMPLER_ARG is not between 0 and 1."),
    ]
    told = run(READ_SETTINGS, {}, json.dumps([variables for variables, _ in cases])).stdout.splitlines()
    assert told == [expected for _, expected in cases]


def test_where_it_is_configured_and_not_installed_that_is_said_and_the_service_runs() -> None:
    done = run("import sys; sys.modules['opentelemetry.exporter'] = None; " + BEGIN, COLLECTOR)
    assert done.stdout.split() == ["False"]
    assert "requirements/tracing.lock" in done.stderr


def test_a_process_whose_collector_is_away_ends_by_itself() -> None:
    noted = f"{BEGIN}; spans.end(spans.begin_trace('call'))"
    done = run(noted, {**COLLECTOR, "OTEL_TRACES_SAMPLER": "always_on"})
    assert done.stdout.split() == ["True"]


def run(program: str, settings: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program that has ended well. Raises TimeoutExpired."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**clean, "DJANGO_SETTINGS_MODULE": "config.settings", **settings},
        cwd=Path(__file__).resolve().parents[3],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
