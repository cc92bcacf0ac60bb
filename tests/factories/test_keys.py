import pytest

from apps.accounts.models import Account
from apps.common import clock
from apps.keys.authentication import authenticate
from apps.keys.models import ApiKey, KeySecret
from apps.keys.scopes import ENFORCED
from tests.factories.keys import issued_key, stored_key

pytestmark = pytest.mark.django_db

ITS_OWN = {"id", "account_id", "key_id", "digest", "prefix"}
ACCOUNTS_OWN = {"id", "name", "created_at", "updated_at"}


@pytest.fixture(autouse=True)
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    instant = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: instant)


def rows_of(key: ApiKey) -> list[dict[str, object]]:
    """The account, the key and the secrets, without what is each row's own."""
    return [
        {name: value for name, value in row.items() if name not in own}
        for own, rows in (
            (ACCOUNTS_OWN, Account.objects.filter(id=key.account_id)),
            (ITS_OWN, ApiKey.objects.filter(id=key.id)),
            (ITS_OWN, KeySecret.objects.filter(key=key)),
        )
        for row in rows.values()
    ]


@pytest.mark.parametrize(
    "fields",
    [{}, {"environment": "live", "name": "Shop", "scopes": ENFORCED, "allowed_ips": ["203.0.113.7"]}],
    ids=["the least", "everything"],
)
def test_a_stored_key_is_as_an_issued_one(fields: dict[str, object]):
    (stored, secret), (issued, _) = stored_key(**fields), issued_key(**fields)

    assert len(rows_of(stored)) == 3
    assert rows_of(stored) == rows_of(issued)
    assert authenticate(secret).key_id == stored.id
