"""Where the journey is played: the service on its simulator, with a clock that goes on by a minute a call."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from django.core import signing

from apps.accounts.actors import SUPPORT
from apps.bookings.flow.approval import approve
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.common import clock
from apps.esim.services.sync import sync_plans
from apps.gateway.openapi.examples import Answer, EventExample, Example, Request, request_examples
from apps.gateway.periodic import Tally
from apps.gateway.sandbox import HEADER as TRIGGER
from apps.keys import authentication
from apps.keys.scopes import GRANTABLE
from apps.ledger.money import warn_below
from apps.ledger.spend_limits import Limits, set_spend_limits
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from apps.portal.notifications.low_balance import report_low_balances
from apps.suppliers.errors import OutcomeUnknown
from apps.webhooks.deliveries.claim import Batch
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.events import BALANCE_LOW
from apps.webhooks.models import Delivery
from apps.webhooks.openapi import DELIVERY_HEADERS
from tests.examples.chance import Chance, chance_held
from tests.examples.endpoint import ToTheReceiver
from tests.support.api import Api, Reply
from tests.support.documented import document_of
from tests.support.operations import Operation, operation_of
from tests.support.receiver import Receiver, receiving

BEGINS = datetime(2026, 12, 1, 9, tzinfo=UTC)
BETWEEN_CALLS = timedelta(minutes=1)
ADDRESS = "192.0.2.1"
ABOUT = {
    "hotel": "About a hotel booking",
    "flight": "About a flight order",
    "transfer": "About a transfer order",
    "esim": "About an eSIM order",
    "account": "About the account's balance",
    "test": "Sent on request",
}
NOT_SHORTENED = SimpleNamespace(compress=lambda data: data)
"""In place of zlib for cursors: what it makes of a text is not the same everywhere."""


@dataclass
class Stage:
    """Plays calls and takes them down. `call` answers the body, which the next one is made of."""

    chance: Chance
    receiver: Receiver
    instant: datetime = BEGINS
    calls: list[Example] = field(default_factory=list)
    events: list[EventExample] = field(default_factory=list)
    partner: Onboarded = field(init=False)
    _heard: int = 0

    def open(self) -> None:
        """A partner with money, and plans in the catalogue."""
        self.chance.begin("partner")
        sync_plans()
        terms = Terms(name="Acme Travel", currency="EUR", balance_cents=1_000_000, scopes=GRANTABLE)
        self.partner = onboard_partner(terms)
        self._api = Api(self.partner.test_secret, address=ADDRESS)

    def call(
        self,
        operation_id: str,
        name: str,
        summary: str,
        *,
        id: str = "",
        query: dict[str, str] | None = None,
        also: dict[str, str] | None = None,
        trigger: str = "",
        **changes: Any,
    ) -> Any:
        """Call the operation and keep the example. Its body is the one of the reference page, with `changes`; what is ... is left
        out. `also` are further identifiers of the path, by name.
        """
        self._begin(f"{operation_id} {name}")
        request = self._request(operation_of(operation_id), name, id, query or {}, changes)
        request = replace(
            request,
            path_parameters={**request.path_parameters, **(also or {})},
            headers={**request.headers, **({TRIGGER: trigger} if trigger else {})},
        )
        return self._play(operation_id, name, summary, request)

    def repeat(self, operation_id: str, name: str, summary: str) -> Any:
        """The last call once more, under the same Idempotency-Key."""
        self._begin(f"{operation_id} {name}")
        return self._play(operation_id, name, summary, self.calls[-1].request)

    def _play(self, operation_id: str, name: str, summary: str, request: Request) -> Any:
        operation, reply = operation_of(operation_id), self._send(request)
        assert reply.status in {operation.route.status, *operation.route.also}, (operation_id, reply.body)
        told = described(operation, reply.status)
        answer = Answer(
            reply.status, {n: v for n, v in reply.headers.items() if n.lower() in told}, reply.body
        )
        at = clock.rfc3339(self.instant)
        self.calls.append(Example(operation_id, name, summary, at, request, answer))
        self.work()
        return reply.body

    def prepare(self, operation_id: str, *, id: str = "", trigger: str = "", **changes: Any) -> Any:
        """Call the operation, as the partner does between the calls that are examples."""
        self._begin(f"{operation_id} {self.instant}")
        request = self._request(operation_of(operation_id), "unseen", id, {}, changes)
        if trigger:
            request = replace(request, headers={**request.headers, TRIGGER: trigger})
        reply = self._send(request)
        assert reply.status < 300, reply.body
        self.work()
        return reply.body

    def warn_of_low_balance(self, *, below_cents: int) -> None:
        """Somebody sets the amount in the portal, and the sweep finds that less is available."""
        self._begin(f"low balance {self.instant}")
        account_id = self.partner.account.pk
        warn_below(account_id=account_id, environment="test", cents=below_cents, actor=SUPPORT)
        report_low_balances(tally=Tally())
        self.work()

    def ask_for_approval(self, *, above_cents: int | None) -> None:
        """Somebody sets in the portal above what the key's bookings await approval."""
        set_spend_limits(key=self.partner.test_key, limits=Limits(approval_above_cents=above_cents))

    def approve(self, booking_id: str) -> None:
        """Somebody does, in the portal."""
        self._begin(f"approval {self.instant}")
        partner = authentication.look_up(self.partner.test_secret)
        approve(partner=replace(partner, key_id=""), booking_id=booking_id, actor=SUPPORT)
        self.work()

    def lose(self, operation_id: str, supplier: type, **changes: Any) -> None:
        """A booking that never reaches its supplier, until it is known not to exist."""
        self._begin(f"{operation_id} {self.instant}")
        with patch.object(supplier, "book", side_effect=OutcomeUnknown):
            reply = self._send(self._request(operation_of(operation_id), "unseen", "", {}, changes))
        assert reply.status == 503, reply.body
        for _ in range(4):
            self.wait(seconds=60)
            self.work()

    def wait(self, *, seconds: float) -> None:
        """Move the clock, back too."""
        self.instant += timedelta(seconds=seconds)

    def next_hour(self) -> None:
        self.instant = self.instant.replace(minute=0) + timedelta(hours=1)

    def _begin(self, step: str) -> None:
        self.instant += BETWEEN_CALLS
        self.chance.begin(step)

    def _request(
        self, operation: Operation, name: str, id: str, query: dict[str, str], changes: dict[str, Any]
    ) -> Request:
        route = operation.route
        places: list[str] = re.findall(r"\{(\w+)\}", operation.path)
        key = Random(f"{route.id} {name} {self.instant}").randbytes(16)
        body = {**request_examples().get(route.id, {}), **changes}
        return Request(
            method=operation.method,
            path=operation.path,
            path_parameters=dict.fromkeys(places, id),
            query=query,
            headers={"Idempotency-Key": str(uuid.UUID(bytes=key, version=4))}
            if operation.method == "POST"
            else {},
            body=None
            if route.body is None
            else {name: value for name, value in body.items() if value is not ...},
        )

    def _send(self, request: Request) -> Reply:
        return self._api.send(request.method, request.url, request.body, **request.headers)

    def work(self) -> None:
        """What the workers do in the meantime."""
        self._deliver()
        settle_owed()
        recover_due()
        poll_suppliers()
        self._deliver()

    def _deliver(self) -> None:
        if not Delivery.objects.filter(next_attempt_at__lte=self.instant).exists():
            return
        sender = ToTheReceiver(self.receiver)
        try:
            Dispatcher(using=sender).run(seconds=300)
        finally:
            sender.close_idle(everything=True)
        for received in self.receiver.requests[self._heard :]:
            self._heard += 1
            self._hear(received.headers, received.json)

    def _hear(self, headers: dict[str, str], payload: dict[str, Any]) -> None:
        """Keep the first of its type, and of its product where it is about a booking."""
        about = "account" if payload["type"] == BALANCE_LOW else "test"
        kind = str(payload["data"].get("bookingType", about))
        if not any((event.type, event.name) == (payload["type"], kind) for event in self.events):
            shown = {name: value for name, value in headers.items() if name in DELIVERY_HEADERS}
            at = clock.rfc3339(self.instant)
            self.events.append(EventExample(payload["type"], kind, ABOUT[kind], at, shown, payload))


def described(operation: Operation, status: int) -> set[str]:
    """The headers of this answer that the document describes, in lower case."""
    entry = document_of(operation.path)["paths"][operation.path][operation.method.lower()]
    return {name.lower() for name in entry["responses"][str(status)].get("headers", {})}


@contextmanager
def on_stage() -> Iterator[Stage]:
    """A stage on the test database. Time and chance are held until the end."""
    with receiving() as receiver, chance_held() as chance:
        stage = Stage(chance, receiver)
        with (
            patch.object(clock, "_database_now", lambda: stage.instant),
            patch.object(signing, "time", SimpleNamespace(time=lambda: stage.instant.timestamp())),
            patch.object(signing, "zlib", NOT_SHORTENED),
            patch.object(Batch, "age", 0.0),
        ):
            stage.open()
            yield stage
