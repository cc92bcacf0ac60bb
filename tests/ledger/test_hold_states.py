"""The database's check of a hold's state is a function of its own: it allows what the constraint of the model does."""

from datetime import UTC, datetime
from itertools import product

import pytest
from django.db import connection
from django.db.models import CheckConstraint, DateTimeField, Value

from apps.ledger.models import Hold

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
CONSISTENT = [("open", 0, False), ("captured", 0, True), ("captured", 5, True), ("released", 0, True)]


def test_the_database_asks_of_a_hold_what_the_model_says():
    (check,) = (known for known in Hold._meta.constraints if known.name == "hold_state_consistent")
    assert isinstance(check, CheckConstraint)
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
