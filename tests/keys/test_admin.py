import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from apps.accounts.models import AccountAuditEntry
from apps.common.errors import ApiKeyRevoked
from apps.keys import authentication, secrets
from tests.factories.accounts import UserFactory
from tests.factories.keys import issued_key
from tests.support.back_office import faults_of

pytestmark = pytest.mark.django_db


def signed_in(**rights: bool) -> tuple[Client, object]:
    person = UserFactory(is_staff=True, **rights)
    client = Client()
    client.force_login(person)
    return client, person


def revoke(client: Client, key_id: str) -> int:
    return client.post("/admin/keys/apikey/", {"action": "revoke", "_selected_action": [key_id]}).status_code


def test_a_key_is_revoked_from_the_list_and_the_trail_names_who_did_it():
    key, secret = issued_key()
    client, person = signed_in(is_superuser=True)
    authentication.authenticate(secret)

    assert revoke(client, key.id) == 302

    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)
    assert AccountAuditEntry.objects.get(action="keys.revoked").actor == person


def test_who_may_only_look_cannot_revoke():
    key, secret = issued_key()
    client, person = signed_in()
    person.user_permissions.add(Permission.objects.get(codename="view_apikey"))  # type: ignore[attr-defined]

    revoke(client, key.id)

    assert authentication.authenticate(secret).key_id == key.id


def test_no_page_shows_a_secret_or_its_digest():
    key, secret = issued_key()
    client, _ = signed_in(is_superuser=True)

    entry = AccountAuditEntry.objects.get(subject_id=key.id)
    for path in (
        "keys/apikey/",
        f"keys/apikey/{key.id}/change/",
        f"accounts/accountauditentry/?q={key.id}",
        f"accounts/accountauditentry/{entry.pk}/change/",
    ):
        page = client.get(f"/admin/{path}")
        assert faults_of(client, f"/admin/{path}") == []
        assert key.id in page.content.decode()
        assert secret not in page.content.decode()
        assert secrets.digest(secret) not in page.content.decode()


def test_keys_are_neither_made_edited_nor_deleted_here():
    key, _ = issued_key()
    client, _ = signed_in(is_superuser=True)
    statuses = [
        client.get("/admin/keys/apikey/add/").status_code,
        client.post(f"/admin/keys/apikey/{key.id}/change/", {"name": "Other"}).status_code,
        client.post(f"/admin/keys/apikey/{key.id}/delete/").status_code,
    ]

    assert statuses == [403, 403, 403]
