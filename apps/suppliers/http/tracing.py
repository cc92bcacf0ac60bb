"""A call to a supplier as a span: named by the method and the path without ids. Suppliers are sent no `traceparent`."""

from apps.common.tracing import spans
from apps.common.tracing.spans import CLIENT, Span
from apps.suppliers.drift.shapes import call_named


def begin(supplier: str, method: str, path: str) -> Span | None:
    """`path` without the part that all of the supplier's addresses have. None where nothing is recorded."""
    span = spans.begin(method, CLIENT)
    if span is None:
        return None
    known = call_named(supplier, method, path)
    if known is not None:  # an unknown path may hold anything
        span.name = known[0]
        span.attributes["url.template"] = known[0].partition(" ")[2]
    span.attributes["http.request.method"] = method
    spans.note(supplier=supplier)
    return span


def end(span: Span | None, status: int) -> None:
    """A whole answer, whatever it means. One of 400 and above is a failure of this span, as OpenTelemetry has it for clients."""
    if span is None:
        return
    span.attributes["http.response.status_code"] = status
    if status >= 400:
        span.error = span.attributes["error.type"] = str(status)
    spans.end(span)
