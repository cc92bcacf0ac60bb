"""The trail that keys once had of their own: it was copied into that of their account, and then became a view of it."""

from importlib import import_module
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from apps.accounts.actors import actor_of
from apps.accounts.models import AccountAuditEntry, User
from apps.keys.models import ApiKey
from apps.keys.services.rename import rename_key
from tests.factories.accounts import UserFactory
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db

LATEST = "0008_keep_keys"
OLD_RELEASE = "0006_refuse_changes_to_the_trail"


def migrate(name: str) -> Any:
    """The app `keys` as of this migration, and its models."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    executor = MigrationExecutor(connection)
    executor.migrate([("keys", name)])
    return executor.loader.project_state([("keys", name)]).apps


def key_trail() -> list[tuple[str, str, dict[str, object], int | None]]:
    """What the release before reads."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT key_id, action, details::text, actor_id FROM keys_keyauditentry ORDER BY created_at"
        )
        return cursor.fetchall()


@pytest.fixture(autouse=True)
def later_migrations_left_alone(db: None) -> None:
    """They are taken for not applied: one that builds an index beside running calls cannot be undone within a test."""
    MigrationRecorder.Migration.objects.filter(app="keys", name__gt=LATEST).delete()


@pytest.fixture
def ana() -> User:
    return UserFactory(email="ana@partner.example")


@pytest.fixture
def key(ana: User) -> ApiKey:
    found, _ = issued_key(name="Server", actor=actor_of(ana, "198.51.100.7"))
    rename_key(key=found, name="Web shop", actor=actor_of(ana))
    return found


def told() -> list[tuple[object, ...]]:
    columns = ("action", "actor_label", "environment", "subject_id", "subject_name", "created_at")
    return list(AccountAuditEntry.objects.order_by("created_at").values_list(*columns))


def test_the_trail_of_keys_is_copied_with_who_did_it_and_when(key: ApiKey, ana: User) -> None:
    entry = migrate(OLD_RELEASE).get_model("keys", "KeyAuditEntry")
    entry.objects.create(account_id=key.account_id, key_id=key.pk, action="revoked", actor=None)
    before = list(entry.objects.order_by("created_at"))
    with connection.cursor() as cursor:
        cursor.execute(import_module("apps.keys.migrations.0002_key_trail_into_account_trail").COPY)
    columns = ("action", "actor_label", "environment", "subject_id", "subject_name", "created_at")
    copied = AccountAuditEntry.objects.filter(id__startswith="aud_00").order_by("created_at")
    assert list(copied.values_list(*columns)) == [
        (f"keys.{entry.action}", who, "test", key.id, "Web shop", entry.created_at)
        for entry, who in zip(before, (ana.email, ana.email, "Support"), strict=True)
    ]


def test_only_what_the_one_trail_does_not_have_is_carried_over(key: ApiKey) -> None:
    there = told()
    entry = migrate(OLD_RELEASE).get_model("keys", "KeyAuditEntry")
    alone = entry.objects.create(
        account_id=key.account_id, key_id=key.pk, action="renamed", actor=None, details={"before": "Old"}
    )
    migrate(LATEST)
    carried = ("keys.renamed", "Support", "test", key.pk, "Web shop", alone.created_at)
    assert told() == [*there, carried]
    assert AccountAuditEntry.objects.latest("created_at").details == {"before": "Old"}


def test_the_release_before_reads_the_one_trail_and_what_it_writes_is_kept_once(
    key: ApiKey, ana: User
) -> None:
    entry = migrate(OLD_RELEASE).get_model("keys", "KeyAuditEntry")
    before = key_trail()
    assert [(row[0], row[1], row[3]) for row in before] == [
        (key.pk, "created", ana.pk),
        (key.pk, "renamed", ana.pk),
    ]
    migrate(LATEST)
    assert key_trail() == before
    entry.objects.create(account_id=key.account_id, key_id=key.pk, action="revoked", actor_id=ana.pk)
    assert key_trail() == before
    entry.objects.filter(actor_id=ana.pk).update(actor=None)
    assert [row[3] for row in key_trail()] == [None, None]
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        entry.objects.all().delete()


def test_the_way_back_gives_keys_their_trail_again(key: ApiKey) -> None:
    shown = key_trail()
    entry = migrate(OLD_RELEASE).get_model("keys", "KeyAuditEntry")
    assert key_trail() == shown
    for change in ("UPDATE keys_keyauditentry SET action = 'x'", "DELETE FROM keys_keyauditentry"):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            connection.cursor().execute(change)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        connection.cursor().execute("TRUNCATE keys_keyauditentry")
    entry.objects.create(account_id=key.account_id, key_id=key.pk, action="revoked")
    migrate(LATEST)
    assert [action for action, *_ in told()] == ["keys.created", "keys.renamed", "keys.revoked"]
