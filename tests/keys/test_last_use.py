import time
from datetime import timedelta

import pytest

from apps.common import clock
from apps.common.errors import ApiKeyExpired
from apps.keys import authentication, secrets
from apps.keys.models import KeySecret
from apps.keys.services import rotate_key
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def a_new_process(monkeypatch):
    monkeypatch.setattr(authentication, "_noted", {})


def last_used_at(secret: str):
    return KeySecret.objects.get(digest=secrets.digest(secret)).last_used_at


def test_the_first_use_is_noted_on_the_key_and_on_the_secret_that_was_used():
    key, old = issued_key()
    new = rotate_key(key=key)
    before = clock.now()

    authentication.authenticate(new)

    key.refresh_from_db()
    assert before <= key.last_used_at <= clock.now()
    assert (last_used_at(new), last_used_at(old)) == (key.last_used_at, None)


def test_the_use_of_one_key_is_noted_on_no_other():
    (other, unused), (_, used) = issued_key(), issued_key()

    authentication.authenticate(used)

    other.refresh_from_db()
    assert (other.last_used_at, last_used_at(unused)) == (None, None)
    assert last_used_at(used) is not None


def test_a_refused_call_is_not_a_use():
    key, secret = issued_key()
    rotate_key(key=key, overlap=timedelta(0))

    with pytest.raises(ApiKeyExpired):
        authentication.authenticate(secret)

    key.refresh_from_db()
    assert (key.last_used_at, last_used_at(secret)) == (None, None)


def test_a_use_is_noted_again_once_thirty_seconds_are_over(monkeypatch):
    key, secret = issued_key()
    digest, first = secrets.digest(secret), clock.now()
    noted = []
    for passed in (0.0, 29.999, 30.0):
        with monkeypatch.context() as patched:
            patched.setattr(time, "monotonic", lambda passed=passed: 1_000.0 + passed)
            authentication.note_use(digest, key.pk, first + timedelta(seconds=passed))
        noted.append(last_used_at(secret) - first)

    assert noted == [timedelta(0), timedelta(0), timedelta(seconds=30)]
