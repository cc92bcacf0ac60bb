from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from apps.accounts.actors import SUPPORT, actor_of
from apps.accounts.members import (
    accounts_of_no_other_owner,
    add_member,
    change_role,
    find_user,
    remove_member,
)
from apps.accounts.models import AccountAuditEntry, Membership, Role, User
from apps.common.errors import Conflict, InvalidRequest
from tests.factories.accounts import AccountFactory, MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_a_new_person_becomes_a_user_with_the_password():
    account = AccountFactory()

    membership = add_member(
        account=account, email="ana@partner.example", role="owner", password="s3cret-enough"
    )

    assert (membership.account, membership.role) == (account, "owner")
    assert membership.user.check_password("s3cret-enough")
    assert not membership.user.is_staff


def test_without_a_password_nobody_can_sign_in_yet():
    membership = add_member(account=AccountFactory(), email="ana@partner.example", role="viewer")

    assert not membership.user.has_usable_password()


def test_a_person_known_by_another_account_keeps_the_password_they_have():
    person = UserFactory(email="ana@partner.example", password="hers")

    add_member(account=AccountFactory(), email="ANA@partner.example", role="owner", password="theirs")

    person.refresh_from_db()
    assert person.check_password("hers")
    assert User.objects.count() == 1


def test_who_has_a_mailbox_that_looks_alike_is_somebody_else():
    UserFactory(email="sam@partner.example")
    assert find_user("SAM@partner.example") is not None
    assert find_user("ſam@partner.example") is None


def test_adding_a_member_again_is_a_change_of_role_and_refused_like_one():
    account = AccountFactory()
    add_member(account=account, email="ana@partner.example", role="owner")

    with pytest.raises(Conflict):
        add_member(account=account, email="ana@partner.example", role="viewer")
    add_member(account=account, email="carl@partner.example", role="owner")
    add_member(account=account, email="ana@partner.example", role="viewer")

    actions = account.audit_entries.order_by("created_at").values_list("action", flat=True)
    assert list(actions) == ["team.added", "team.added", "team.role_changed"]


@pytest.mark.parametrize(
    ("email", "role", "field"),
    [
        ("ana", "owner", "email"),
        ("", "owner", "email"),
        ("ana@localhost", "owner", "email"),
        (f"{'a' * 65}@partner.example", "owner", "email"),
        ("ana@partner.example", "boss", "role"),
    ],
)
def test_what_cannot_be_added_is_named(email, role, field):
    with pytest.raises(InvalidRequest) as refusal:
        add_member(account=AccountFactory(), email=email, role=role)

    assert refusal.value.extras["details"][0]["field"] == field
    assert not User.objects.exists()


@pytest.fixture
def owner() -> Membership:
    return MembershipFactory(user__email="ana@partner.example")


@pytest.fixture
def viewer(owner) -> Membership:
    return MembershipFactory(account=owner.account, role=Role.VIEWER, user__email="ben@partner.example")


def roles(owner: Membership) -> list[str]:
    return list(owner.account.memberships.order_by("pk").values_list("role", flat=True))


def test_a_role_is_changed_and_told(owner, viewer):
    change_role(membership=viewer, role="finance", actor=actor_of(owner.user))
    change_role(membership=viewer, role="finance", actor=actor_of(owner.user))
    entry = AccountAuditEntry.objects.get()
    assert roles(owner) == ["owner", "finance"]
    assert (entry.action, entry.actor_label, entry.subject_name, entry.details) == (
        "team.role_changed",
        "ana@partner.example",
        "ben@partner.example",
        {"before": "viewer", "after": "finance"},
    )


def test_a_member_is_removed_and_told(owner, viewer):
    remove_member(membership=viewer, actor=actor_of(owner.user))
    entry = AccountAuditEntry.objects.get()
    assert (roles(owner), entry.action, entry.subject_name) == (
        ["owner"],
        "team.removed",
        "ben@partner.example",
    )
    with pytest.raises(Membership.DoesNotExist):
        change_role(membership=viewer, role="owner", actor=SUPPORT)


def test_the_last_owner_is_neither_demoted_nor_removed(owner, viewer):
    with pytest.raises(Conflict):
        change_role(membership=owner, role="viewer", actor=SUPPORT)
    with pytest.raises(Conflict):
        remove_member(membership=owner, actor=SUPPORT)
    assert roles(owner) == ["owner", "viewer"]


def test_an_owner_who_may_not_sign_in_does_not_count(owner):
    second = MembershipFactory(account=owner.account, user__is_active=False)
    with pytest.raises(Conflict):
        remove_member(membership=owner, actor=SUPPORT)
    remove_member(membership=second, actor=SUPPORT)


def test_with_a_second_owner_the_first_may_go(owner):
    MembershipFactory(account=owner.account)
    remove_member(membership=owner, actor=actor_of(owner.user))
    assert roles(owner) == ["owner"]


def test_the_accounts_that_a_person_alone_owns_are_found(owner, viewer):
    shared = MembershipFactory(user=owner.user).account
    MembershipFactory(account=shared)
    switched_off = MembershipFactory(user=owner.user).account
    MembershipFactory(account=switched_off, user__is_active=False)
    MembershipFactory(user=owner.user, role=Role.VIEWER)
    assert accounts_of_no_other_owner(owner.user) == [owner.account, switched_off]
    assert accounts_of_no_other_owner(viewer.user) == []


def test_an_unknown_role_is_refused(viewer):
    with pytest.raises(InvalidRequest):
        change_role(membership=viewer, role="boss", actor=SUPPORT)


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_remove_each_other_at_once_leave_one():
    account = AccountFactory()
    owners = [MembershipFactory(account=account) for _ in range(2)]

    def go(membership: Membership) -> bool:
        try:
            remove_member(membership=membership, actor=SUPPORT)
        except Conflict:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        removed = list(pool.map(go, owners))
    assert (sorted(removed), account.memberships.count()) == ([False, True], 1)
