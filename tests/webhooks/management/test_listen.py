"""`manage.py listen` forwards a test partner's events."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import requests
import standardwebhooks
import stripe
from django.core.management import CommandError, call_command
from pytest_django.live_server_helper import LiveServer

from apps.keys.secrets import make
from apps.webhooks.management.commands import listen as command
from apps.webhooks.management.commands import listen as listening
from apps.webhooks.management.commands import listen as reading
from apps.webhooks.management.commands.listen import Api, ListenError
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.signatures import new_secret
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
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


def test_secret_may_be_ones_own(listen: Listen, endpoint: Endpoint, receiver: Receiver) -> None:
    secret = new_secret()
    DeliveryFactory(endpoint=endpoint)
    assert secret in listen(all=True, secret=secret)
    received = receiver.requests[0]
    standardwebhooks.Webhook(secret).verify(received.body, received.headers)


def test_event_that_went_to_two_endpoints_is_forwarded_once(
    listen: Listen, endpoint: Endpoint, receiver: Receiver
) -> None:
    first = DeliveryFactory(endpoint=endpoint)
    second = EndpointFactory(account_id=endpoint.account_id, account=None)
    DeliveryFactory(endpoint=second, event=first.event)
    listen(all=True)
    listen()
    assert events_at(receiver) == [first.event_id]


def test_receiver_that_is_away_loses_nothing(listen: Listen, endpoint: Endpoint, receiver: Receiver) -> None:
    deliveries = DeliveryFactory.create_batch(2, endpoint=endpoint)
    assert "Nobody answers there yet" in listen(all=True, forward_to="http://127.0.0.1:1/")
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


def test_events_that_no_endpoint_asked_for_are_forwarded(
    listen: Listen, partners: Partners, receiver: Receiver
) -> None:
    listen()
    event = EventFactory(account_id=partners.account_id, account=None)
    listen()
    assert events_at(receiver) == [event.pk]


def test_a_forgotten_position_is_told(listen: Listen, endpoint: Endpoint, tmp_path: Path) -> None:
    (tmp_path / "position.json").write_text('{"after":"evt_01kb2c0000000000000000000a"}')
    assert listening.FORGOTTEN in listen()


def test_live_keys_junk_and_refusals_end_it(listen: Listen, partners: Partners) -> None:
    for key in (partners.live.secret, "svc_test_junk"):
        with pytest.raises(CommandError, match="must be a test key"):
            listen(key=key)
    with pytest.raises(CommandError, match="The API answered 401"):
        listen(key=make("test"))


def test_position_is_kept_without_key_or_address(
    listen: Listen, endpoint: Endpoint, partners: Partners, receiver: Receiver, tmp_path: Path
) -> None:
    DeliveryFactory(endpoint=endpoint)
    listen()
    kept = (tmp_path / "position.json").read_text()
    path = command._position_path(partners.test.secret, receiver.url)
    assert partners.test.secret not in kept
    assert (path.parent.name, path.suffix, len(path.stem)) == ("listen", ".json", 16)
    assert path != command._position_path(partners.test.secret, "http://localhost:3000/")


def answer(status: int, body: bytes = b"{}", **headers: str) -> requests.Response:
    made = requests.Response()
    made.status_code, made._content = status, body
    made.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
    return made


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, list[str], list[float], list[Any]]]:
    """Ask once where these are the answers: what came of it, what was said, how long was waited, what was asked."""

    def asking(*answers: requests.Response | Exception) -> tuple[Any, list[str], list[float], list[Any]]:
        said: list[str] = []
        waited: list[float] = []
        asked: list[Any] = []
        left = list(answers)

        def get(session: requests.Session, url: str, **options: Any) -> requests.Response:
            asked.append((url, options, session.headers["Authorization"]))
            next_ = left.pop(0)
            if isinstance(next_, Exception):
                raise next_
            return next_

        monkeypatch.setattr(requests.Session, "get", get)
        monkeypatch.setattr(reading.time, "sleep", waited.append)  # type: ignore[attr-defined]
        try:
            found: Any = Api("https://api.example/", "svc_test_key", said.append).get(
                "/v1/x", limit=1, cursor="c"
            )
        except ListenError as refusal:
            found = str(refusal)
        assert left == []
        return found, said, waited, asked

    return asking


def test_an_answer_is_its_body(ask) -> None:
    found, said, waited, asked = ask(answer(200, b'{"data": [1]}'))
    assert (found, said, waited) == ({"data": [1]}, [], [])
    options = {"params": {"limit": "1", "cursor": "c"}, "timeout": 30}
    assert asked == [("https://api.example/v1/x", options, "Bearer svc_test_key")]


@pytest.mark.parametrize("failure", [requests.ConnectionError(), requests.Timeout()])
def test_where_nobody_answers_it_asks_again_after_five_seconds(ask, failure: Exception) -> None:
    found, said, waited, asked = ask(failure, failure, answer(200))
    assert (found, waited, len(asked)) == ({}, [5, 5], 3)
    assert said == ["The API does not answer; again in 5 s."] * 2


@pytest.mark.parametrize("status", [429, 500, 503, 599])
def test_what_passes_is_asked_again_when_the_api_says_so(ask, status: int) -> None:
    found, said, waited, _ = ask(answer(status, Retry_After="7"), answer(status), answer(200))
    assert (found, waited) == ({}, [7, 5])
    assert said == [f"The API answered {status}; again in {seconds} s." for seconds in (7, 5)]


def test_what_a_proxy_says_is_waited_out(ask) -> None:
    """A date in place of seconds, a page in place of JSON, half a body: none of them ends hours of listening."""
    dated = answer(503, b"<html>", Retry_After="Fri, 27 Nov 2026 08:00:00 GMT")
    found, _, waited, _ = ask(dated, answer(200, b"<html>"), answer(200, b'{"data": ['), answer(200))
    assert (found, waited) == ({}, [5, 5, 5])


@pytest.mark.parametrize("status", [201, 400, 401, 428, 430, 499])
def test_what_does_not_pass_is_told_in_the_words_of_the_api(ask, status: int) -> None:
    found, said, waited, _ = ask(answer(status, b'{"error": {"message": "No."}}'))
    assert (found, said, waited) == (f"The API answered {status}: No.", [], [])
