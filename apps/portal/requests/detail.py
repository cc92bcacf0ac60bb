"""What the page of one call shows: its checks, and what followed from it."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.safestring import SafeString

from apps.bookings.models import Booking
from apps.gateway.faults import NOTED
from apps.gateway.trace import Step
from apps.ledger.models import LedgerTransaction
from apps.ledger.selectors import lines_of_booking
from apps.portal.context import PortalContext
from apps.portal.json_html import json_view
from apps.request_log.models import LoggedCall
from apps.webhooks.lists import SentEvent, events_of_booking
from apps.webhooks.models import Delivery
from apps.webhooks.selectors import deliveries_of

STEPS = {
    "bearer_key": "API key",
    "environment": "Environment of the address",
    "client_ip": "Address list of the key",
    "method": "Method",
    "account_status": "Account status",
    "scope": "Scope",
    "rate_limit": "Calls this minute",
    "body": "Body",
    "idempotency_key": "Idempotency-Key",
    "sandbox_trigger": "Sandbox trigger",
    "idempotency_claim": "Earlier call with this Idempotency-Key",
    "validation": "Validation",
    "quota": "Searches today",
}
HIDDEN = "•••"


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the gateway. `tone`: good, bad, or empty for a check that the call did not reach."""

    title: str
    verdict: str
    milliseconds: float | None
    tone: str


@dataclass(frozen=True, slots=True)
class RequestTimeline:
    checks: list[Check]
    in_one_line: str
    curl: str
    request_body: SafeString | None
    response_body: SafeString | None
    is_redacted: bool


def request_timeline(call: LoggedCall) -> RequestTimeline:
    return RequestTimeline(
        checks=checks_of(call),
        in_one_line=in_one_line(call.steps),
        curl=curl_of(call),
        request_body=None if call.request_body is None else json_view(call.request_body),
        response_body=None if call.response_body is None else json_view(call.response_body),
        is_redacted=HIDDEN in f"{call.request_body}{call.response_body}",
    )


def in_one_line(steps: Sequence[Step]) -> str:
    """How many checks there were, how long they took, and which one stopped the call."""
    taken = [step for step in steps if step.name in STEPS]
    if not taken:
        return "It came to no check"
    stopped = next((STEPS[step.name] for step in taken if not step.passed), None)
    counted = f"{len(taken)} check{'' if len(taken) == 1 else 's'}"
    end = f"failed at {stopped}" if stopped else "all passed"
    return f"{counted} in {sum(step.milliseconds for step in taken):.1f} ms, {end}"


def checks_of(call: LoggedCall) -> list[Check]:
    """All checks in their order, then the operation or the stored answer."""
    taken = {step.name: step for step in call.steps}
    checks = [check_of(title, taken.get(name)) for name, title in STEPS.items()]
    if call.replayed:
        checks.append(Check("Stored response replayed", "passed", None, "good"))
    elif (operation := taken.get("operation")) is not None:
        checks.append(check_of("The operation", operation))
    if (fault := taken.get(NOTED)) is not None:
        checks.append(check_of("Fault set in the sandbox", fault))
    return checks


def check_of(title: str, step: Step | None) -> Check:
    if step is None:
        return Check(title, "", None, "")
    return Check(title, step.verdict, step.milliseconds, "good" if step.passed else "bad")


def curl_of(call: LoggedCall) -> str:
    """The call as a curl command. The reader fills in the API key, and the values that the log does not keep."""
    query = f"?{call.query}" if call.query else ""
    parts = ["curl -i", f"-X {call.method}"] if call.method not in {"GET", "POST"} else ["curl -i"]
    lines = [" ".join([*parts, shlex.quote(f"{settings.PUBLIC_BASE_URL}{call.path}{query}")])]
    lines.append('-H "Authorization: Bearer $KEY"')
    if call.method == "POST":
        key = call.idempotency_key
        idempotency_key = key if key and not key.startswith(HIDDEN) else "a-new-one"
        lines.append("-H " + shlex.quote(f"Idempotency-Key: {idempotency_key}"))
    if call.trigger:
        lines.append(f"-H 'X-Partner-Customer-Ref: {call.trigger}'")
    if call.method in {"POST", "PATCH"}:
        lines.append("-H 'Content-Type: application/json'")
        body = json.dumps(call.request_body if call.request_body is not None else {}, ensure_ascii=False)
        lines.append(f"-d {shlex.quote(body)}")
    return " \\\n  ".join(lines)


@dataclass(frozen=True, slots=True)
class Followed:
    booking: Booking | None
    ledger: Sequence[LedgerTransaction]
    events: Sequence[SentEvent]
    delivery: Delivery | None

    @property
    def is_something(self) -> bool:
        return bool(self.ledger or self.events or self.delivery)


def followed_from(portal: PortalContext, call: LoggedCall) -> Followed:
    """At most three queries, each by an index; none for a call that was about no booking and no delivery.

    Lines and events name the call that began the operation. What a retry carried on is found at its booking.
    """
    place = portal.stored
    booking = booking_of_call(portal, call)
    if booking is None:
        return Followed(None, (), (), delivery_sent_by(portal, call))
    request_id = str(call.request_id)
    lines = lines_of_booking(*place, booking.reference, request_id=request_id)
    events = events_of_booking(*place, booking.pk, request_id=request_id)
    return Followed(booking, lines, events, None)


def booking_of_call(portal: PortalContext, call: LoggedCall) -> Booking | None:
    if not call.booking_id:
        return None
    mine = Booking.objects.filter(account_id=portal.account_id, environment=portal.environment)
    return mine.filter(pk=call.booking_id).only("id", "reference", "status").first()


def delivery_sent_by(portal: PortalContext, call: LoggedCall) -> Delivery | None:
    """The delivery that the answer names, of a call that asked for one."""
    body = call.response_body
    named = body.get("id") if call.method == "POST" and isinstance(body, dict) else None
    if not isinstance(named, str) or not named.startswith("whd_"):
        return None
    return deliveries_of(*portal.stored).select_related("endpoint").filter(pk=named).first()
