"""The trace that a caller says a call belongs to: the header `traceparent` (W3C Trace Context)."""

import re
from typing import NamedTuple

TRACEPARENT = re.compile(
    r"(?!ff)(?P<version>[0-9a-f]{2})-(?!0{32})(?P<trace>[0-9a-f]{32})-(?!0{16})(?P<span>[0-9a-f]{16})-(?P<flags>[0-9a-f]{2})"
    r"(?P<more>-.*)?"
)
SAMPLED = 1


class Parent(NamedTuple):
    """The caller's span, and whether the caller records its trace."""

    trace_id: int
    span_id: int
    sampled: bool


def parent_of(traceparent: str) -> Parent | None:
    """The caller's span; None where the header is not as it should be."""
    found = _read(traceparent)
    if found is None:
        return None
    return Parent(int(found["trace"], 16), int(found["span"], 16), bool(int(found["flags"], 16) & SAMPLED))


def trace_id_of(traceparent: str) -> str:
    """The trace's id; empty where the header is not as it should be. Nothing else of what a caller sent gets into a log line."""
    found = _read(traceparent)
    return found["trace"] if found else ""


def _read(traceparent: str) -> re.Match[str] | None:
    """Of a later version more may follow, of the first one nothing."""
    found = TRACEPARENT.fullmatch(traceparent)
    return None if found is None or (found["version"] == "00" and found["more"]) else found
