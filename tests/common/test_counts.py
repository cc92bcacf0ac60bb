import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Account
from apps.common.querysets import capped_counts
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db


def test_several_counts_take_one_statement_and_stop_at_the_bound():
    for name in ("Aurora", "Aurora", "Aurora", "Borealis"):
        AccountFactory(name=name)
    named = [Account.objects.filter(name=name) for name in ("Aurora", "Borealis", "Corona")]
    with CaptureQueriesContext(connection) as captured:
        assert capped_counts([*named, Account.objects.filter(pk__in=[])], most=2) == [3, 1, 0, 0]
    assert len(captured) == 1
    assert capped_counts([]) == []
