"""A collector of traces: a real HTTP server that takes OTLP over HTTP, as protobuf, and remembers the spans."""

import gzip
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from tests.support.receiver import Receiver, Reply


@dataclass(frozen=True)
class Got:
    """One span. Ids are hexadecimal; `parent` is empty for the first of a trace. `failed`: why; empty where it did not fail."""

    trace: str
    id: str
    parent: str
    name: str
    kind: int
    attributes: dict[str, Any]
    failed: str
    links: list[tuple[str, str]]
    nanoseconds: int
    process: str = ""
    service: str = ""


@dataclass
class Collector:
    receiver: Receiver
    seen: list[Got] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, object]:
        """The variables of a process that sends its spans here, soon."""
        return {
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{self.receiver.port}",
            "OTEL_BSP_SCHEDULE_DELAY": 100,
        }

    @property
    def spans(self) -> list[Got]:
        return [span for request in list(self.receiver.requests) for span in read(request.body)]

    def wait_for(self, enough: Callable[[list[Got]], bool], seconds: float = 60.0) -> list[Got]:
        """All spans, once they are enough. Raises TimeoutError."""
        give_up = time.monotonic() + seconds
        while time.monotonic() < give_up:
            spans = self.spans
            if enough(spans):
                return spans
            time.sleep(0.05)
        raise TimeoutError(f"The collector has only {sorted(span.name for span in self.spans)}")


def read(body: bytes) -> list[Got]:
    request = ExportTraceServiceRequest.FromString(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
    return [
        _got(span, {one.key: _value(one.value) for one in whole.resource.attributes})
        for whole in request.resource_spans
        for scope in whole.scope_spans
        for span in scope.spans
    ]


def _got(span: Any, resource: dict[str, Any]) -> Got:
    return Got(
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        name=span.name,
        kind=span.kind,
        attributes={one.key: _value(one.value) for one in span.attributes},
        failed=span.status.message if span.status.code == 2 else "",
        links=[(link.trace_id.hex(), link.span_id.hex()) for link in span.links],
        nanoseconds=span.end_time_unix_nano - span.start_time_unix_nano,
        process=resource["service.instance.id"],
        service=resource["service.name"],
    )


def _value(value: Any) -> Any:
    return getattr(value, value.WhichOneof("value"))


@contextmanager
def collecting(answer: Reply | None = None) -> Iterator[Collector]:
    """A collector on a port of its own."""
    body = ExportTraceServiceResponse().SerializeToString()
    receiver = Receiver(answer or Reply(body=body, headers={"Content-Type": "application/x-protobuf"}))
    try:
        yield Collector(receiver)
    finally:
        receiver.stop()
