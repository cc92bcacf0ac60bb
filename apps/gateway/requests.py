"""A request of /v1 on its way through the gateway, and the part of it that services receive."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from rest_framework.request import Request

from apps.common.errors import GatewayError, InvalidRequest
from apps.common.tracing import trace_id_of
from apps.gateway.idempotency import Claim, StoredAnswer
from apps.gateway.operations import Operation, RateClass
from apps.gateway.responses import Answer
from apps.gateway.sandbox import Trigger
from apps.gateway.search_quota import Quota
from apps.keys.partner import Partner


@dataclass(frozen=True, slots=True)
class Window:
    """The window of this minute, as the X-RateLimit-* headers show it."""

    limit: int
    used: int
    reset_at: int
    admitted: bool = True

    @property
    def headers(self) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(max(0, self.limit - self.used)),
            "X-RateLimit-Reset": str(self.reset_at),
        }


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for an operation and how the answer is stored, as services receive it."""

    partner: Partner
    request_id: str
    trigger: Trigger = field(default_factory=Trigger)
    claim: Claim | None = None
    render: Callable[[Any], Answer] | None = None
    """Makes the answer from the record that the operation ends with. The service can then store the answer in the transaction
    that ends the operation.
    """

    def completion(self, record: object) -> dict[str, Any] | None:
        """The parameters of `idempotency.COMPLETE` that store the answer; None if there is no claim or nothing to render."""
        if self.claim is None or self.render is None:
            return None
        return self.claim.completion(self.render(record))

    def answer(self, record: object) -> Answer:
        assert self.render is not None
        stored = self.claim.stored if self.claim is not None else None
        return stored or self.render(record)

    def complete(self, record: object) -> None:
        """Store the answer for replays, in the transaction of the caller."""
        if self.claim is not None and self.render is not None:
            self.claim.complete(self.render(record))


class PartnerRequest(Request):
    """DRF's request, with what the checks of contract §2 have found out so far. `auth` is the partner."""

    def __init__(
        self,
        request: HttpRequest,
        operations: Mapping[str, Operation] | None = None,
        *,
        started: float | None = None,
        **options: Any,
    ) -> None:
        """`operations` of this path, by method. `options` are DRF's: parsers, authenticators and so on."""
        super().__init__(request, **options)
        self.auth = None
        self.known_partner: Partner | None = None
        """DRF's `auth`, with its type. None until the key was checked, and for one that was rejected."""
        self.http = request
        self.META = request.META
        self.method: str = request.method or ""
        self.path = request.path
        self.request_id: str = getattr(request, "request_id", "")
        self.started = time.monotonic() if started is None else started
        self.operations = operations or {}
        self.known_operation = self.operations.get("GET" if self.method == "HEAD" else self.method)
        """None for a method that the path does not take."""
        self.counted: Window | None = None
        """The window of this call's key, where the call was counted as its key was looked up."""
        self.window: Window | None = None
        self.is_running = False
        self.json: dict[str, object] = {}
        self.validated_data: Any = None
        self.invalid: InvalidRequest | None = None
        self.trigger = Trigger()
        self.trigger_ignored = ""
        """A sandbox trigger that does not apply to this operation."""
        self.fault = ""
        """What the faults dial of the test environment does to this call: `apps.accounts.faults` names it."""
        self.claim: Claim | None = None
        self.stored: StoredAnswer | None = None
        self.quota: Quota | None = None
        self.billable: bool | None = None
        self.error: GatewayError | None = None
        self.via: str = getattr(request, "via", "")
        """The adapter in front of /v1 that made the call: `mcp`, or empty."""
        self.trace: list[str] = [f"{self.via} 0"] if self.via else []
        """The steps so far, each as `apps.gateway.trace` writes it."""
        self.operation_began = 0

    @property
    def operation(self) -> Operation:
        """The operation that is called. Read it only after the method was checked."""
        assert self.known_operation is not None
        return self.known_operation

    @property
    def partner(self) -> Partner:
        """Who is calling. Read it only after the key was checked."""
        partner = self.known_partner
        assert partner is not None
        return partner

    @property
    def rate_class(self) -> RateClass:
        """Of the operation; for a method that the path does not take, of any operation of the path."""
        operation = self.known_operation or next(iter(self.operations.values()))
        return operation.rate_class

    @property
    def units(self) -> int:
        """As how many searches the call counts. Read it only after the body was validated."""
        count = self.operation.units
        return 1 if count is None else count(self.validated_data)

    @property
    def secret(self) -> str:
        """The API key as sent."""
        return str(self.META["HTTP_AUTHORIZATION"]).split()[1]

    @property
    def caller(self) -> Caller:
        """The part of the request that services need."""
        return self.caller_answered_by(None)

    def caller_answered_by(self, render: Callable[[Any], Answer] | None) -> Caller:
        """The same for a service that stores the answer itself, as `render` makes it."""
        return Caller(self.partner, self.request_id, self.trigger, self.claim, render)

    def log_ids(self) -> dict[str, str]:
        ids = {"requestId": self.request_id}
        if trace_id := trace_id_of(self.META.get("HTTP_TRACEPARENT", "")):
            ids["traceId"] = trace_id
        partner = self.known_partner
        if partner is None:
            return ids
        return {
            **ids,
            "accountId": partner.account_id,
            "keyId": partner.key_id,
            "environment": partner.environment,
        }
