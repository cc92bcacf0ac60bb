"""Calls of the four webhook operations, each under one key, and what two effects of one of them would look like."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.encryption import decrypt
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.models import Attempt, Delivery, Endpoint, Event
from apps.webhooks.sender import Sender
from apps.webhooks.services.endpoints import create_endpoint
from tests.factories.webhooks import DeliveryFactory
from tests.support.api import Reply
from tests.support.receiver import Receiver
from tests.support.stack import HttpApi

TYPE = "booking.confirmed"
_numbers = count(1)


@dataclass
class WebhookCall:
    """One call: `send` it as often as it takes; `damage` says what is there that one effect does not explain."""

    send: Callable[[], Reply]
    status: int
    damage: Callable[[Reply], list[str]]


@dataclass
class Calls:
    """Makes calls of one partner. Every endpoint has a path of its own at the receiver, so that its requests are known."""

    api: HttpApi
    account_id: str
    receiver: Receiver
    rotations: Iterator[int] = field(default_factory=count)

    def create(self) -> WebhookCall:
        body = {"url": self._url(), "events": [TYPE]}

        def damage(reply: Reply) -> list[str]:
            found = list(Endpoint.objects.filter(url=body["url"]))
            told = AccountAuditEntry.objects.filter(
                action="webhooks.created", subject_id__in=[e.pk for e in found]
            )
            return [
                *unless([e.pk for e in found] == [reply.body["id"]], "doubled: an endpoint"),
                *unless(told.count() == len(found), "trail: an endpoint"),
                *unless(
                    reply.body["secret"] in {e.secret for e in found if e.pk == reply.body["id"]},
                    "secret: another one is in force",
                ),
            ]

        return self._call("/v1/webhooks/endpoints", body, 201, damage)

    def rotate(self) -> WebhookCall:
        endpoint, first = self._endpoint()
        immediate = next(self.rotations) % 2 == 0  # else a second one is refused

        def damage(reply: Reply) -> list[str]:
            now = Endpoint.objects.get(pk=endpoint.pk)
            told = AccountAuditEntry.objects.filter(action="webhooks.secret_rotated", subject_id=endpoint.pk)
            before = "" if immediate else first
            return [
                *unless(now.secret == reply.body["secret"], "secret: another one is in force"),
                *unless(previous_secret(now) == before, "secret: another one is the previous one"),
                *unless(told.count() == 1, "doubled: a rotation"),
            ]

        path = f"/v1/webhooks/endpoints/{endpoint.pk}/rotate-secret"
        return self._call(path, {"immediate": immediate}, 200, damage)

    def test(self) -> WebhookCall:
        endpoint, _ = self._endpoint()

        def damage(reply: Reply) -> list[str]:
            deliveries = list(Delivery.objects.filter(endpoint=endpoint))
            return [
                *unless([d.pk for d in deliveries] == [reply.body["id"]], "doubled: a test"),
                *unless(
                    Event.objects.filter(payload__contains=endpoint.pk).count() == 1, "doubled: an event"
                ),
                *unless(self._received(endpoint) == 1, "doubled: a test sent"),
            ]

        return self._call(f"/v1/webhooks/endpoints/{endpoint.pk}/test", {}, 202, damage)

    def resend(self) -> WebhookCall:
        endpoint, _ = self._endpoint()
        delivery = DeliveryFactory(
            endpoint=endpoint,
            status="DELIVERED",
            attempt_count=1,
            next_attempt_at=None,
            completed_at=clock.now(),
        )

        def damage(reply: Reply) -> list[str]:
            attempts = Attempt.objects.filter(delivery=delivery)
            return [
                *unless(reply.body["id"] == delivery.pk, "another delivery"),
                *unless(attempts.count() == self._received(endpoint) == 1, "doubled: an attempt"),
            ]

        return self._call(f"/v1/webhooks/deliveries/{delivery.pk}/resend", {}, 202, damage)

    def _call(
        self, path: str, body: dict[str, Any], status: int, damage: Callable[[Reply], list[str]]
    ) -> WebhookCall:
        send = partial(self.api.post, path, body, f"webhook-call-{next(_numbers)}")
        return WebhookCall(send, status, damage)

    def _endpoint(self) -> tuple[Endpoint, str]:
        return create_endpoint(account_id=self.account_id, environment="test", url=self._url(), events=[TYPE])

    def _url(self) -> str:
        return f"{self.receiver.url}/{next(_numbers)}"

    def _received(self, endpoint: Endpoint) -> int:
        return sum(endpoint.url.endswith(request.path) for request in self.receiver.requests)


MAKE: dict[str, Callable[[Calls], WebhookCall]] = {
    "createWebhookEndpoint": Calls.create,
    "rotateWebhookSecret": Calls.rotate,
    "testWebhookEndpoint": Calls.test,
    "resendWebhookDelivery": Calls.resend,
}


def points_of(operation: str) -> list[str]:
    return ["claim", f"begun.{operation}", f"written.{operation}", "answered", "committed", "told"]


def deliver_all() -> None:
    sender = Sender(allow_local=True)
    try:
        Dispatcher(using=sender).run()
    finally:
        sender.close_idle(everything=True)


def damages(calls: Sequence[WebhookCall], replies: Sequence[Reply]) -> list[str]:
    """What is wrong after all of them were answered."""
    pairs = list(zip(calls, replies, strict=True))
    wrong = [f"answered {reply.status}" for call, reply in pairs if reply.status != call.status]
    return wrong or [words for call, reply in pairs for words in call.damage(reply)]


def previous_secret(endpoint: Endpoint) -> str:
    return decrypt(endpoint.previous_secret_encrypted) if endpoint.previous_secret_encrypted else ""


def unless(holds: bool, words: str) -> list[str]:
    return [] if holds else [words]
