"""Spans: what a thread does for a trace that is recorded. While traces are off, each costs a look at `is_on`.

Whether a trace is recorded is decided as its first span begins. Of one that is not, nothing is noted and nothing is stored: it is
recorded nowhere, however late it is continued. Names and attributes are words and ids of ours. Of an exception there is its kind,
and never its text, which may quote what was sent.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from apps.common.tracing.traceparent import Parent, parent_of

P = ParamSpec("P")
Result = TypeVar("Result")
Value = str | int | bool

INTERNAL, SERVER, CLIENT = 0, 1, 2
"""Kinds, by the numbers of opentelemetry.trace.SpanKind."""
STORED_BYTES = 24
"""A span in a row of the database: the ids of the trace and of the span. Only recorded ones are stored, so there is no flag."""

is_on = False


def _nothing(*_args: object) -> bool:
    """While traces are off: nothing is recorded."""
    return False


decide: Callable[[int, Parent | None], bool] = _nothing
"""Whether a trace that begins here is recorded, by its id and the caller's span. `export.begin` sets it, and the next one."""
finished: Callable[["Span"], object] = _nothing
"""Takes a span that has ended. Never waits."""


class Span:
    """A piece of work. Times are nanoseconds of this host's clock, which only a collector reads."""

    __slots__ = (
        "attributes",
        "began",
        "ended",
        "error",
        "kind",
        "links",
        "name",
        "outer",
        "parent_id",
        "span_id",
        "trace_id",
    )

    def __init__(self, name: str, kind: int, trace_id: int, parent_id: int, outer: "Span | None") -> None:
        self.name, self.kind = name, kind
        self.trace_id, self.parent_id = trace_id, parent_id
        self.span_id = random.getrandbits(64) or 1
        self.outer = outer
        """What this thread goes back to at its end."""
        self.attributes: dict[str, Value] = {}
        self.error: str | None = None
        """Why it failed, in one word; None where it did not."""
        self.links: list[tuple[int, int]] = []
        """Other spans that it has to do with: their traces' ids, and their own."""
        self.began = time.time_ns()
        self.ended = 0


class _Here(threading.local):
    span: Span | None = None


_here = _Here()


def current() -> Span | None:
    """What this thread does now; None where that is not recorded."""
    return _here.span if is_on else None


def begin(name: str, kind: int = INTERNAL) -> Span | None:
    """A part of what this thread does. None where that is not recorded; give it to `end` either way."""
    outer = _here.span
    if outer is None:
        return None
    span = _here.span = Span(name, kind, outer.trace_id, outer.span_id, outer)
    return span


def begin_trace(name: str, kind: int = INTERNAL, traceparent: str = "") -> Span | None:
    """The first span of a trace in this service: a part of the caller's, where the header names that."""
    parent = parent_of(traceparent) if traceparent else None
    trace_id = parent.trace_id if parent else random.getrandbits(128) or 1
    if not decide(trace_id, parent):
        _here.span = None
        return None
    span = _here.span = Span(name, kind, trace_id, parent.span_id if parent else 0, None)
    return span


def end(span: Span | None, error: BaseException | None = None) -> None:
    """The end of a span, or of nothing."""
    if span is None:
        return
    span.ended = time.time_ns()
    _here.span = span.outer
    if error is not None:
        fail(span, error)
    finished(span)


def fail(span: Span, error: BaseException) -> None:
    """Note an exception. A refusal is an answer as others are: the span tells of it, and did not fail."""
    kind = str(getattr(error, "type", None) or type(error).__name__)
    span.attributes["error.type"] = kind
    status = getattr(
        error, "status_code", None
    )  # other libraries' errors have one, too, which may say nothing
    if not isinstance(status, int) or status >= 500:
        span.error = kind


def within(name: str, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
    """What `work` returns, as a part of what this thread does."""
    return carry_out(begin(name) if is_on else None, work, *args, **kwargs)


def carry_out(span: Span | None, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
    """What `work` returns; its end is the span's."""
    if span is None:
        return work(*args, **kwargs)
    try:
        result = work(*args, **kwargs)
    except BaseException as error:
        end(span, error)
        raise
    end(span)
    return result


def note(**attributes: Value) -> None:
    """Attributes of ours on the current span, `booking_id` as `travel_partner.booking_id`."""
    if span := current():
        span.attributes.update({f"travel_partner.{name}": value for name, value in attributes.items()})


def stored() -> bytes | None:
    """The current span, to be continued later from a row of the database; None where nothing is recorded."""
    span = current()
    return None if span is None else span.trace_id.to_bytes(16) + span.span_id.to_bytes(8)


def link(earlier: bytes | memoryview | None) -> None:
    """Note that the current span has to do with an earlier one, which was stored."""
    span = current()
    if span is not None and (ids := _read(earlier)) is not None and ids[0] != span.trace_id:
        span.links.append(ids)


@contextmanager
def continued(
    earlier: bytes | memoryview | None, name: str, kind: int = INTERNAL, **attributes: Value
) -> Iterator[Span | None]:
    """Later work of a trace that was stored, in whatever process. Nothing is noted where that was not recorded."""
    ids = _read(earlier) if is_on else None
    if ids is None:
        yield None
        return
    outer = _here.span
    span = _here.span = Span(name, kind, *ids, outer)
    if outer is not None:
        span.links.append((outer.trace_id, outer.span_id))
    note(**attributes)
    with _ended(span):
        yield span


@contextmanager
def begun(name: str, **attributes: Value) -> Iterator[Span | None]:
    """Work that nobody's call asked for: a trace of its own, or a part of what this thread does."""
    if not is_on:
        yield None
        return
    span = begin(name) if _here.span is not None else begin_trace(name)
    note(**attributes)
    with _ended(span):
        yield span


@contextmanager
def _ended(span: Span | None) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        end(span, error)
        raise
    end(span)


def enter(span: Span | None) -> None:
    """This thread works for a span of another thread from now on; None: for none."""
    _here.span = span


def log_ids() -> dict[str, str]:
    """What a log line says of the current span."""
    span = current()
    return {"traceId": f"{span.trace_id:032x}", "spanId": f"{span.span_id:016x}"} if span else {}


def _read(earlier: Any) -> tuple[int, int] | None:
    if earlier is None or len(earlier) != STORED_BYTES:
        return None
    return int.from_bytes(earlier[:16]), int.from_bytes(earlier[16:])
