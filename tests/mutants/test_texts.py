"""Faults in SQL and Lua: each leaves a statement that still runs."""

import pytest

from tests.mutants.texts import edits


def faulty(text: str) -> list[str]:
    return [text[: edit.start] + edit.new + text[edit.end :] for edit in edits(text)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "UPDATE a SET b = 1 WHERE id = %s AND token = %s",
            "UPDATE a SET b = 1 WHERE id = %s AND ((token = %s) OR TRUE)",
        ),
        ("DELETE FROM a WHERE id IN (1, 2) AND b", "DELETE FROM a WHERE ((id IN (1, 2)) OR TRUE) AND b"),
        ("SELECT a FROM b ORDER BY c LIMIT 1", "SELECT a FROM b LIMIT 1"),
        ("SELECT a FROM b LIMIT 1 FOR UPDATE SKIP LOCKED", "SELECT a FROM b LIMIT 1 FOR UPDATE"),
        ("SELECT a FROM b LIMIT 1 FOR UPDATE SKIP LOCKED", "SELECT a FROM b LIMIT 1 "),
        ("SELECT a FROM b WHERE c <= %s", "SELECT a FROM b WHERE c < %s"),
        ("SELECT a FROM b WHERE c IS NULL", "SELECT a FROM b WHERE c IS NOT NULL"),
        ("SELECT (SELECT 1 WHERE a AND b) FROM c", "SELECT (SELECT 1 WHERE a AND ((b) OR TRUE)) FROM c"),
        (
            "redis.call('INCR', a) redis.call('EXPIRE', a, 1)",
            "redis.call('INCR', a) tostring('EXPIRE', a, 1)",
        ),
        ("if redis.call('GET', a) >= 1 then", "if redis.call('GET', a) > 1 then"),
    ],
)
def test_a_fault_of_a_text(text: str, fault: str) -> None:
    assert fault in faulty(text)


@pytest.mark.parametrize("text", ["a sentence of words AND more", "SELECTED", "%s -> %s", ""])
def test_what_is_no_statement_has_no_fault(text: str) -> None:
    assert faulty(text) == []
