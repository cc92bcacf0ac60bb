from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail
from pytest_django import DjangoCaptureOnCommitCallbacks

from apps.accounts import live_approval
from apps.accounts.live_approval import announce_lapses, approve_live
from apps.accounts.models import Account, Role
from apps.common import clock
from tests.factories.accounts import AccountFactory, MembershipFactory

pytestmark = pytest.mark.django_db


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


def test_nobody_is_told_while_the_approval_runs(approved: Account, move_clock: Callable[..., None]) -> None:
    move_clock(days=364)
    assert announce_lapses() == 0


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
