from datetime import timedelta

import pytest

from apps.accounts.actors import actor_of
from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.errors import InvalidRequest
from apps.keys import authentication
from apps.keys.models import ApiKey, KeySecret
from apps.keys.services import DEFAULT_OVERLAP, LONGEST_OVERLAP, rotate_key
from tests.factories.accounts import UserFactory
from tests.factories.keys import issued_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock_stands_still")]


def expiries(key: ApiKey) -> list[timedelta | None]:
    """How long each secret of `key` still works, oldest first."""
    found = KeySecret.objects.filter(key=key).order_by("id").values_list("expires_at", flat=True)
    return [expires_at and expires_at - clock.now() for expires_at in found]


def test_the_key_stays_and_the_old_secret_gets_a_near_end():
    key, old = issued_key()

    new = rotate_key(key=key)

    assert new != old
    assert authentication.authenticate(new) == authentication.authenticate(new)
    assert authentication.authenticate(new).key_id == authentication.authenticate(old).key_id == key.id
    assert timedelta(hours=24) == DEFAULT_OVERLAP
    assert expiries(key) == [DEFAULT_OVERLAP, None]


def test_a_second_rotation_never_prolongs_what_the_first_one_ended():
    key, _ = issued_key()
    rotate_key(key=key, overlap=timedelta(minutes=5))

    rotate_key(key=key, overlap=timedelta(hours=2))

    assert expiries(key) == [timedelta(minutes=5), timedelta(hours=2), None]


def test_the_trail_says_who_rotated_and_until_when_the_old_secret_works():
    key, _ = issued_key()
    person = UserFactory()

    rotate_key(key=key, overlap=timedelta(hours=1), actor=actor_of(person))

    entry = AccountAuditEntry.objects.get(action="keys.rotated")
    ends_at = key.secrets.exclude(expires_at=None).get().expires_at
    assert (entry.subject_id, entry.actor) == (key.pk, person)
    assert entry.details == {"previousSecretsExpireAt": clock.rfc3339(ends_at)}


def test_a_live_key_is_not_rotated_once_the_approval_has_lapsed(move_clock):
    key, secret = issued_key(environment="live")
    move_clock(days=366)

    with pytest.raises(InvalidRequest):
        rotate_key(key=key)

    assert expiries(key) == [None]
    assert authentication.authenticate(secret).key_id == key.id


@pytest.mark.parametrize("overlap", [timedelta(0), timedelta(seconds=1), LONGEST_OVERLAP])
def test_an_overlap_lasts_up_to_thirty_days(overlap):
    key, _ = issued_key()

    rotate_key(key=key, overlap=overlap)

    assert timedelta(days=30) == LONGEST_OVERLAP
    assert expiries(key) == [overlap, None]


@pytest.mark.parametrize("overlap", [timedelta(seconds=-1), LONGEST_OVERLAP + timedelta(seconds=1)])
def test_an_overlap_that_is_not_near_is_refused(overlap):
    key, _ = issued_key()

    with pytest.raises(InvalidRequest):
        rotate_key(key=key, overlap=overlap)
    assert key.secrets.count() == 1
