"""One request on its way through the gateway: what the steps found out, in the order they did."""

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest

from apps.gateway.sandbox import Trigger
from apps.gateway.trace import Taking
from apps.keys.partner import Partner

if TYPE_CHECKING:
    from apps.gateway.idempotency import Claim
    from apps.gateway.rate_limits import Window
    from apps.gateway.routes import Route
    from apps.gateway.search_quota import Quota


@dataclass(frozen=True, slots=True)
class Answer:
    """What an operation answers. `resource` names the record that holds the body, so that it is not stored twice."""

    body: object = None
    status: int = 200
    resource: str = ""
    secret: bool = False
    """Whether the body shows a secret, and must be encrypted where it is kept for replays."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for an operation, as services receive it."""

    partner: Partner
    request_id: str
    trigger: Trigger = field(default_factory=Trigger)
    claim: "Claim | None" = None


@dataclass(slots=True)
class Call:
    """The state of one request; each gateway step fills in its part."""

    request: HttpRequest
    request_id: str
    routes: dict[str, "Route"]
    """The routes of this path by method."""
    path_arguments: dict[str, str]
    started: float = field(default_factory=time.monotonic)
    secret: str = field(default="", repr=False)
    """The API key as sent."""
    partner_found: Partner | None = None
    window: "Window | None" = None
    quota: "Quota | None" = None
    body: dict[str, object] = field(default_factory=dict)
    data: Any = None
    """The validated body."""
    trigger: Trigger = field(default_factory=Trigger)
    trigger_ignored: str = ""
    claim: "Claim | None" = None
    billable: bool | None = None
    trace: list[str] = field(default_factory=list)
    """Its steps so far, each as `apps.gateway.trace` writes it."""

    @property
    def route(self) -> "Route":
        """The operation being called; only after the method was checked."""
        return self.routes[self.method]

    @property
    def method(self) -> str:
        """The request's method; HEAD asks what GET would answer."""
        method = self.request.method or ""
        return "GET" if method == "HEAD" else method

    @property
    def partner(self) -> Partner:
        """Who is calling; only after the key was checked."""
        assert self.partner_found is not None
        return self.partner_found

    @property
    def caller(self) -> Caller:
        return Caller(self.partner, self.request_id, self.trigger, self.claim)

    def step(self, name: str) -> Taking:
        """Note in the trace that a step was taken, what came of it and how long it took."""
        return Taking(name, self.trace)
