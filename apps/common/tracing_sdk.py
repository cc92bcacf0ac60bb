"""All that imports OpenTelemetry: the provider, its instrumentations, and what `tracing.py` needs of its API.

The SDK reads its settings from the variables that every OpenTelemetry SDK knows.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from celery.signals import worker_process_shutdown
from opentelemetry import trace
from opentelemetry.context import attach, detach, get_current
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.celery import CeleryInstrumentor
from opentelemetry.instrumentation.django import DjangoInstrumentor
from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
from opentelemetry.instrumentation.redis import RedisInstrumentor
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, SpanKind, Status, StatusCode, TraceFlags

__all__ = ["attach", "get_current"]

DEFAULTS = {
    "OTEL_SERVICE_NAME": "travel-partner-api",
    "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
    "OTEL_TRACES_SAMPLER_ARG": "0.01",
}
OTHER_URLS = r"^https?://[^/]*/(?!v1/)"
"""Not traced: links of pages hold secrets, such as the one that resets a password."""
AFTER_PROBES = 1
"""The place of OpenTelemetry's middleware. It asks each request for its host, which a probe need not name."""
PRIVATE = frozenset(
    {"http.url", "http.target", "http.user_agent", "url.full", "url.path", "url.query", "user_agent.original"}
    | {"http.client_ip", "client.address", "net.peer.ip", "net.peer.port", "celery.retry.reason"}
)
"""Attributes that may hold what a partner sent."""


class DiscreetExporter(OTLPSpanExporter):
    """Sends spans without what may hold a traveller or a secret: addresses, and the texts of exceptions."""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return super().export([discreet(span) for span in spans])


def discreet(span: ReadableSpan) -> ReadableSpan:
    return ReadableSpan(
        span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes={key: value for key, value in (span.attributes or {}).items() if key not in PRIVATE},
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def provider() -> TracerProvider:
    """Sends spans to the collector, from a thread of each process."""
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(DiscreetExporter()))
    # Such a process skips what others do at their end.
    worker_process_shutdown.connect(lambda **_: provider.shutdown(), weak=False)
    return provider


def instrument(provider: TracerProvider) -> None:
    trace.set_tracer_provider(provider)
    DjangoInstrumentor().instrument(excluded_urls=OTHER_URLS, middleware_position=AFTER_PROBES)
    PsycopgInstrumentor().instrument()
    RedisInstrumentor().instrument()
    CeleryInstrumentor().instrument()  # type: ignore[no-untyped-call]


def started(name: str, *, client: bool) -> AbstractContextManager[Span]:
    return trace.get_tracer("apps").start_as_current_span(
        name,
        kind=SpanKind.CLIENT if client else SpanKind.INTERNAL,
        record_exception=False,
        set_status_on_exception=False,
    )


@contextmanager
def resumed(ids: bytes) -> Iterator[None]:
    """What begins inside belongs to a stored span."""
    token = attach(trace.set_span_in_context(NonRecordingSpan(_context(ids))))
    try:
        yield
    finally:
        detach(token)


def current() -> Span:
    return trace.get_current_span()


def recorded() -> SpanContext | None:
    span = trace.get_current_span()
    return span.get_span_context() if span.is_recording() else None


def fail(kind: str, *, ours: bool) -> None:
    span = trace.get_current_span()
    span.set_attribute("error.type", kind)
    if ours:
        span.set_status(StatusCode.ERROR)


def link(ids: bytes) -> None:
    context, span = _context(ids), trace.get_current_span()
    if context.trace_id != span.get_span_context().trace_id:
        span.add_link(context)


def _context(ids: bytes) -> SpanContext:
    return SpanContext(
        int.from_bytes(ids[:16]),
        int.from_bytes(ids[16:]),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )
