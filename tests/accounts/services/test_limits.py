import pytest

from apps.accounts.terms import MAX_LIMIT, set_limits
from apps.common.errors import InvalidRequest
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db

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
