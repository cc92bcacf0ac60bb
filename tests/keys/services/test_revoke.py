import pytest

from apps.accounts.actors import actor_of
from apps.accounts.models import AccountAuditEntry
from apps.common.errors import ApiKeyRevoked
from apps.keys import authentication
from apps.keys.services import revoke_key
from tests.factories.accounts import UserFactory
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


def test_a_revoked_key_is_refused_and_its_neighbour_is_not():
    key, secret = issued_key()
    neighbour, other = issued_key(key.account)

    revoked = revoke_key(key=key)

    assert revoked.revoked_at is not None
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)
    assert authentication.authenticate(other).key_id == neighbour.id


def test_revoking_again_changes_nothing(move_clock):
    key, _ = issued_key()
    person = UserFactory()
    first = revoke_key(key=key, actor=actor_of(person))
    move_clock(hours=1)

    second = revoke_key(key=key)

    assert second.revoked_at == first.revoked_at
    assert [entry.actor for entry in AccountAuditEntry.objects.filter(action="keys.revoked")] == [person]
