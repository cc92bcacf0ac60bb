from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.common.clock import rfc3339
from apps.common.encryption import decrypt
from apps.common.errors import InvalidRequest
from apps.webhooks.models import Endpoint
from apps.webhooks.services.rotate_secret import rotate_secret
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
