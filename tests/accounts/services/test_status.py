import pytest

from apps.accounts.terms import make_read_only, set_status
from apps.common.errors import InvalidRequest
from apps.keys import authentication
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("status", ["read-only", "suspended", "active"])
def test_a_status_is_in_force_with_the_next_call(status):
    account = AccountFactory()
    _, secret = issued_key(account)
    authentication.authenticate(secret)

    set_status(account=account, status=status)

    account.refresh_from_db()
    assert account.status == status
    assert authentication.authenticate(secret).account_status == status


def test_an_unknown_status_is_refused():
    account = AccountFactory()

    with pytest.raises(InvalidRequest):
        set_status(account=account, status="readonly")

    account.refresh_from_db()
    assert account.status == "active"


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [("active", "read-only", True), ("read-only", "read-only", False), ("suspended", "suspended", False)],
)
def test_an_account_that_does_not_trade_is_not_made_to_by_stopping_it(before, after, changed):
    account = AccountFactory(status=before)
    _, secret = issued_key(account)
    authentication.authenticate(secret)

    assert make_read_only(account=account) is changed

    account.refresh_from_db()
    assert account.status == authentication.authenticate(secret).account_status == after
