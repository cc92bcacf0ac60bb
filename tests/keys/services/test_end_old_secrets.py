from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.actors import actor_of
from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.errors import ApiKeyExpired, Conflict, InvalidRequest
from apps.keys import authentication
from apps.keys.selectors import audit_of
from apps.keys.services import end_old_secrets, revoke_key, rotate_key
from tests.factories.accounts import UserFactory
from tests.factories.keys import issued_key
from tests.support.api import Api

pytestmark = pytest.mark.django_db


def test_every_secret_but_the_newest_is_refused_with_the_next_call():
    key, first = issued_key()
    second = rotate_key(key=key)
    newest = rotate_key(key=key)
    for secret in (first, second, newest):
        assert Api(secret).get("/v1/account").status == 200, "And is cached now"

    assert end_old_secrets(key=key) == 2

    answers = [Api(secret).get("/v1/account") for secret in (first, second, newest)]
    assert [answer.status for answer in answers] == [401, 401, 200]
    assert [answer.error_type for answer in answers[:2]] == ["api_key_expired"] * 2


def test_the_keys_beside_it_go_on():
    key, _ = issued_key()
    neighbour, old = issued_key(key.account)
    for each in (key, neighbour):
        rotate_key(key=each)

    end_old_secrets(key=key)

    assert authentication.authenticate(old).key_id == neighbour.id


def test_who_looked_before_a_rotation_ends_nothing():
    key, first = issued_key()
    newest_then = key.secrets.get().pk
    rotate_key(key=key)

    with pytest.raises(InvalidRequest) as refusal:
        end_old_secrets(key=key, newest=newest_then)

    details: Any = refusal.value.extras["details"]
    assert [detail["field"] for detail in details] == ["newest"]
    assert authentication.look_up(first).key_id == key.id
    assert end_old_secrets(key=key, newest=key.secrets.latest("id").pk) == 1


def test_the_trail_says_who_ended_it_and_how_long_it_would_have_gone_on():
    key, _ = issued_key()
    rotate_key(key=key, overlap=timedelta(hours=1))
    would_have_ended = key.secrets.exclude(expires_at=None).get().expires_at
    person = UserFactory()

    end_old_secrets(key=key, actor=actor_of(person, "198.51.100.7"))

    entry = AccountAuditEntry.objects.get(action="keys.old_secrets_ended")
    assert (entry.subject_id, entry.actor, entry.details["secrets"]) == (key.pk, person, 1)
    assert (entry.actor_label, entry.address) == (person.email, "198.51.100.7")
    assert entry.details["wouldHaveEndedAt"][:19] == would_have_ended.isoformat()[:19]


def test_where_nothing_is_in_overlap_nothing_changes(move_clock):
    key, _ = issued_key()
    assert end_old_secrets(key=key) == 0

    rotate_key(key=key, overlap=timedelta(minutes=5))
    move_clock(minutes=6)
    ended = key.secrets.exclude(expires_at=None).get().expires_at

    assert end_old_secrets(key=key) == 0
    assert key.secrets.exclude(expires_at=None).get().expires_at == ended
    assert [entry.action for entry in audit_of(key)] == ["keys.rotated", "keys.created"]


def test_a_secret_that_ends_at_this_instant_has_ended(monkeypatch):
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    key, _ = issued_key()
    rotate_key(key=key, overlap=timedelta(0))

    assert end_old_secrets(key=key) == 0
    assert not AccountAuditEntry.objects.filter(action="keys.old_secrets_ended").exists()


def test_it_needs_no_approval_as_a_rotation_does():
    key, old = issued_key(environment="live")
    rotate_key(key=key, overlap=timedelta(days=30))
    key.account.live_approved_until = key.created_at
    key.account.save()

    assert end_old_secrets(key=key) == 1
    with pytest.raises(ApiKeyExpired):
        authentication.authenticate(old)


def test_a_revoked_key_is_not_changed_any_more():
    key, _ = issued_key()
    rotate_key(key=key)
    revoke_key(key=key)

    with pytest.raises(Conflict):
        end_old_secrets(key=key)
