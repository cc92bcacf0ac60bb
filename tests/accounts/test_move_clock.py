"""Moving a clock: forward, in whole seconds, within 400 days, with everything that waits there."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.accounts.actors import Actor
from apps.accounts.clocks import move_clock
from apps.accounts.models import FIRST_NAME, Account, AccountAuditEntry, Sandbox
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db
ADA = Actor("ada@example.com")


@pytest.fixture
def account() -> Account:
    return AccountFactory()


def test_the_first_move_makes_the_row_and_the_next_one_adds(account: Account) -> None:
    assert move_clock(account_id=account.id, by=timedelta(hours=1)) == timedelta(hours=1)
    assert move_clock(account_id=account.id, by=timedelta(hours=2)) == timedelta(hours=3)
    sandbox = Sandbox.objects.get()
    assert (sandbox.account_id, sandbox.owner_id, sandbox.name) == (account.id, account.id, FIRST_NAME)
    assert (sandbox.is_first, sandbox.clock_offset) == (True, timedelta(hours=3))


def test_an_instant_is_reached_in_whole_seconds(account: Account) -> None:
    until = clock.now() + timedelta(days=1, microseconds=7)
    offset = move_clock(account_id=account.id, until=until)
    assert clock.now() + offset >= until
    assert offset.microseconds == 0


@pytest.mark.parametrize(
    ("where", "field"),
    [
        ({"by": timedelta(seconds=-1)}, "advanceSeconds"),
        ({"by": timedelta(days=400, seconds=1)}, "advanceSeconds"),
        ({"until": datetime(2020, 1, 1, tzinfo=UTC)}, "advanceTo"),
        ({"until": datetime(9999, 1, 1, tzinfo=UTC)}, "advanceTo"),
    ],
)
def test_what_is_refused_names_its_field_and_leaves_no_row(
    account: Account, where: dict[str, object], field: str
) -> None:
    move_clock(account_id=account.id, by=timedelta(seconds=5))
    with pytest.raises(InvalidRequest) as refused:
        move_clock(account_id=account.id, **where)  # type: ignore[arg-type]
    assert [detail["field"] for detail in refused.value.extras["details"]] == [field]  # type: ignore[attr-defined, index]
    assert Sandbox.objects.get().clock_offset == timedelta(seconds=5)


def test_a_move_by_nothing_changes_and_tells_nothing(account: Account) -> None:
    assert move_clock(account_id=account.id, by=timedelta(0)) == timedelta(0)
    assert not AccountAuditEntry.objects.exists()


def test_the_trail_says_who_moved_it_and_how_far(account: Account) -> None:
    move_clock(account_id=account.id, by=timedelta(hours=1), actor=ADA)
    entry = AccountAuditEntry.objects.get()
    assert (entry.action, entry.environment, entry.actor_label) == (
        "sandbox.clock_moved",
        "test",
        "ada@example.com",
    )
    assert entry.details == {"seconds": 3600, "offsetSeconds": 3600}


def test_the_trail_of_a_further_sandbox_is_its_owners(account: Account) -> None:
    apart = AccountFactory(sandbox_of=account)
    Sandbox.objects.create(account=apart, owner=account, name="CI")
    move_clock(account_id=apart.id, by=timedelta(hours=1))
    assert AccountAuditEntry.objects.get().account_id == account.id
    assert not Sandbox.objects.filter(account=account).exists()


def test_the_clock_of_a_retired_sandbox_is_not_moved(account: Account) -> None:
    Sandbox.objects.create(account=account, owner=account, name="Old", is_first=True, retired_at=clock.now())
    with pytest.raises(Conflict):
        move_clock(account_id=account.id, by=timedelta(hours=1))
