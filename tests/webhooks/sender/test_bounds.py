"""What a sender keeps, how much of an answer it reads, and whom it trusts: the numbers, and what they are handed to."""

import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from apps.common.outbound.addresses import Resolver
from apps.common.outbound.answer import BadAnswer
from apps.common.outbound.connection import ConnectionPool
from apps.webhooks import sender as client
from apps.webhooks.sender import Sender
from tests.support.receiver import Receiver, Reply, receiving
from tests.webhooks.sender.certificates import Authority
from tests.webhooks.sender.conftest import post


@dataclass
class Pieces:
    """An answer that comes in pieces, or fails."""

    left: list[bytes | Exception]

    def pieces(self) -> Iterator[bytes]:
        while self.left:
            piece = self.left.pop(0)
            if isinstance(piece, Exception):
                raise piece
            yield piece


def test_eight_kibibytes_are_read_and_no_more() -> None:
    whole, long = Pieces([b"a" * 5000, b"b" * 192]), Pieces([b"a" * 5000, b"b" * 5000, b"c"])
    assert client._read_body(whole) == (b"a" * 5000 + b"b" * 192, True)  # type: ignore[arg-type]
    assert client._read_body(long) == (b"a" * 5000 + b"b" * 3192, True)  # type: ignore[arg-type]
    assert (whole.left, long.left) == ([], [b"c"])


@pytest.mark.parametrize("failure", [OSError(), BadAnswer()])
def test_what_arrived_of_an_answer_that_was_cut_short_is_stored(failure: Exception) -> None:
    assert client._read_body(Pieces([b"half", failure])) == (b"half", True)  # type: ignore[arg-type]


def test_an_answer_whose_time_is_over_is_not_complete() -> None:
    assert client._read_body(Pieces([b"half", TimeoutError()])) == (b"half", False)  # type: ignore[arg-type]


def test_four_connections_of_an_origin_are_kept_for_four_seconds_and_none_for_more_than_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[dict[str, Any]] = []

    class Noted(ConnectionPool):
        def __init__(self, connector: Any, **limits: Any) -> None:
            made.append(limits)
            super().__init__(connector, **limits)

    class Looked(Resolver):
        def __init__(self, **options: Any) -> None:
            made.append({"threads": options["threads"]})
            super().__init__(**options)

    monkeypatch.setattr(client, "ConnectionPool", Noted)
    monkeypatch.setattr(client, "Resolver", Looked)
    Sender()
    assert made == [{"threads": 128}, {"kept": 4, "idle_seconds": 4.0, "life_seconds": 60.0}]


def test_a_kept_connection_is_closed_when_its_time_is_over_and_not_before(
    sender: Sender, receiver: Receiver
) -> None:
    post(sender, receiver.url)
    sender.close_idle()
    post(sender, receiver.url)
    assert receiver.connections == 1
    sender.close_idle(everything=True)
    post(sender, receiver.url)
    assert receiver.connections == 2


def test_without_a_context_of_its_own_a_sender_trusts_whom_the_system_trusts(tmp_path: Path) -> None:
    sender = Sender(allow_local=True)
    with receiving(tls=Authority(tmp_path).server_context("127.0.0.1")) as receiver:
        answer = post(sender, receiver.url)
        assert receiver.requests == []
    assert answer.cause is not None
    assert (answer.cause.code, answer.status_code) == ("tls_certificate", None)
    assert ssl.create_default_context().verify_mode == ssl.CERT_REQUIRED


def test_what_was_no_answer_has_no_first_byte(sender: Sender, receiver: Receiver) -> None:
    receiver.answer = Reply(raw=b"SSH-2.0-OpenSSH_9.6\r\n")
    answer = post(sender, receiver.url)
    assert (answer.cause is not None, answer.timings.first_byte_ms) == (True, None)
    assert answer.timings.connect_ms is not None


@pytest.mark.parametrize("allowed", [False, True])
def test_the_sender_of_the_process_is_one_and_as_configured(settings: Settings, allowed: bool) -> None:
    settings.WEBHOOK_ALLOW_LOCAL_TARGETS = allowed
    client._sender.cache_clear()
    assert client.sender() is client.sender()
    with receiving() as receiver:
        status = post(client.sender(), receiver.url).status_code
        client.sender().close_idle(everything=True)
    assert status == (200 if allowed else None)
