"""`manage.py listen` forwards a test partner's events."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
import standardwebhooks
import stripe
from django.core.management import CommandError, call_command
from pytest_django.live_server_helper import LiveServer

from apps.keys.secrets import make
from apps.webhooks.management.commands import listen as command
from apps.webhooks.management.commands import listen as listening
from apps.webhooks.models import Delivery, Endpoint
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.receiver import Receiver, Reply
from tests.webhooks.conftest import Partners

pytestmark = pytest.mark.django_db(transaction=True)

Listen = Callable[..., str]


@pytest.fixture
def endpoint(partners: Partners) -> Endpoint:
    """The partner's endpoint, somewhere out of reach."""
    return EndpointFactory(account_id=partners.account_id, account=None)


@pytest.fixture
def listen(live_server: LiveServer, partners: Partners, receiver: Receiver, tmp_path: Path) -> Listen:
    """One catching-up, with the position in a file of the test's own; what the command said."""

    def run(**options: object) -> str:
        out = StringIO()
        arguments = {
            "key": partners.test.secret,
            "forward_to": receiver.url,
            "api": live_server.url,
            "position": tmp_path / "position.json",
            "once": True,
            **options,
        }
        call_command("listen", stdout=out, **arguments)
        return out.getvalue()

    return run


@pytest.fixture
def handlers() -> Iterator[None]:
    """Put back after a command that listened until it was told to stop."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def events_at(receiver: Receiver) -> list[str]:
    return [request.headers["webhook-id"] for request in receiver.requests]


def test_only_what_happens_after_the_first_start_is_forwarded_each_once_oldest_first(
    listen: Listen, endpoint: Endpoint, receiver: Receiver
) -> None:
    DeliveryFactory.create_batch(3, endpoint=endpoint)
    listen()
    assert receiver.requests == []
    missed = DeliveryFactory.create_batch(3, endpoint=endpoint)  # while nobody listened
    listen()
    assert events_at(receiver) == [delivery.event_id for delivery in missed]
    listen()
    assert len(receiver.requests) == 3


def test_all_forwards_the_past_over_several_pages(
    listen: Listen, endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "PAGE", 2)
    past = DeliveryFactory.create_batch(5, endpoint=endpoint)
    listen(all=True)
    assert events_at(receiver) == [delivery.event_id for delivery in past]


def test_forwarded_delivery_has_the_same_payload_and_verifies_with_the_printed_secret(
    listen: Listen, endpoint: Endpoint, receiver: Receiver
) -> None:
    payload = '{"id":"evt_1","type":"booking.confirmed","data":{"name":"Zoë","totalCents":12300}}'
    DeliveryFactory(endpoint=endpoint, event__payload=payload)
    said = listen(all=True)
    secret = said.split("signed with ")[1].split()[0]
    received = receiver.requests[0]
    assert received.body == payload.encode()
    assert standardwebhooks.Webhook(secret).verify(received.body, received.headers) == json.loads(payload)
    assert stripe.WebhookSignature.verify_header(
        payload, received.headers["X-Service-Signature"], secret, tolerance=300
    )
    assert said.splitlines()[-1] == f"booking.confirmed {received.headers['webhook-id']} → 200"


def test_receiver_that_is_away_loses_nothing(listen: Listen, endpoint: Endpoint, receiver: Receiver) -> None:
    deliveries = DeliveryFactory.create_batch(2, endpoint=endpoint)
    assert "The forwarding URL does not answer yet" in listen(all=True, forward_to="http://127.0.0.1:1/")
    listen(all=True)
    assert events_at(receiver) == [delivery.event_id for delivery in deliveries]


def test_answer_of_the_receiver_is_told_and_changes_nothing(
    listen: Listen, endpoint: Endpoint, receiver: Receiver
) -> None:
    receiver.answer = Reply(status=500)
    delivery = DeliveryFactory(endpoint=endpoint)
    assert f"{delivery.event_id} → 500" in listen(all=True)
    listen()
    assert len(receiver.requests) == 1
    assert Delivery.objects.get().status == "PENDING"


def test_listening_goes_on_until_it_is_told_to_stop(
    listen: Listen, endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, handlers: None
) -> None:
    monkeypatch.setattr(command, "POLL_SECONDS", 0.05)

    def answer(received: object) -> Reply:
        if len(receiver.requests) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return Reply()

    receiver.answer = answer
    DeliveryFactory.create_batch(2, endpoint=endpoint)
    assert listen(all=True, once=False).endswith("Stopped.\n")
    assert len(receiver.requests) == 2


def test_a_forgotten_position_is_told(listen: Listen, endpoint: Endpoint, tmp_path: Path) -> None:
    (tmp_path / "position.json").write_text('{"after":"evt_01kb2c0000000000000000000a"}')
    assert listening.FORGOTTEN in listen()


def test_live_keys_junk_and_refusals_end_it(listen: Listen, partners: Partners) -> None:
    for key in (partners.live.secret, "svc_test_junk"):
        with pytest.raises(CommandError, match="must be a test key"):
            listen(key=key)
    with pytest.raises(CommandError, match="The API answered 401"):
        listen(key=make("test"))
