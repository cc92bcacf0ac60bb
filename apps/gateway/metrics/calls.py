"""Counts each call of /v1: its operation, status, duration, and the gate that refused it."""

import time

from apps.common.errors import GatewayError
from apps.common.metrics.counting import Counter, Timing
from apps.gateway.call import Call

NO_OPERATION = "none"
CALLS = Counter("calls", "Calls of /v1, by operation and status.", ("operation", "status"))
CALL_SECONDS = Timing("call_seconds", "How long calls of /v1 took, by operation.", ("operation",))
REFUSALS = Counter(
    "refusals",
    "Calls of /v1 that were refused, by the gate that did it and the error's type.",
    ("gate", "error"),
)


def count(call: Call, status: int, error: GatewayError | None) -> None:
    """Called at the end of a call, where figures are kept."""
    operation = call.route.id if call.method in call.routes else NO_OPERATION
    CALLS.add(operation, str(status))
    CALL_SECONDS.observe(time.monotonic() - call.started, operation)
    if error is not None:
        REFUSALS.add(gate_of(call), error.type)


def gate_of(call: Call) -> str:
    """The last step that the call took. `before any view`: it took none."""
    return call.trace[-1].partition(" ")[0] if call.trace else "before any view"
