"""What OpenTelemetry's own variables set: the sampler, the queue, and what a collector gets."""

import random

import pytest
from opentelemetry.context import Context
from opentelemetry.sdk.trace import sampling
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context
from pytest_django import Settings

from apps.common.tracing import sdk, spans
from apps.common.tracing.spans import Span
from apps.common.tracing.traceparent import Parent
from tests.support.collector import collecting
from tests.support.receiver import Reply

LOW, HIGH = 1, 2**64 - 1
"""Ids of traces by their last half, which decides: the lowest are recorded first."""


@pytest.mark.parametrize(
    ("sampler", "share", "told"),
    [
        ("parentbased_traceidratio", 0.05, [True, False, True, False]),
        ("parentbased_traceidratio", 0.0, [False, False, True, False]),
        ("parentbased_always_on", 0.05, [True, True, True, False]),
        ("always_off", 0.05, [False, False, False, False]),
        ("traceidratio", 0.5, [True, False, False, True]),
    ],
)
def test_whether_a_trace_is_recorded(
    settings: Settings, sampler: str, share: float, told: list[bool]
) -> None:
    settings.TRACES_SAMPLER, settings.TRACES_SHARE = sampler, share
    decide = sdk.decision()
    assert [
        decide(LOW, None),
        decide(HIGH, None),
        decide(HIGH, Parent(HIGH, 7, sampled=True)),
        decide(LOW, Parent(LOW, 7, sampled=False)),
    ] == told


SDK = {
    "always_on": sampling.ALWAYS_ON,
    "always_off": sampling.ALWAYS_OFF,
    "traceidratio": sampling.TraceIdRatioBased(0.3),
    "parentbased_always_on": sampling.DEFAULT_ON,
    "parentbased_always_off": sampling.DEFAULT_OFF,
    "parentbased_traceidratio": sampling.ParentBasedTraceIdRatio(0.3),
}


@pytest.mark.parametrize("sampler", SDK)
def test_each_sampler_decides_as_the_sdks_of_its_name(settings: Settings, sampler: str) -> None:
    settings.TRACES_SAMPLER, settings.TRACES_SHARE = sampler, 0.3
    decide = sdk.decision()
    edge = round(0.3 * 2**64)
    ids = [
        LOW,
        edge - 1,
        edge,
        HIGH,
        (7 << 64) + edge - 1,
        (7 << 64) + edge,
        *(random.getrandbits(128) for _ in range(50)),
    ]
    for trace_id in ids:
        for sampled in (None, True, False):
            parent = None if sampled is None else Parent(trace_id, 7, sampled)
            theirs = SpanContext(trace_id, 7, is_remote=True, trace_flags=TraceFlags(int(bool(sampled))))
            context = (
                Context() if parent is None else set_span_in_context(NonRecordingSpan(theirs), Context())
            )
            told = SDK[sampler].should_sample(context, trace_id, "").decision.is_sampled()
            assert decide(trace_id, parent) is told


def test_by_default_callers_decide_and_of_other_calls_a_share_is_recorded(settings: Settings) -> None:
    assert (settings.TRACES_SAMPLER, settings.TRACES_SHARE) == ("parentbased_traceidratio", 0.01)


def test_the_queue_is_set_by_the_sdks_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sdk.queue_settings() == {"most": 2_048, "batch": 512, "seconds": 5.0}
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "9")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "nonsense")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "250")
    assert sdk.queue_settings() == {"most": 9, "batch": 512, "seconds": 0.25}


def test_a_collector_gets_the_span_as_it_was_noted(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    span = Span("POST /air/orders", spans.CLIENT, 0xABC, 0xDEF, None)
    span.attributes = {
        "http.response.status_code": 502,
        "travel_partner.replayed": True,
        "url.template": "/air/orders",
    }
    span.error = "502"
    span.links = [(0x123, 0x456)]
    span.ended = span.began + 1_000
    with collecting() as collector:
        monkeypatch.setenv(
            "OTEL_EXPORTER_OTLP_ENDPOINT", str(collector.environment["OTEL_EXPORTER_OTLP_ENDPOINT"])
        )
        settings.TRACES_SERVICE = "ours"
        assert sdk.sender()([span]) is True
        (got,) = collector.spans
        (request,) = collector.receiver.requests
    assert request.path == "/v1/traces"
    assert (got.trace, got.parent, got.id) == (f"{0xABC:032x}", f"{0xDEF:016x}", f"{span.span_id:016x}")
    assert (got.name, got.kind, got.failed, got.nanoseconds) == ("POST /air/orders", 3, "502", 1_000)
    assert (got.attributes, got.links) == (span.attributes, [(f"{0x123:032x}", f"{0x456:016x}")])
    assert got.service == "ours"


def test_a_collector_that_refuses_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting(Reply(status=400)) as collector:
        monkeypatch.setenv(
            "OTEL_EXPORTER_OTLP_ENDPOINT", str(collector.environment["OTEL_EXPORTER_OTLP_ENDPOINT"])
        )
        assert sdk.sender()([Span("call", spans.SERVER, 1, 0, None)]) is False
        assert len(collector.receiver.requests) == 1
