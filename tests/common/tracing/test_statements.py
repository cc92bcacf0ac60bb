"""Statements in a trace: each trip is a span, named by what it does, without a parameter."""

import pytest
from django.db import connection, transaction

from apps.accounts.models import Account
from apps.bookings import statements as bookings
from apps.common import sql
from apps.common.tracing import spans
from apps.common.tracing.statements import LONGEST, name_of
from tests.support.recorded import Recorded

CANARY = "Ada Canary"


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("SELECT 1", "SELECT"),
        (
            'SELECT "a"."id" FROM "bookings_booking" "a" JOIN keys_apikey ON true',
            "SELECT bookings_booking, SELECT keys_apikey",
        ),
        (
            'UPDATE "bookings_booking" SET "status" = %s WHERE id IN (SELECT id FROM ledger_hold)',
            "UPDATE bookings_booking",
        ),
        ("DELETE FROM webhooks_event WHERE id = %s", "DELETE webhooks_event"),
        (bookings.START_CALL, "UPDATE bookings_operation"),
        (bookings.MARK_SETTLED, "UPDATE bookings_settlement, UPDATE bookings_booking"),
        ("SET LOCAL lock_timeout = 1", "SET"),
        ("", ""),
    ],
)
def test_a_statement_is_named_by_what_it_does_to_which_tables(sql: str, name: str) -> None:
    assert name_of(sql) == name


def test_parts_that_a_statement_names_itself_are_no_tables() -> None:
    assert name_of(bookings.RESERVE).startswith(
        "INSERT bookings_booking, INSERT bookings_travellerkey, INSERT bookings_operation, "
    )
    assert "UPDATE gateway_idempotencyrecord, INSERT webhooks_event, INSERT webhooks_delivery" in name_of(
        bookings.END
    )
    assert max(len(name_of(sql)) for sql in (bookings.RESERVE, bookings.END)) <= LONGEST


@pytest.mark.django_db(transaction=True)
def test_each_trip_of_a_call_is_a_span_without_a_parameter(recorded: Recorded) -> None:
    with spans.begun("call") as call, transaction.atomic():
        assert not Account.objects.filter(name=CANARY).exists()
        sql.one_row("SELECT %s::text FROM accounts_account", [CANARY])
    assert call is not None
    assert recorded.within(call) == ["SELECT accounts_account", "SELECT accounts_account", "COMMIT"]
    told = [span.attributes for span in recorded if span is not call]
    assert told == [
        {"db.system.name": "postgresql", "db.query.summary": name}
        for name in ("SELECT accounts_account", "SELECT accounts_account", "COMMIT")
    ]
    assert {span.kind for span in recorded} == {spans.CLIENT, spans.INTERNAL}


@pytest.mark.django_db
def test_outside_of_a_call_statements_are_not_noted(recorded: Recorded) -> None:
    Account.objects.exists()
    sql.one_row("SELECT 1", [])
    with spans.begun("call"):
        Account.objects.exists()
    assert [span.name for span in recorded] == ["SELECT accounts_account", "call"]


@pytest.mark.django_db
def test_a_statement_that_fails_is_a_span_that_failed(recorded: Recorded) -> None:
    with spans.begun("call"), pytest.raises(Exception, match="division"), transaction.atomic():
        connection.cursor().execute("SELECT 1 / %s", [0])
    failed = [(span.name, span.error) for span in recorded if span.error]
    assert ("SELECT", "DataError") in failed
