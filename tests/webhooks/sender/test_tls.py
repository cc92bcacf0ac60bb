"""Certificates are verified."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from apps.webhooks.causes import Cause
from apps.webhooks.sender import Sender
from tests.support.receiver import receiving
from tests.webhooks.sender.certificates import Authority
from tests.webhooks.sender.conftest import post

NAME = "hooks.partner.example"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def sender(authority: Authority) -> Iterator[Sender]:
    sender = Sender(
        allow_local=True, context=authority.client_context(), lookup=lambda host, port: ["127.0.0.1"]
    )
    yield sender
    sender.close_idle(everything=True)


def test_name_is_verified_and_the_connection_kept(authority: Authority, sender: Sender) -> None:
    with receiving(tls=authority.server_context(NAME)) as receiver:
        answers = [post(sender, f"https://{NAME}:{receiver.port}/hooks") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert receiver.requests[0].headers["Host"] == f"{NAME}:{receiver.port}"
        assert receiver.connections == 1
    assert answers[0].timings.tls_ms is not None
    assert answers[1].timings.tls_ms is None


def test_expired_certificate_is_named_with_its_day(authority: Authority, sender: Sender) -> None:
    asked_for: list[str | None] = []
    expired = datetime.now(UTC) - timedelta(days=19)
    tls = authority.server_context(NAME, expires=expired)
    tls.sni_callback = lambda _socket, name, _context: asked_for.append(name)
    with receiving(tls=tls) as receiver:
        answer = post(sender, f"https://{NAME}:{receiver.port}/")
        assert answer.cause == Cause(
            "tls_certificate", f"TLS certificate expired on {expired.day} {expired:%b %Y}"
        )
        assert receiver.requests == []
    assert asked_for == [NAME, NAME]  # a host of many names shows each its own certificate


def test_certificate_for_another_name_is_refused(authority: Authority, sender: Sender) -> None:
    with receiving(tls=authority.server_context("other.example")) as receiver:
        answer = post(sender, f"https://{NAME}:{receiver.port}/")
        assert answer.cause == Cause("tls_certificate", "TLS certificate is for another host name")
        assert receiver.requests == []


def test_certificate_of_an_unknown_authority_is_refused(sender: Sender, tmp_path: Path) -> None:
    with receiving(tls=Authority(tmp_path).server_context(NAME)) as receiver:
        answer = post(sender, f"https://{NAME}:{receiver.port}/")
        assert answer.cause is not None
        assert answer.cause.code == "tls_certificate"
        assert receiver.requests == []


def test_plain_http_where_tls_was_expected_is_named(sender: Sender) -> None:
    with receiving() as receiver:
        answer = post(sender, f"https://{NAME}:{receiver.port}/")
        assert answer.cause is not None
        assert answer.cause.code == "tls"
        assert answer.cause.words.startswith("TLS failed: ")
