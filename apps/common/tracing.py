"""Traces by OpenTelemetry (docs/metrics.md). Off unless OTEL_EXPORTER_OTLP_ENDPOINT is set.

While they are off, nothing of OpenTelemetry is imported: it belongs to the `tracing` extra, and `tracing_sdk.py` loads it.
Statements, Redis commands, tasks and calls of /v1 are recorded by its own instrumentations. This module adds what they cannot
know: whose call it is, which supplier is asked, and that later work belongs to the trace of an earlier call.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

logger = logging.getLogger(__name__)

NOT_INSTALLED = (
    "Traces are configured (OTEL_EXPORTER_OTLP_ENDPOINT), but OpenTelemetry is not installed: none are recorded. "
    "Install requirements/tracing.lock."
)
TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
"""The header by which a caller names the trace that a call belongs to (W3C Trace Context)."""
STORED_BYTES = 24
"""A span in a row of the database: the ids of the trace and of the span. Only recorded ones are stored."""

_sdk: Any = None  # `apps.common.tracing_sdk` while traces are on


def begin() -> None:
    """Record spans from now on. Called once, as the process starts; its children continue with it."""
    global _sdk
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.instrumentation.django") is None:
        logger.error(NOT_INSTALLED)
        return
    sdk: Any = import_module("apps.common.tracing_sdk")
    sdk.instrument(sdk.provider())
    _sdk = sdk


@contextmanager
def within(name: str, *, client: bool = False, **attributes: Any) -> Iterator[None]:
    """A part of what this thread does. `client`: it is another system that does it."""
    if _sdk is None:
        yield
        return
    with _sdk.started(name, client=client):
        note(**attributes)
        try:
            yield
        except BaseException as error:
            fail(error)
            raise


@contextmanager
def continued(
    earlier: bytes | memoryview | None, name: str, *, client: bool = False, **attributes: Any
) -> Iterator[None]:
    """Later work of a trace that was stored, in whatever process. Nothing is recorded if that was not."""
    if _sdk is None or earlier is None or len(earlier) != STORED_BYTES:
        yield
        return
    with _sdk.resumed(bytes(earlier)), within(name, client=client, **attributes):
        yield


def is_on() -> bool:
    return _sdk is not None


def note(**attributes: Any) -> None:
    """Attributes of ours on the current span, `booking_id` as `travel_partner.booking_id`."""
    if _sdk is not None:
        _sdk.current().set_attributes({f"travel_partner.{name}": value for name, value in attributes.items()})


def rename(name: str) -> None:
    if _sdk is not None:
        _sdk.current().update_name(name)


def fail(error: BaseException | str) -> None:
    """Note on the current span why it failed, in one word. A refusal of the caller is noted, but is not a failure."""
    if _sdk is not None:
        kind = error if isinstance(error, str) else str(getattr(error, "type", None) or type(error).__name__)
        status = getattr(error, "status_code", None)
        _sdk.fail(kind, ours=not isinstance(status, int) or status >= 500)


def stored() -> bytes | None:
    """The current span, to be continued later from a row of the database; None if nothing is recorded."""
    context = _sdk.recorded() if _sdk is not None else None
    return None if context is None else context.trace_id.to_bytes(16) + context.span_id.to_bytes(8)


def link(earlier: bytes | memoryview | None) -> None:
    if _sdk is not None and earlier is not None and len(earlier) == STORED_BYTES:
        _sdk.link(bytes(earlier))


def log_ids() -> dict[str, str]:
    context = _sdk.recorded() if _sdk is not None else None
    return {"traceId": f"{context.trace_id:032x}", "spanId": f"{context.span_id:016x}"} if context else {}


def here() -> Any:
    """What this thread does, to be given to `enter` in another thread."""
    return _sdk.get_current() if _sdk is not None else None


def enter(context: Any) -> None:
    """This thread continues with what another did."""
    if _sdk is not None and context is not None:
        _sdk.attach(context)


def trace_id_of(traceparent: str) -> str:
    """The id of the caller's trace; empty if the header is invalid. Nothing else that a caller sent gets into a log line."""
    found = TRACEPARENT.fullmatch(traceparent)
    return found[1] if found and not (traceparent.startswith("00") and found[2]) else ""
