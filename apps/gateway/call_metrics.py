"""Counts each call of /v1: its operation, status, duration, and the gate that refused it."""

import time

from prometheus_client import Counter, Histogram

from apps.common.errors import GatewayError
from apps.common.metrics import SECONDS
from apps.gateway.call import Call

NO_OPERATION = "none"
CALLS = Counter("travel_partner_calls", "Calls of /v1, by operation and status.", ["operation", "status"])
CALL_SECONDS = Histogram(
    "travel_partner_call_seconds", "How long calls of /v1 took, by operation.", ["operation"], buckets=SECONDS
)
REFUSALS = Counter(
    "travel_partner_refusals",
    "Calls of /v1 that were refused, by the gate that did it and the error's type.",
    ["gate", "error"],
)


def count(call: Call, status: int, error: GatewayError | None) -> None:
    """Called at the end of a call."""
    operation = call.route.id if call.method in call.routes else NO_OPERATION
    CALLS.labels(operation, str(status)).inc()
    CALL_SECONDS.labels(operation).observe(time.monotonic() - call.started)
    if error is not None:
        REFUSALS.labels(gate_of(call), error.type).inc()


def gate_of(call: Call) -> str:
    """The last step that the call took. `before any view`: it took none."""
    return call.trace[-1].partition(" ")[0] if call.trace else "before any view"
