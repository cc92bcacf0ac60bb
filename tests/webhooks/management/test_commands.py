import os
import signal
import threading
import time
from io import StringIO

import pytest
from django.core.management import call_command

from apps.webhooks.models import Endpoint
from tests.factories.webhooks import DeliveryFactory
from tests.support.receiver import Receiver
from tests.webhooks.conftest import due_deliveries

pytestmark = pytest.mark.django_db


def test_deliver_webhooks_delivers_what_is_due(endpoint: Endpoint, receiver: Receiver) -> None:
    due_deliveries(endpoint, 3)
    out = StringIO()
    call_command("deliver_webhooks", stdout=out)
    assert (out.getvalue(), len(receiver.requests)) == ("3 attempts made.\n", 3)


def test_deliver_webhooks_forever_delivers_until_it_is_told_to_stop(
    endpoint: Endpoint, receiver: Receiver
) -> None:
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    due_deliveries(endpoint, 2)
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGTERM)).start()
    started = time.monotonic()
    try:
        call_command("deliver_webhooks", forever=True)
    finally:
        for number, handler in zip((signal.SIGTERM, signal.SIGINT), handlers, strict=True):
            signal.signal(number, handler)
    assert 0.9 < time.monotonic() - started < 3.0
    assert len(receiver.requests) == 2


def test_prune_webhooks_says_what_it_deleted() -> None:
    DeliveryFactory()
    out = StringIO()
    call_command("prune_webhooks", stdout=out)
    assert out.getvalue() == "Deleted 0 attempts, 0 deliveries, 0 events, 0 recoveries.\n"
