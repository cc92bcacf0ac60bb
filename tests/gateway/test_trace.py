"""The trace of a call: taken step by step, kept as a text, and read again."""

from importlib import import_module

import pytest
from django.db import connection

from apps.common import errors
from apps.gateway import trace
from apps.gateway.trace import Step, timed


def test_a_step_is_noted_with_what_came_of_it():
    noted: list[str] = []

    def failing(error: Exception) -> None:
        raise error

    assert timed("first", str.upper, "passes", noted) == "PASSES"
    for name, error in (("refused", errors.NotFound()), ("crashed", ZeroDivisionError())):
        with pytest.raises(type(error)):
            timed(name, failing, error, noted)

    taken = trace.read(trace.written(noted))
    assert [step[:2] for step in taken] == [
        ("first", "passed"),
        ("refused", "not_found"),
        ("crashed", "ZeroDivisionError"),
    ]
    assert all(0 <= step.microseconds < 10**7 for step in taken)


@pytest.mark.parametrize(
    ("noted", "steps"),
    [
        ([], []),
        (["scope 0"], [Step("scope", "passed", 0)]),
        (
            ["scope 12", "body 7 invalid_request"],
            [Step("scope", "passed", 12), Step("body", "invalid_request", 7)],
        ),
    ],
)
def test_what_is_written_can_be_read(noted: list[str], steps: list[Step]):
    assert trace.read(trace.written(noted)) == steps


def test_a_step_tells_its_time_in_milliseconds_too():
    assert Step("scope", "passed", 1_500).milliseconds == 1.5
    assert (Step("scope", "passed", 1).passed, Step("scope", "insufficient_scope", 1).passed) == (True, False)


@pytest.mark.django_db
def test_traces_that_were_lists_become_texts_and_lists_again():
    migration = import_module("apps.gateway.migrations.0005_trace_as_text")
    lists = '[["bearer_key", "passed", 0.36], ["scope", "insufficient_scope", 1]]'
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE gateway_loggedcall (id int, steps jsonb, trace text NOT NULL)")
        cursor.execute("INSERT INTO gateway_loggedcall VALUES (1, %s, ''), (2, '[]', '')", [lists])
        migration.in_batches(cursor, migration.KEEP, batch=1)
        cursor.execute("SELECT trace FROM gateway_loggedcall ORDER BY id")
        assert cursor.fetchall() == [("bearer_key 360;scope 1000 insufficient_scope",), ("",)]

        cursor.execute("UPDATE gateway_loggedcall SET steps = '[]'")
        migration.in_batches(cursor, migration.BACK, batch=1)
        cursor.execute("SELECT steps = %s, id FROM gateway_loggedcall ORDER BY id", [lists])
        assert cursor.fetchall() == [(True, 1), (False, 2)]
