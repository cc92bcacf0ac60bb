import os
import signal
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.common import clock
from apps.common.clock import rfc3339
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.models import Delivery, Endpoint, Recovery
from tests.factories.webhooks import DeliveryFactory, EventFactory
from tests.support.receiver import Receiver
from tests.webhooks.conftest import Deliver, due_deliveries

pytestmark = pytest.mark.django_db


def test_deliver_webhooks_delivers_what_is_due(endpoint: Endpoint, receiver: Receiver) -> None:
    due_deliveries(endpoint, 3)
    out = StringIO()
    call_command("deliver_webhooks", stdout=out)
    assert (out.getvalue(), len(receiver.requests)) == ("3 attempts made.\n", 3)


def test_deliver_webhooks_forever_delivers_until_it_is_told_to_stop(
    endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    run, made = Dispatcher.run, []

    def run_three_times(dispatcher: Dispatcher, **options: Any) -> int:
        made.append(run(dispatcher, **options))
        if len(made) == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return made[-1]

    monkeypatch.setattr(Dispatcher, "run", run_three_times)
    due_deliveries(endpoint, 2)
    try:
        call_command("deliver_webhooks", forever=True)
    finally:
        for number, handler in zip((signal.SIGTERM, signal.SIGINT), handlers, strict=True):
            signal.signal(number, handler)
    assert (made, len(receiver.requests)) == ([2, 0, 0], 2)


def told(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_recovery_is_previewed_started_shown_stopped_and_resumed(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    DeliveryFactory.create_batch(
        2, endpoint=endpoint, status="FAILED", next_attempt_at=None, completed_at=now
    )
    since = ("--since", rfc3339(now - timedelta(hours=1)))
    assert told("recover_webhooks", "preview", endpoint.pk, *since) == (
        "2 events: 2 not delivered, 0 missed.\n"
    )
    started = told("recover_webhooks", "start", endpoint.pk, *since, "--event-type", "booking.confirmed")
    recovery = Recovery.objects.get()
    zeros = "0 delivered, 0 not accepted, 0 sent, 0 skipped, 2 waiting.\n"
    assert started == f"{recovery.pk} canary: 2 events, {zeros}"
    assert told("recover_webhooks", "stop", recovery.pk) == f"{recovery.pk} stopped: 2 events, {zeros}"
    assert told("recover_webhooks", "resume", recovery.pk) == f"{recovery.pk} canary: 2 events, {zeros}"
    assert told("recover_webhooks", "advance") == "1 deliveries made due.\n"
    with monkeypatch.context() as patch:
        patch.setattr("time.sleep", lambda _: signal.raise_signal(signal.SIGINT))
        with pytest.raises(SystemExit) as ended:
            told("recover_webhooks", "watch", recovery.pk)
    assert ended.value.code == 130
    deliver()
    told("recover_webhooks", "advance")
    deliver()
    told("recover_webhooks", "advance")
    shown = told("recover_webhooks", "watch", recovery.pk)
    assert shown == told("recover_webhooks", "show", recovery.pk)
    assert shown.startswith(f"{recovery.pk} finished: 2 events, 2 delivered,")
    assert len(receiver.requests) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("preview", "we_unknown", "--since", "2026-01-01T00:00:00Z"), "No endpoint or recovery has this id"),
        (("preview", "we_unknown", "--since", "2026-01-01T00:00:00"), "invalid instant value"),
        (("stop", "whr_unknown"), "No endpoint or recovery has this id"),
    ],
)
def test_recover_webhooks_says_what_is_wrong(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        told("recover_webhooks", *arguments)


def test_replay_webhook_sends_one_event_to_one_endpoint(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    event = EventFactory(account=endpoint.account)
    out = told("replay_webhook", event.pk, endpoint.pk)
    deliver()
    assert out == f"{Delivery.objects.get().pk} is due now.\n"
    assert receiver.requests[0].headers["webhook-id"] == event.pk
    with pytest.raises(CommandError, match="does not exist"):
        told("replay_webhook", "evt_unknown", endpoint.pk)
    with pytest.raises(CommandError, match="no such event"):
        told("replay_webhook", EventFactory().pk, endpoint.pk)
