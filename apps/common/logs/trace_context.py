"""The trace that a caller says a call belongs to: the header `traceparent` (W3C Trace Context)."""

import re

TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)")


def trace_id_of(traceparent: str) -> str:
    """The trace's id; empty where the header is not as it should be. Nothing else of what a caller sent gets into a log line."""
    found = TRACEPARENT.match(traceparent)
    return found[1] if found else ""
