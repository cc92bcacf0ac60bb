import pytest

from apps.accounts.models import AccountAuditEntry
from apps.common.errors import Conflict, InvalidRequest
from apps.keys.services import change_allowed_ips, revoke_key
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


def test_the_new_list_replaces_the_old_one_and_the_trail_keeps_both():
    key, _ = issued_key(allowed_ips=["203.0.113.7"])

    change_allowed_ips(key=key, allowed_ips=["198.51.100.0/24"])

    key.refresh_from_db()
    assert key.allowed_ips == ["198.51.100.0/24"]
    assert AccountAuditEntry.objects.get(action="keys.allowed_ips_changed").details == {
        "before": ["203.0.113.7"],
        "after": ["198.51.100.0/24"],
    }


def test_an_unusable_list_changes_nothing():
    key, _ = issued_key(allowed_ips=["203.0.113.7"])

    with pytest.raises(InvalidRequest):
        change_allowed_ips(key=key, allowed_ips=["0.0.0.0/1", "128.0.0.0/1"])

    key.refresh_from_db()
    assert (key.allowed_ips, key.changed_at) == (["203.0.113.7"], None)


def test_a_revoked_key_is_not_changed_any_more():
    key, _ = issued_key()
    revoke_key(key=key)

    with pytest.raises(Conflict):
        change_allowed_ips(key=key, allowed_ips=["203.0.113.7"])
