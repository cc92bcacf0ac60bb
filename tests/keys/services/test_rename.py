from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection, transaction

from apps.accounts.models import Account, AccountAuditEntry
from apps.common.errors import InvalidRequest
from apps.keys.models import ApiKey
from apps.keys.services import lock_key, rename_key
from tests.factories.keys import issued_key
from tests.support.locks import locked

pytestmark = pytest.mark.django_db


def test_a_key_takes_its_new_name_and_the_trail_keeps_both():
    key, _ = issued_key(name="Server")

    renamed = rename_key(key=key, name=" Büro Köln ")

    key.refresh_from_db()
    assert key.name == renamed.name == "Büro Köln"
    entry = AccountAuditEntry.objects.get(action="keys.renamed")
    assert entry.details == {"before": "Server", "after": "Büro Köln"}
    assert (entry.environment, entry.subject_id) == ("test", key.id)


@pytest.mark.django_db(transaction=True)
def test_two_changes_of_one_key_wait_for_each_other_and_not_for_its_account():
    key, _ = issued_key(name="Server")
    with locked(Account.objects.filter(pk=key.account_id), "KEY SHARE"):
        rename_key(key=key, name="Second")
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with locked(ApiKey.objects.filter(pk=key.pk), "NO KEY UPDATE"), pytest.raises(OperationalError):
        rename_key(key=key, name="Third")
    key.refresh_from_db()
    assert (key.name, AccountAuditEntry.objects.filter(action="keys.renamed").count()) == ("Second", 1)


@pytest.mark.django_db(transaction=True)
def test_a_key_is_locked_before_it_is_read_to_be_changed():
    key, _ = issued_key()

    def is_free() -> bool:
        try:
            with transaction.atomic():
                return ApiKey.objects.select_for_update(skip_locked=True).filter(pk=key.pk).exists()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            lock_key(key)
            assert not pool.submit(is_free).result()
        assert pool.submit(is_free).result()


@pytest.mark.parametrize("name", ["n", "n" * 255])
def test_a_name_has_1_to_255_characters(name: str):
    key, _ = issued_key(name="Server")

    assert rename_key(key=key, name=f" {name}\n").name == name


@pytest.mark.parametrize("name", ["", " ", "n" * 256, "two\nlines"])
def test_an_unusable_name_is_refused(name):
    key, _ = issued_key(name="Server")

    with pytest.raises(InvalidRequest):
        rename_key(key=key, name=name)
