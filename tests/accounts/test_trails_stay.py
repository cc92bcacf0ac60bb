"""What the database keeps whatever code or person asks: the ledger, the trails, the decisions about money."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import ProtectedError

from apps.accounts.actors import actor_of
from apps.accounts.audit import note_look
from apps.accounts.models import AccountAuditEntry, Look, Membership, StaffLook
from apps.keys.models import ApiKey
from apps.ledger.models import LedgerTransaction, StaffMovement, Wallet
from apps.ledger.movements import confirm, propose, refuse
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.support.back_office import Desk

pytestmark = pytest.mark.django_db

KEPT = [
    "ledger_transaction",
    "ledger_entry",
    "ledger_hold",
    "ledger_staffmovement",
    "accounts_accountauditentry",
    "accounts_stafflook",
    "django_admin_log",
    "suppliers_exchangerate",
]


@pytest.fixture
def member() -> Membership:
    """Of an account with a key, money that staff moved, and a change that staff made."""
    found = MembershipFactory()
    issued_key(found.account, actor=actor_of(found.user))
    wallet = WalletFactory(account=found.account, cents=1_000)
    proposer, desk = UserFactory(is_staff=True), Desk()
    movement = propose(
        wallet=wallet,
        type="top_up",
        amount_cents=5,
        evidence="B-1",
        reason="Arrived",
        proposed_by=proposer,
    )
    confirm(movement_id=movement.id, confirmed_by=desk.user)
    desk.act("/admin/accounts/account/", "suspend", found.account)
    note_look(person=desk.user, look=Look.SEARCHED, what="B-1")
    return found


def execute(*statements: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.mark.parametrize("role", ["origin", "replica"])
@pytest.mark.parametrize("table", KEPT)
def test_no_table_of_what_happened_is_emptied(table: str, role: str) -> None:
    statement = f"TRUNCATE {table} CASCADE"
    with pytest.raises(DatabaseError, match="append-only"):
        execute(f"SET LOCAL session_replication_role = {role}", statement)


@pytest.mark.parametrize("table", ["accounts_account", "accounts_user", "ledger_wallet", "keys_apikey"])
def test_nor_by_way_of_what_it_refers_to(table: str) -> None:
    with pytest.raises(DatabaseError, match="is refused"):
        execute(f"TRUNCATE {table} CASCADE")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM accounts_accountauditentry",
        "UPDATE accounts_accountauditentry SET actor_label = 'Nobody'",
        "UPDATE accounts_accountauditentry SET details = '{}'",
        "UPDATE accounts_accountauditentry SET actor_id = NULL, action = 'keys.renamed'",
        "DELETE FROM accounts_stafflook",
        "UPDATE accounts_stafflook SET what = 'nothing'",
        "DELETE FROM django_admin_log",
        "UPDATE django_admin_log SET change_message = ''",
        "UPDATE django_admin_log SET content_type_id = NULL, object_id = '0'",
        "DELETE FROM ledger_staffmovement",
        "UPDATE ledger_staffmovement SET amount_cents = 6",
        "UPDATE ledger_staffmovement SET state = 'proposed', decided_by_id = NULL, decided_at = NULL",
    ],
)
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_no_row_of_it_is_changed_or_removed(member: Membership, statement: str, role: str) -> None:
    before = contents()
    with pytest.raises(DatabaseError, match="append-only"):
        execute(f"SET LOCAL session_replication_role = {role}", statement)
    assert contents() == before
    assert all(before), "Each of them holds something"


def contents() -> list[list[dict[str, object]]]:
    trails = (AccountAuditEntry, LogEntry, StaffLook, StaffMovement)
    return [list(model._default_manager.order_by("pk").values()) for model in trails]


def test_who_is_deleted_is_cut_from_the_trails_and_takes_nothing_along(member: Membership) -> None:
    before = list(AccountAuditEntry.objects.order_by("id").values_list("id", "actor_label"))
    by_member = AccountAuditEntry.objects.filter(actor_id=member.user.pk)
    assert by_member.exists()
    member.user.delete()
    assert list(AccountAuditEntry.objects.order_by("id").values_list("id", "actor_label")) == before
    assert not by_member.exists()


def test_staff_who_did_something_in_the_back_office_are_not_deleted(member: Membership) -> None:
    log = LogEntry.objects.get()
    with pytest.raises((ProtectedError, IntegrityError)), transaction.atomic():
        log.user.delete()
    other = Desk()
    other.act("/admin/accounts/account/", "activate", member.account)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        other.user.delete()
    assert LogEntry.objects.count() == 2


def test_a_kind_of_row_that_is_no_more_is_cut_from_the_log(member: Membership) -> None:
    kind = ContentType.objects.create(app_label="gone", model="gone")
    entry = LogEntry.objects.create(user=UserFactory(), content_type=kind, object_id="1", action_flag=2)
    kind.delete()
    entry.refresh_from_db()
    assert (entry.content_type_id, entry.object_id) == (None, "1")


@pytest.mark.parametrize("path", ["accounts/account", "accounts/user", "keys/apikey", "ledger/wallet"])
def test_the_back_office_deletes_nothing_that_a_trail_is_about(member: Membership, path: str) -> None:
    model = {"account": type(member.account), "user": type(member.user), "apikey": ApiKey, "wallet": Wallet}
    before = {name: each._default_manager.count() for name, each in model.items()}  # type: ignore[attr-defined]
    row, desk = model[path.split("/")[1]]._default_manager.first(), Desk()  # type: ignore[attr-defined]
    assert desk.post(f"/admin/{path}/{row.pk}/delete/", {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    desk.post(f"/admin/{path}/", chosen)
    assert {name: each._default_manager.count() for name, each in model.items()} == {  # type: ignore[attr-defined]
        **before,
        "user": before["user"] + 1,  # who asked
    }


def test_an_account_cannot_be_deleted_by_code_either(member: Membership) -> None:
    with pytest.raises(ProtectedError):
        member.account.delete()
    with pytest.raises(IntegrityError):
        execute("DELETE FROM accounts_account", "SET CONSTRAINTS ALL IMMEDIATE")
    assert LedgerTransaction.objects.count() == 2


@pytest.mark.parametrize("role", ["origin", "replica"])
def test_nor_can_a_key_that_the_trail_names(member: Membership, role: str) -> None:
    with pytest.raises(IntegrityError, match="the trail names its rows"), transaction.atomic():
        ApiKey.objects.get().delete()
    with pytest.raises(IntegrityError, match="the trail names its rows"):
        execute(f"SET LOCAL session_replication_role = {role}", "DELETE FROM keys_apikey")
    assert ApiKey.objects.count() == 1


def test_a_refused_movement_stays_refused(member: Membership) -> None:
    wallet = Wallet.objects.get()
    proposed = propose(
        wallet=wallet,
        type="top_up",
        amount_cents=7,
        evidence="B-2",
        reason="x",
        proposed_by=UserFactory(is_staff=True),
    )
    refuse(movement_id=proposed.id, refused_by=UserFactory(is_staff=True), reason="Not ours")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        StaffMovement.objects.filter(pk=proposed.pk).update(refusal="")
