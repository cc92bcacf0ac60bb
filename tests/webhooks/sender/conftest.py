"""A sender that may reach loopback, and a post of its."""

from collections.abc import Iterator

import pytest

from apps.webhooks.sender import ReceiverAnswer, Sender, complete_headers


@pytest.fixture
def sender() -> Iterator[Sender]:
    sender = Sender(allow_local=True)
    yield sender
    sender.close_idle(everything=True)


def post(sender: Sender, url: str, body: bytes = b"{}", seconds: float = 30.0) -> ReceiverAnswer:
    return sender.post(url, headers=complete_headers({"X-Test": "1"}, body), body=body, seconds=seconds)
