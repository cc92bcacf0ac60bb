"""One request on its way through the gateway: what its checks have found out so far."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest

from apps.common.errors import InvalidRequest
from apps.common.tracing import trace_id_of
from apps.gateway.answer import Answer
from apps.gateway.idempotency import Claim, StoredAnswer
from apps.gateway.rate_limits import Window
from apps.gateway.routes import Route
from apps.gateway.sandbox import Trigger
from apps.gateway.search_quota import Quota
from apps.keys.partner import Partner


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for an operation and how the answer is stored, as services receive it."""

    partner: Partner
    request_id: str
    trigger: Trigger = field(default_factory=Trigger)
    claim: Claim | None = None
    """The claim on the Idempotency-Key, for a POST."""
    render: Callable[[Any], Answer] | None = None
    """Makes the answer from the record that the operation ends with. The service can then store the answer in the transaction
    that ends the operation.
    """

    def completion(self, record: object) -> dict[str, Any] | None:
        """The parameters of `idempotency.COMPLETE` that store the answer; None where there is no claim or nothing to render."""
        if self.claim is None or self.render is None:
            return None
        return self.claim.completion(self.render(record))

    def answer(self, record: object) -> Answer:
        """The answer as the service stored it. Where it stored none: made from the record."""
        assert self.render is not None
        stored = self.claim.stored if self.claim is not None else None
        return stored or self.render(record)

    def complete(self, record: object) -> None:
        """Store the answer for replays, in the transaction of whoever calls this."""
        if self.claim is not None and self.render is not None:
            self.claim.complete(self.render(record))


@dataclass(slots=True)
class Call:
    """The state of one request. Each check of the gateway fills in its part."""

    request: HttpRequest
    request_id: str
    routes: dict[str, Route]
    """The operations of this path, by method."""
    path_arguments: dict[str, str]
    started: float = field(default_factory=time.monotonic)
    secret: str = field(default="", repr=False)
    """The API key as sent."""
    partner_found: Partner | None = None
    counted: Window | None = None
    """The window of this call's key, where the call was counted as its key was looked up."""
    window: Window | None = None
    """The rate-limit window that the answer's X-RateLimit-* headers show."""
    quota: Quota | None = None
    """The day's search quota that the answer's X-Search-Quota-* headers show."""
    body: dict[str, object] = field(default_factory=dict)
    """The body as parsed."""
    data: Any = None
    """The body as validated. None until then, and for one that is not valid."""
    invalid: InvalidRequest | None = None
    """The refusal of a request that is not valid."""
    trigger: Trigger = field(default_factory=Trigger)
    trigger_ignored: str = ""
    """A sandbox trigger that does not apply to this operation."""
    is_counted_as_running: bool = False
    """Whether the call is one of those that `concurrency` counts."""
    fault: str = ""
    """What the faults dial of the test environment asks of this call: `apps.accounts.faults` names it."""
    claim: Claim | None = None
    """The claim on the Idempotency-Key, for a POST that carries out its operation."""
    stored: StoredAnswer | None = None
    """The answer of an earlier call with the same Idempotency-Key; this call then replays it."""
    billable: bool | None = None
    trace: list[str] = field(default_factory=list)
    """The steps taken so far, each as `apps.gateway.trace` writes it."""
    method: str = field(init=False)
    """The request's method; HEAD is answered as GET."""

    def __post_init__(self) -> None:
        method = self.request.method or ""
        self.method = "GET" if method == "HEAD" else method

    @property
    def route(self) -> Route:
        """The operation that is called. Read it only after the method was checked."""
        return self.routes[self.method]

    @property
    def partner(self) -> Partner:
        """Who is calling. Read it only after the key was checked."""
        assert self.partner_found is not None
        return self.partner_found

    def log_ids(self) -> dict[str, str]:
        """What its log lines say of it."""
        ids = {"requestId": self.request_id}
        if trace_id := trace_id_of(self.request.META.get("HTTP_TRACEPARENT", "")):
            ids["traceId"] = trace_id
        if self.partner_found is None:
            return ids
        return {
            **ids,
            "accountId": self.partner_found.account_id,
            "keyId": self.partner_found.key_id,
            "environment": self.partner_found.environment,
        }

    @property
    def caller(self) -> Caller:
        """The part of the call that services need."""
        return self.caller_answered_by(None)

    def caller_answered_by(self, render: Callable[[Any], Answer] | None) -> Caller:
        """The same for a service that stores the answer itself, as `render` makes it."""
        return Caller(self.partner, self.request_id, self.trigger, self.claim, render)
