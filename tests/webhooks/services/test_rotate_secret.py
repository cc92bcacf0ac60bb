from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.clock import rfc3339
from apps.common.encryption import decrypt
from apps.common.errors import InvalidRequest
from apps.webhooks.models import Endpoint
from apps.webhooks.services.endpoints import rotate_secret
from tests.factories.webhooks import EndpointFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def endpoint() -> Endpoint:
    return EndpointFactory()


def test_rotation_keeps_the_previous_secret_for_24_hours(endpoint: Endpoint) -> None:
    before = endpoint.secret
    rotated, secret = rotate_secret(endpoint=endpoint)
    assert secret != before
    assert (rotated.secret, decrypt(rotated.previous_secret_encrypted)) == (secret, before)
    assert rotated.previous_secret_expires_at == rotated.updated_at + timedelta(hours=24)


def test_second_rotation_within_the_window_is_refused_and_says_from_when(
    endpoint: Endpoint, move_clock: Callable[..., None]
) -> None:
    rotated, secret = rotate_secret(endpoint=endpoint)
    move_clock(hours=23, minutes=59)
    with pytest.raises(InvalidRequest) as refused:
        rotate_secret(endpoint=endpoint)
    assert rotated.previous_secret_expires_at is not None
    assert refused.value.extras == {"details": [], "safeAfter": rfc3339(rotated.previous_secret_expires_at)}
    assert Endpoint.objects.get().secret == secret


def test_rotation_is_possible_again_after_the_window(
    endpoint: Endpoint, move_clock: Callable[..., None]
) -> None:
    _, first = rotate_secret(endpoint=endpoint)
    move_clock(hours=24, seconds=1)
    rotated, second = rotate_secret(endpoint=endpoint)
    assert (rotated.secret, decrypt(rotated.previous_secret_encrypted)) == (second, first)


@pytest.mark.parametrize("within_window", [False, True])
def test_immediate_rotation_voids_every_older_secret(endpoint: Endpoint, within_window: bool) -> None:
    if within_window:
        rotate_secret(endpoint=endpoint)
    rotated, secret = rotate_secret(endpoint=endpoint, immediate=True)
    assert rotated.secret == secret
    assert (rotated.previous_secret_encrypted, rotated.previous_secret_expires_at) == ("", None)
    rotate_secret(endpoint=endpoint)  # the window is over: the next normal rotation is not refused


def test_the_window_ends_at_its_instant(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    rotated, _ = rotate_secret(endpoint=endpoint)
    ends = rotated.previous_secret_expires_at
    assert ends is not None
    monkeypatch.setattr(clock, "_database_now", lambda: ends - timedelta(microseconds=1))
    with pytest.raises(InvalidRequest) as refused:
        rotate_secret(endpoint=endpoint)
    assert refused.value.own_texts == {refused.value.message}
    assert refused.value.message == (
        f"The secret was rotated less than 24 hours ago; it is safe again after {rfc3339(ends)}."
    )
    monkeypatch.setattr(clock, "_database_now", lambda: ends)
    again, _ = rotate_secret(endpoint=endpoint)
    assert (again.updated_at, again.previous_secret_expires_at) == (ends, ends + timedelta(hours=24))
    assert Endpoint.objects.get().updated_at == ends


def test_the_trail_says_whether_the_old_secrets_were_void_at_once(endpoint: Endpoint) -> None:
    for immediate in (False, True):
        rotate_secret(endpoint=endpoint, immediate=immediate)
    told = AccountAuditEntry.objects.filter(action="webhooks.secret_rotated").order_by("created_at")
    assert [entry.details for entry in told] == [{"immediate": False}, {"immediate": True}]
