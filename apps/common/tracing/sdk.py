"""What is the OpenTelemetry SDK's: sampler, resource and exporter, as its variables set them. Imported only where traces are on.

Spans are noted by `spans.py` and become the SDK's in the thread that sends them: so a call pays a tenth of what the SDK's own
tracer takes.
"""

import os
import socket
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import (
    Link,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
)

from apps.common.tracing.spans import Span
from apps.common.tracing.traceparent import SAMPLED, Parent

LAST_HALF = 2**64 - 1
KINDS = {kind.value: kind for kind in SpanKind}
FLAGS = TraceFlags(SAMPLED)
FINE = Status(StatusCode.UNSET)


def queue_settings() -> dict[str, Any]:
    """OTEL_BSP_…: how many spans wait at most, how many are sent at once, and after how long."""

    def number(name: str, default: int) -> int:
        told = os.environ.get(f"OTEL_BSP_{name}", "")
        return int(told) if told.isdecimal() and int(told) else default

    return {
        "most": number("MAX_QUEUE_SIZE", 2_048),
        "batch": number("MAX_EXPORT_BATCH_SIZE", 512),
        "seconds": number("SCHEDULE_DELAY", 5_000) / 1000,
    }


def decision() -> Callable[[int, Parent | None], bool]:
    """Whether a trace is recorded, given its id and the caller's span. As the SDK's samplers of these names decide, which
    make a dozen objects for it.
    """
    sampler = settings.TRACES_SAMPLER
    share = {"on": 1.0, "off": 0.0}.get(sampler.rpartition("_")[2], settings.TRACES_SHARE)
    bound: int = round(share * 2**64)
    callers_decide = sampler.startswith("parentbased_")

    def decide(trace_id: int, parent: Parent | None) -> bool:
        if parent is not None and callers_decide:
            return parent.sampled
        return trace_id & LAST_HALF < bound

    return decide


class _OneResource(Resource):
    """The SDK groups spans by their resource, and would write out all that is known of it for each."""

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__


def sender() -> Callable[[Sequence[Span]], bool]:
    """Sends spans to the collector; whether it took them. For one thread of one process, which has connections of its own."""
    exporter = OTLPSpanExporter()
    attributes = {
        "service.name": settings.TRACES_SERVICE,
        "service.instance.id": f"{socket.gethostname()}-{os.getpid()}",
        "process.pid": os.getpid(),
    }
    whole = {
        "resource": _OneResource(Resource.create(attributes).attributes),
        "instrumentation_scope": InstrumentationScope("apps.common.tracing"),
    }

    def send(spans: Sequence[Span]) -> bool:
        return exporter.export([_readable(span, whole) for span in spans]) is SpanExportResult.SUCCESS

    return send


def _readable(span: Span, whole: dict[str, Any]) -> ReadableSpan:
    return ReadableSpan(
        span.name,
        context=_context(span.trace_id, span.span_id),
        parent=_context(span.trace_id, span.parent_id) if span.parent_id else None,
        attributes=span.attributes,
        links=[Link(_context(*ids)) for ids in span.links],
        kind=KINDS[span.kind],
        status=Status(StatusCode.ERROR, span.error) if span.error else FINE,
        start_time=span.began,
        end_time=span.ended,
        **whole,
    )


def _context(trace_id: int, span_id: int) -> SpanContext:
    return SpanContext(trace_id, span_id, is_remote=False, trace_flags=FLAGS)
