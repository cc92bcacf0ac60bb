"""What is done to endpoints is in the account's audit trail, with who did it."""

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import AccountAuditEntry
from apps.webhooks.services.endpoints import (
    create_endpoint,
    delete_endpoint,
    disable_endpoint,
    enable_endpoint,
    rotate_secret,
    update_endpoint,
)
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.support.api import Api

pytestmark = pytest.mark.django_db
URL = "https://partner.example/hooks?token=s3cret"


def told() -> list[AccountAuditEntry]:
    return list(AccountAuditEntry.objects.filter(action__startswith="webhooks.").order_by("created_at", "id"))


def test_each_deed_is_one_entry_and_none_tells_a_secret():
    ana = Actor("ana@partner.example")
    endpoint, secret = create_endpoint(
        account_id=AccountFactory().pk, environment="live", url=URL, events=["booking.confirmed"], actor=ana
    )
    update_endpoint(endpoint=endpoint, url=URL, actor=ana)  # as it stood: nothing to tell
    update_endpoint(endpoint=endpoint, description="Shop", status="disabled", actor=ana)
    disable_endpoint(endpoint=endpoint, actor=ana)
    enable_endpoint(endpoint=endpoint, actor=ana)
    disable_endpoint(endpoint=endpoint, actor=ana)
    _, rotated = rotate_secret(endpoint=endpoint, actor=ana)
    delete_endpoint(endpoint=endpoint, actor=ana)
    entries = told()
    assert [(entry.action, entry.details) for entry in entries] == [
        ("webhooks.created", {"events": ["booking.confirmed"]}),
        ("webhooks.disabled", {}),
        ("webhooks.changed", {"changed": ["description"]}),
        ("webhooks.enabled", {}),
        ("webhooks.disabled", {}),
        ("webhooks.secret_rotated", {"immediate": False}),
        ("webhooks.deleted", {}),
    ]
    assert {(entry.environment, entry.actor_label, entry.subject_name) for entry in entries} == {
        ("live", "ana@partner.example", "https://partner.example/hooks")
    }
    stored = str(AccountAuditEntry.objects.values_list())
    assert not any(hidden in stored for hidden in (secret, rotated, "s3cret"))


def test_over_the_api_it_was_the_key():
    _, secret = issued_key(name="Web shop", scopes=["webhooks:manage"])
    api = Api(secret, address="198.51.100.7")
    body = {"url": "https://partner.example/hooks", "events": ["booking.confirmed"]}
    path = f"/v1/webhooks/endpoints/{api.post('/v1/webhooks/endpoints', body).body['id']}"
    api.post(f"{path}/rotate-secret", {})
    api.patch(path, {"status": "disabled"})
    api.delete(path)
    assert [(entry.action, entry.actor_label, entry.address) for entry in told()] == [
        (f"webhooks.{deed}", "API key “Web shop”", "198.51.100.7")
        for deed in ("created", "secret_rotated", "disabled", "deleted")
    ]
