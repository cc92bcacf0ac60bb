"""Rows that a statement written by hand returns are those that the ORM reads."""

from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.models import Account, Sandbox
from apps.common.read_rows import Columns
from apps.common.sql import all_rows
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db

OF_SANDBOX = Columns(Sandbox, "box")
OF_ACCOUNT = Columns(Account, "account", only=["id", "name"])


@pytest.fixture
def sandbox() -> Sandbox:
    owner = AccountFactory(name="Acme")
    faults = {"slow": {"share": 0.5}}
    return Sandbox.objects.create(
        account=owner, owner=owner, name="Nightly", clock_offset=timedelta(days=2), faults=faults
    )


def columns(row: Sandbox | Account) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


def test_a_row_is_the_one_that_the_orm_reads(sandbox: Sandbox) -> None:
    [values] = all_rows(f"SELECT {OF_SANDBOX} FROM accounts_sandbox box", [])

    row, other = OF_SANDBOX.row(values), Sandbox.objects.get()
    assert columns(row) == columns(other)
    assert row.faults == {"slow": {"share": 0.5}}
    assert (row._state.adding, row._state.db) == (other._state.adding, other._state.db)


def test_two_models_of_one_join_lie_side_by_side(sandbox: Sandbox) -> None:
    join = "FROM accounts_sandbox box JOIN accounts_account account ON account.id = box.owner_id"
    [values] = all_rows(f"SELECT {OF_SANDBOX}, {OF_ACCOUNT} {join}", [])

    own = len(OF_SANDBOX)
    assert (OF_SANDBOX.row(values[:own]), OF_ACCOUNT.row(values[own:])) == (sandbox, sandbox.owner)


def test_a_column_that_was_not_read_is_read_when_it_is_asked_for(
    sandbox: Sandbox, django_assert_num_queries: Any
) -> None:
    [values] = all_rows(f"SELECT {OF_ACCOUNT} FROM accounts_account account", [])
    account = OF_ACCOUNT.row(values)

    with django_assert_num_queries(0):
        assert (account.pk, account.name) == (sandbox.owner_id, "Acme")
    with django_assert_num_queries(1):
        assert account.currency == "EUR"


def test_columns_may_be_left_out() -> None:
    assert str(Columns(Account, "a", only=["id", "name", "status"], without=["name"])) == 'a."id", a."status"'
    assert len(Columns(Account, "a", without=["name"])) == len(Columns(Account, "a")) - 1


def test_a_column_that_there_is_not_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"Account has no column {'owner'}"):
        Columns(Account, "account", only=["id", "owner"])
