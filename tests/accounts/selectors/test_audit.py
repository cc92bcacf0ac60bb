from datetime import timedelta

import pytest

from apps.accounts.actors import Actor
from apps.accounts.audit import Filters, page_of_trail, record
from apps.accounts.models import AccountAuditEntry, AuditAction
from apps.common import clock
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def account(move_clock):
    account = AccountFactory()
    for who, action, environment in [
        ("ana@partner.example", AuditAction.MEMBER_INVITED, ""),
        ("ben@partner.example", AuditAction.KEY_CREATED, "test"),
        ("ana@partner.example", AuditAction.KEY_CREATED, "live"),
    ]:
        record(account=account, action=action, actor=Actor(who), environment=environment)
        move_clock(hours=1)
    record(account=AccountFactory(), action=AuditAction.KEY_CREATED, actor=Actor("ana@other.example"))
    return account


def shown(account, **filters) -> list[tuple[str, str]]:
    page = page_of_trail(account.pk, filters=Filters(**filters))
    return [(entry.action, entry.actor_label[:3]) for entry in page.rows]


def test_the_newest_comes_first_and_another_account_s_never(account):
    assert shown(account) == [("keys.created", "ana"), ("keys.created", "ben"), ("team.invited", "ana")]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"actor": "ANA@"}, ["keys.created", "team.invited"]),
        ({"group": "keys"}, ["keys.created", "keys.created"]),
        ({"environment": "live"}, ["keys.created"]),
        ({"actor": "ben", "group": "team"}, []),
    ],
)
def test_filters_narrow_the_trail(account, filters, expected):
    assert [action for action, _ in shown(account, **filters)] == expected


def test_a_span_of_time_narrows_the_trail(account):
    now = clock.now()
    assert len(shown(account, since=now - timedelta(minutes=90))) == 1
    assert len(shown(account, until=now - timedelta(minutes=90))) == 2


def test_pages_follow_each_other_without_a_gap(account):
    seen, cursor = [], None
    while True:
        page = page_of_trail(account.pk, cursor=cursor, limit=1)
        seen += [entry.pk for entry in page.rows]
        cursor = page.older
        if cursor is None:
            break
    newest_first = AccountAuditEntry.objects.filter(account=account).order_by("-created_at")
    assert seen == list(newest_first.values_list("pk", flat=True))
