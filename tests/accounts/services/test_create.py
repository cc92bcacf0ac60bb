import pytest

from apps.accounts.models import Account
from apps.accounts.terms import create_account
from apps.common.errors import InvalidRequest

pytestmark = pytest.mark.django_db


def test_a_new_account_is_active_and_not_approved_for_live():
    account = create_account(name=" Alpha Travel ", currency="JPY")

    account.refresh_from_db()
    assert (account.name, account.currency, account.status) == ("Alpha Travel", "JPY", "active")
    assert (account.live_requested_at, account.live_approved_until) == (None, None)
    assert account.id.startswith("acc_")


@pytest.mark.parametrize(
    ("name", "currency", "field"),
    [
        ("", "EUR", "name"),
        ("n" * 256, "EUR", "name"),
        ("a\x00b", "EUR", "name"),
        ("Alpha", "", "currency"),
        ("Alpha", "EURO", "currency"),
        ("Alpha", "eur", "currency"),
    ],
)
def test_what_cannot_be_opened_is_named(name, currency, field):
    with pytest.raises(InvalidRequest) as refusal:
        create_account(name=name, currency=currency)

    assert refusal.value.extras["details"][0]["field"] == field
    assert not Account.objects.exists()
