import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Account
from apps.common.querysets import capped_counts, id_begins, reference_begins
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("beginning", ["A-7", "a", "Ä", "%", "A_7", "\\", "", "A-7/x", "💠"])
def test_begins_compares_byte_by_byte_whatever_the_characters(beginning):
    names = ["A-7", "A-7/x", "A-8", "a-7", "AB7", "Ä1", "%1", "A_7", "\\1", "💠1", "B"]
    for name in names:
        AccountFactory(name=name)
    found = Account.objects.filter(Q(name__begins=beginning) & Q(name__in=names))
    assert sorted(found.values_list("name", flat=True)) == sorted(
        name for name in names if name.startswith(beginning)
    )


def test_the_beginning_of_an_id_or_a_reference_is_a_range():
    account = AccountFactory(name="F-7KQ2M9XD")
    others = [AccountFactory(name="F-7KR"), AccountFactory(name="H-7KQ2M9XD")]
    found = Account.objects.exclude(pk__in=[other.pk for other in others])
    for beginning in (account.pk, account.pk[:-1], account.pk[:-1].upper()):
        assert account in found.filter(id_begins("id", beginning))
    assert not Account.objects.filter(id_begins("id", f"{account.pk[:-1]}zz")).exists()
    for beginning, names in {"f-7kq": ["F-7KQ2M9XD"], "F-7K": ["F-7KQ2M9XD", "F-7KR"], "X": []}.items():
        begun = Account.objects.filter(reference_begins("name", beginning)).order_by("name")
        assert list(begun.values_list("name", flat=True)) == names


def test_several_counts_take_one_statement_and_stop_at_the_bound():
    for name in ("Aurora", "Aurora", "Aurora", "Borealis"):
        AccountFactory(name=name)
    named = [Account.objects.filter(name=name) for name in ("Aurora", "Borealis", "Corona")]
    with CaptureQueriesContext(connection) as captured:
        assert capped_counts([*named, Account.objects.filter(pk__in=[])], most=2) == [3, 1, 0, 0]
    assert len(captured) == 1
    assert capped_counts([]) == []
