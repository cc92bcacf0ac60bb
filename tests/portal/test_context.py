"""Whose pages are shown: the memberships of a person."""

import pytest

from apps.accounts.models import Account, Membership
from apps.common import clock
from apps.portal.context import memberships_of
from tests.factories.accounts import AccountFactory, MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db


def columns(row: Membership | Account) -> dict[str, object]:
    return {
        name: value for name, value in vars(row).items() if not name.startswith("_") and name != "two_factor"
    }


def test_each_membership_comes_with_its_account_the_oldest_first(move_clock, django_assert_num_queries):
    user, somebody = UserFactory(two_factor=True), UserFactory(two_factor=True)
    MembershipFactory(user=somebody)
    newer = MembershipFactory(user=user, created_at=clock.now())
    move_clock(hours=-1)
    older = MembershipFactory(user=user, account=AccountFactory(rate_read=7), created_at=clock.now())

    with django_assert_num_queries(1):
        found = memberships_of(user)
        accounts = [membership.account for membership in found]

    assert [membership.pk for membership in found] == [older.pk, newer.pk]
    read = Membership.objects.select_related("account").get(pk=older.pk)
    assert (columns(found[0]), columns(accounts[0])) == (columns(read), columns(read.account))


def test_it_says_whether_the_person_has_an_authenticator_app():
    for has_one in (True, False):
        user = MembershipFactory(user=UserFactory(two_factor=has_one)).user
        assert [membership.two_factor for membership in memberships_of(user)] == [has_one]  # type: ignore[attr-defined]
