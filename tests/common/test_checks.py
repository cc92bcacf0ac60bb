"""The checks of the tables that a booking writes: what they refuse, and in which form PostgreSQL keeps them."""

import re
from datetime import UTC, datetime
from itertools import product

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import CheckConstraint, DateTimeField, Model, Value

from apps.bookings.models import Booking, Operation
from apps.gateway.models import IdempotencyRecord
from apps.ledger.models import Hold, LedgerEntry, LedgerTransaction, Wallet

pytestmark = pytest.mark.django_db

WORDS = [
    (Booking, "booking_status_known"),
    (Operation, "operation_state_known"),
    (Operation, "operation_kind_known"),
    (IdempotencyRecord, "idempotency_state_known"),
    (Wallet, "wallet_environment_known"),
    (LedgerTransaction, "ledger_transaction_type_known"),
    (LedgerEntry, "ledger_entry_bucket_known"),
]
AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
ARRAY = re.compile(r"= ANY \('\{([a-z_,]+)\}'::text\[\]\)")


@pytest.mark.parametrize(("model", "name"), WORDS)
def test_the_database_knows_the_words_of_the_model_as_one_constant(model: type[Model], name: str):
    (check,) = (known for known in model._meta.constraints if known.name == name)
    assert isinstance(check, CheckConstraint)
    ((_, words),) = check.condition.children

    definition, validated = stored(name)
    found = ARRAY.search(definition)
    assert found is not None, f"{definition}: see CHECKS in apps/ledger/migrations/0002_sql.py"
    assert set(found[1].split(",")) == set(words)
    assert validated


def test_no_other_list_of_words_is_read_with_a_booking():
    tables = {model._meta.db_table for model, _ in WORDS} | {"ledger_hold", "webhooks_event"}
    assert tables <= {model._meta.db_table for model in apps.get_models()}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'c' AND conrelid = ANY (%s::regclass[])"
            " AND pg_get_constraintdef(oid) LIKE '%%ARRAY[%%'",
            [sorted(tables)],
        )
        assert cursor.fetchall() == []


CONSISTENT = [("open", 0, False), ("captured", 0, True), ("captured", 5, True), ("released", 0, True)]


def test_the_database_asks_of_a_hold_what_the_model_says():
    (check,) = (known for known in Hold._meta.constraints if known.name == "hold_state_consistent")
    assert isinstance(check, CheckConstraint)
    definition, validated = stored("hold_state_consistent")
    assert definition == "CHECK (hold_state_consistent(status, captured_cents, resolved_at))"
    assert validated

    states = product(["open", "captured", "released", "lost", ""], [-1, 0, 5], [False, True])
    allowed = []
    for status, cents, is_resolved in states:
        at = AT if is_resolved else None
        by_database = asked("SELECT hold_state_consistent(%s, %s, %s)", [status, cents, at])
        resolved_at = Value(at, output_field=DateTimeField())
        by_model = check.condition.check(
            {"status": status, "captured_cents": cents, "resolved_at": resolved_at}
        )
        assert by_database is by_model, (status, cents, is_resolved)
        allowed += [(status, cents, is_resolved)] if by_database else []
    assert allowed == CONSISTENT


def asked(statement: str, values: list[object]) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()[0]


def stored(name: str) -> tuple[str, bool]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_constraintdef(oid), convalidated FROM pg_constraint WHERE conname = %s", [name]
        )
        definition, validated = cursor.fetchone()
        return definition, validated
