import pytest
from django.db import DatabaseError, transaction

from apps.accounts.actors import Actor, actor_of
from apps.accounts.audit import Filters, Subject, page_of_trail, record
from apps.accounts.live_approval import (
    announce_lapses,
    approve_live,
    refuse_live,
    request_live_approval,
    withdraw_live,
)
from apps.accounts.models import AccountAuditEntry, AuditAction
from apps.accounts.terms import make_read_only, set_limits, set_status
from apps.keys.services import rename_key, revoke_key
from tests.factories.accounts import AccountFactory, UserFactory
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


def told() -> list[tuple[str, str]]:
    """What was done by whom, in the order in which it was written."""
    return list(AccountAuditEntry.objects.order_by("created_at", "id").values_list("action", "actor_label"))


@pytest.fixture
def entry() -> AccountAuditEntry:
    return record(
        account=AccountFactory(),
        action=AuditAction.ROLE_CHANGED,
        actor=actor_of(UserFactory(email="ana@partner.example"), "198.51.100.7"),
        subject=Subject("member", "7", "ben@partner.example"),
        details={"before": "viewer"},
    )


def test_an_entry_says_who_did_what_to_whom_and_from_where(entry):
    assert (entry.actor_label, entry.address) == ("ana@partner.example", "198.51.100.7")
    assert (entry.group, entry.subject_name, entry.details) == (
        "team",
        "ben@partner.example",
        {"before": "viewer"},
    )


@pytest.mark.parametrize("change", [{"actor_label": "x"}, {"details": {}}, {"actor": None, "address": ""}])
def test_the_database_refuses_to_change_an_entry(entry, change):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AccountAuditEntry.objects.update(**change)


def test_the_database_refuses_to_remove_an_entry(entry):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        entry.delete()


def test_what_a_person_did_stays_when_the_person_is_deleted(entry):
    entry.actor.delete()
    entry.refresh_from_db()
    assert (entry.actor, entry.actor_label) == (None, "ana@partner.example")


def test_staff_is_support_to_the_account():
    staff = UserFactory(is_staff=True)
    assert actor_of(staff) == Actor("Support", staff)
    assert actor_of(None).label == "Support"


def test_the_way_of_an_approval_is_told(move_clock):
    account, staff = AccountFactory(), UserFactory(is_staff=True)
    member = actor_of(UserFactory(email="ana@partner.example"))
    request_live_approval(account=account, actor=member)
    refuse_live(account=account, refused_by=staff)
    request_live_approval(account=account, actor=member)
    approve_live(account=account, approved_by=staff)
    withdraw_live(account=account, withdrawn_by=staff)
    move_clock(seconds=1)
    announce_lapses()
    announce_lapses()
    assert told() == [
        ("access.requested", "ana@partner.example"),
        ("access.refused", "Support"),
        ("access.requested", "ana@partner.example"),
        ("access.approved", "Support"),
        ("access.withdrawn", "Support"),
        ("access.lapsed", "Automatic"),
    ]


def test_a_status_is_told_when_it_changes():
    account = AccountFactory()
    set_status(account=account, status="active")
    make_read_only(account=account)
    set_status(account=account, status="active", actor=actor_of(UserFactory(is_staff=True)))
    assert told() == [("account.status_changed", "Automatic"), ("account.status_changed", "Support")]
    assert AccountAuditEntry.objects.latest("created_at").details == {
        "before": "read-only",
        "after": "active",
    }


def test_limits_are_told_with_what_they_were():
    account = AccountFactory(rate_search=5)
    limits = {"rate_search": 7, "rate_booking": None, "rate_read": None, "search_quota": None}
    set_limits(account=account, **limits)
    set_limits(account=account, **limits)
    assert AccountAuditEntry.objects.get().details == {"changes": {"rate_search": [5, 7]}}


def test_what_is_done_to_a_key_is_told_of_its_account():
    owner = actor_of(UserFactory(email="ana@partner.example"), "198.51.100.7")
    key, secret = issued_key(name="Server", actor=owner)
    rename_key(key=key, name="Web shop", actor=owner)
    revoke_key(key=key)
    assert told() == [
        ("keys.created", "ana@partner.example"),
        ("keys.renamed", "ana@partner.example"),
        ("keys.revoked", "Support"),
    ]
    entries = AccountAuditEntry.objects.order_by("created_at", "id")
    assert [entry.address for entry in entries] == ["198.51.100.7", "198.51.100.7", ""]
    assert {(entry.environment, entry.subject_id) for entry in entries} == {("test", key.id)}
    assert not any(secret in str(entry.details) for entry in entries)


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
