from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.live_approval import approve_live, refuse_live, request_live_approval, withdraw_live
from apps.accounts.models import Account
from apps.common import clock
from apps.common.errors import Conflict
from tests.factories.accounts import AccountFactory, UserFactory

pytestmark = pytest.mark.django_db


def state(account: Account) -> str:
    account.refresh_from_db()
    return account.live_approval_state(clock.now())


def test_an_approval_is_asked_for_granted_and_lapses_after_365_days(move_clock):
    account, staff = AccountFactory(), UserFactory(is_staff=True)
    assert state(account) == "none"

    request_live_approval(account=account)
    assert state(account) == "requested"

    approve_live(account=account, approved_by=staff)
    assert state(account) == "approved"
    assert account.live_requested_at is None

    move_clock(days=364, hours=23)
    assert state(account) == "approved"
    move_clock(hours=2)
    assert state(account) == "lapsed"


def test_asking_twice_is_refused():
    account = AccountFactory()
    request_live_approval(account=account)

    with pytest.raises(Conflict):
        request_live_approval(account=account)


def test_another_year_is_asked_for_while_the_first_one_runs(move_clock):
    account = AccountFactory()
    approve_live(account=account, approved_by=None)
    move_clock(days=300)

    request_live_approval(account=account)
    assert state(account) == "approved"

    approve_live(account=account, approved_by=None)
    account.refresh_from_db()
    assert account.live_approved_until - clock.now() > timedelta(days=364)


def test_a_refused_request_is_gone_and_a_running_approval_stays():
    fresh, approved = AccountFactory(), AccountFactory()
    approve_live(account=approved, approved_by=None)
    for account in (fresh, approved):
        request_live_approval(account=account)
        refuse_live(account=account, refused_by=None)

    assert (state(fresh), state(approved)) == ("none", "approved")


def test_a_request_that_was_decided_meanwhile_is_not_refused():
    account, staff = AccountFactory(), UserFactory(is_staff=True)
    request_live_approval(account=account)
    approve_live(account=account, approved_by=staff)

    with pytest.raises(Conflict, match="Somebody else has decided"):
        refuse_live(account=account, refused_by=staff, reason="Too late")

    assert state(account) == "approved"


def test_of_two_who_decide_at_once_the_second_is_told():
    """Each has read the account before the other one's decision."""
    account = AccountFactory()
    early = Account.objects.get(pk=account.pk)
    request_live_approval(account=account)
    late, staff = Account.objects.get(pk=account.pk), UserFactory(is_staff=True)

    with pytest.raises(Conflict):
        request_live_approval(account=early)
    approve_live(account=account, approved_by=staff)
    with pytest.raises(Conflict):
        refuse_live(account=late, refused_by=staff)
    withdraw_live(account=early, withdrawn_by=staff)
    with pytest.raises(Conflict):
        withdraw_live(account=account, withdrawn_by=staff)


def test_a_withdrawn_approval_has_lapsed():
    account = AccountFactory()
    approve_live(account=account, approved_by=None)

    withdraw_live(account=account, withdrawn_by=None)

    assert state(account) == "lapsed"
    with pytest.raises(Conflict):
        withdraw_live(account=account, withdrawn_by=None)


def test_only_staff_decides():
    account, owner = AccountFactory(), UserFactory()
    request_live_approval(account=account)

    with pytest.raises(PermissionDenied):
        approve_live(account=account, approved_by=owner)
    with pytest.raises(PermissionDenied):
        refuse_live(account=account, refused_by=owner)
    with pytest.raises(PermissionDenied):
        withdraw_live(account=account, withdrawn_by=owner)
    assert state(account) == "requested"
