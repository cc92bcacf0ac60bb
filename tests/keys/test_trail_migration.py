"""What was done to keys before accounts had a trail is in it as well."""

from importlib import import_module

import pytest
from django.db import connection

from apps.accounts.actors import actor_of
from apps.accounts.models import AccountAuditEntry
from apps.keys.models import KeyAuditEntry
from tests.factories.accounts import UserFactory
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


def test_the_trail_of_keys_is_copied_with_who_did_it_and_when():
    key, _ = issued_key(name="Server", actor=actor_of(UserFactory(email="ana@partner.example")))
    KeyAuditEntry.objects.create(account=key.account, key=key, action="revoked", actor=None)
    with connection.cursor() as cursor:
        cursor.execute(import_module("apps.keys.migrations.0002_key_trail_into_account_trail").COPY)
    columns = ("action", "actor_label", "environment", "subject_id", "subject_name", "created_at")
    copied = AccountAuditEntry.objects.filter(id__startswith="aud_00").order_by("id")
    assert list(copied.values_list(*columns)) == [
        (f"keys.{entry.action}", who, "test", key.id, "Server", entry.created_at)
        for entry, who in zip(
            KeyAuditEntry.objects.order_by("id"), ("ana@partner.example", "Support"), strict=True
        )
    ]
