"""The spans of this process, as they end: for tests without a collector."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import DEFAULT_DB_ALIAS, connections

from apps.common.tracing import spans, statements
from apps.common.tracing.spans import Span


class Recorded(list[Span]):
    """Those that ended, in that order."""

    def named(self, name: str) -> Span:
        """The only one of this name."""
        (span,) = [span for span in self if span.name == name]
        return span

    def within(self, outer: Span) -> list[str]:
        """The names of the parts of a span."""
        return [span.name for span in self if span.parent_id == outer.span_id]


@contextmanager
def recording(*, sampled: bool = True) -> Iterator[Recorded]:
    """Traces are on for the length of the block; `sampled`: each is recorded that nobody else decides about."""
    recorded, connection = Recorded(), connections[DEFAULT_DB_ALIAS]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(spans, "is_on", True)
        patched.setattr(spans, "decide", lambda _id, parent: parent.sampled if parent else sampled)
        patched.setattr(spans, "finished", recorded.append)
        patched.setattr(connection, "execute_wrappers", [])
        patched.setitem(vars(connection), "_commit", connection._commit)  # type: ignore[attr-defined]
        statements._watch_connection(connection)
        spans.enter(None)
        yield recorded
    spans.enter(None)
