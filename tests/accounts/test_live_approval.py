from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from pytest_django import DjangoCaptureOnCommitCallbacks

from apps.accounts import live_approval
from apps.accounts.live_approval import (
    announce_lapses,
    approve_live,
    refuse_live,
    request_live_approval,
    withdraw_live,
)
from apps.accounts.models import Account, Role
from apps.common import clock
from apps.common.errors import Conflict
from tests.factories.accounts import AccountFactory, MembershipFactory, UserFactory

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

    with pytest.raises(Conflict, match="Another member of staff has decided"):
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


@pytest.fixture
def approved() -> Account:
    account = AccountFactory(name="Nordic Trips")
    approve_live(account=account, approved_by=None)
    return account


def test_owners_are_told_once_that_the_approval_lapsed(
    approved: Account,
    move_clock: Callable[..., None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    owner = MembershipFactory(account=approved, role=Role.OWNER).user
    MembershipFactory(account=approved, role=Role.VIEWER)
    MembershipFactory(account=approved, role=Role.OWNER, user__is_active=False)
    move_clock(days=365, seconds=1)
    with django_capture_on_commit_callbacks(execute=True):
        assert announce_lapses() == 1
        assert announce_lapses() == 0
    (told,) = mail.outbox
    assert told.to == [owner.email]
    assert "Nordic Trips" in told.body


def test_a_renewed_approval_is_announced_again_when_it_lapses(
    approved: Account, move_clock: Callable[..., None]
) -> None:
    move_clock(days=366)
    assert announce_lapses() == 1
    approve_live(account=approved, approved_by=None)
    assert announce_lapses() == 0
    move_clock(days=366)
    assert announce_lapses() == 1


def test_accounts_that_never_were_approved_are_left_alone() -> None:
    AccountFactory(live_requested_at=clock.now() - timedelta(days=400))
    assert announce_lapses() == 0


def test_one_that_cannot_be_told_keeps_no_other_from_it(
    approved: Account, move_clock: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [AccountFactory() for _ in range(2)]
    for other in others:
        approve_live(account=other, approved_by=None)
    move_clock(days=366)
    real = live_approval.announce

    def announce(account: Account) -> None:
        if account == approved:
            raise OSError("no mail")
        real(account)

    with monkeypatch.context() as patched:
        patched.setattr(live_approval, "announce", announce)
        with pytest.raises(OSError, match="no mail"):
            announce_lapses()
    assert set(Account.objects.filter(live_lapse_announced_at=None, live_approved_until__isnull=False)) == {
        approved
    }
    assert announce_lapses() == 1
