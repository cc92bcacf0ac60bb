"""People are found by key as by everything else."""

from typing import Any

import pytest
from django.contrib.auth.models import Group

from apps.accounts.models import User
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db


def columns(row: User) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


def test_a_person_found_by_key_is_the_one_that_is_stored(django_assert_num_queries: Any) -> None:
    person, _ = UserFactory(time_zone="Europe/Berlin"), UserFactory()
    with django_assert_num_queries(1):
        found = User.objects.get(pk=person.pk)
    assert found == person
    assert columns(found) == columns(User.objects.get(email=person.email))
    assert User.objects.get(pk=str(person.pk)) == User.objects.get(pk=person.pk, is_active=True) == person


@pytest.mark.parametrize("key", [0, -1, 2**63, 10**30])
def test_nobody_is_found_by_a_key_that_nobody_has(key: int) -> None:
    with pytest.raises(User.DoesNotExist):
        User.objects.get(pk=key)


def test_among_the_people_of_a_group_nobody_else_is_found() -> None:
    inside, outside = UserFactory(), UserFactory()
    group = Group.objects.create(name="Support")
    group.user_set.add(inside)
    assert group.user_set.get(pk=inside.pk) == inside
    with pytest.raises(User.DoesNotExist):
        group.user_set.get(pk=outside.pk)
