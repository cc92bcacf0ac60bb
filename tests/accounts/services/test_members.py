import pytest

from apps.accounts.members import add_member, find_user
from apps.accounts.models import Membership, User
from apps.common.errors import Conflict, InvalidRequest
from tests.factories.accounts import AccountFactory, UserFactory

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


def test_adding_a_member_again_changes_the_role():
    account = AccountFactory()
    add_member(account=account, email="ana@partner.example", role="viewer")

    add_member(account=account, email="ana@partner.example", role="finance")

    assert Membership.objects.get().role == "finance"


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
