import pytest

from apps.accounts.models import Account
from apps.accounts.terms import MAX_LIMIT, create_account, make_read_only, set_limits
from apps.common.errors import InvalidRequest
from apps.keys import authentication
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key

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


DEFAULTS = {"rate_search": None, "rate_booking": None, "rate_read": None, "search_quota": None}


def test_limits_are_set_and_none_means_the_default_again():
    account = AccountFactory(rate_read=5)

    set_limits(account=account, **{**DEFAULTS, "rate_search": MAX_LIMIT, "search_quota": 0})

    account.refresh_from_db()
    assert (account.rate_search, account.rate_booking) == (MAX_LIMIT, None)
    assert (account.rate_read, account.search_quota) == (None, 0)


@pytest.mark.parametrize("limit", [-1, MAX_LIMIT + 1])
@pytest.mark.parametrize("field", DEFAULTS)
def test_a_limit_out_of_bounds_is_named_and_changes_nothing(field, limit):
    account = AccountFactory(search_quota=9)

    with pytest.raises(InvalidRequest) as refusal:
        set_limits(account=account, **{**DEFAULTS, field: limit})

    account.refresh_from_db()
    assert [detail["field"] for detail in refusal.value.extras["details"]] == [field]  # type: ignore[attr-defined]
    assert account.search_quota == 9
