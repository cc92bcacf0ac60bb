"""The spans of this process, as they end: for tests without a collector. Its statements, calls and tasks are not instrumented."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from apps.common import tracing, tracing_sdk


class Recorded:
    """Those that ended, in that order."""

    def __init__(self, exporter: InMemorySpanExporter) -> None:
        self._exporter = exporter

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self._exporter.get_finished_spans()

    def named(self, name: str) -> ReadableSpan:
        """The only one of this name."""
        (span,) = [span for span in self.spans if span.name == name]
        return span


def stored(context: trace.SpanContext) -> bytes:
    """As a row of the database has it."""
    return context.trace_id.to_bytes(16) + context.span_id.to_bytes(8)


@contextmanager
def recording() -> Iterator[Recorded]:
    """Traces are on for the length of the block, and all are recorded."""
    exporter = _exporter()
    exporter.clear()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tracing, "_sdk", tracing_sdk)
        yield Recorded(exporter)


@cache
def _exporter() -> InMemorySpanExporter:
    """OpenTelemetry takes one provider a process."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter
