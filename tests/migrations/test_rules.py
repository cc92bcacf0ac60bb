"""Each kind of statement that would stop or break a running service is refused, and its safe form is not."""

import pytest

from tests.migrations.rules import Script, created, judged, plain

REFUSED = {
    "index": ('CREATE INDEX "i" ON "bookings_booking" ("status");', "index i is made while writes"),
    "unique index": ("CREATE UNIQUE INDEX i ON bookings_booking (status)", "index i is made while writes"),
    "dropped index": ("DROP INDEX IF EXISTS i", "index i is dropped while its table waits"),
    "reindex": ("REINDEX TABLE bookings_booking", "writes wait for this: REINDEX TABLE"),
    "lock": ("LOCK TABLE bookings_booking IN EXCLUSIVE MODE", "writes wait for this: LOCK TABLE"),
    "full vacuum": ("VACUUM FULL bookings_booking", "writes wait for this: VACUUM FULL"),
    "required column": (
        'ALTER TABLE "bookings_booking" ADD COLUMN "seats" integer NOT NULL;',
        "bookings_booking.seats is NOT NULL without a default",
    ),
    "volatile default": (
        "ALTER TABLE bookings_booking ADD COLUMN tag uuid DEFAULT gen_random_uuid() NOT NULL",
        "bookings_booking.tag has another value in each row",
    ),
    "generated": (
        "ALTER TABLE bookings_booking ADD COLUMN both text GENERATED ALWAYS AS (a || b) STORED",
        "bookings_booking.both has another value in each row",
    ),
    "check with the column": (
        'ALTER TABLE "bookings_booking" ADD COLUMN "seats" integer DEFAULT 0 NOT NULL CHECK ("seats" >= 0);',
        "bookings_booking.seats has a check of its own",
    ),
    "unique with the column": (
        "ALTER TABLE bookings_booking ADD COLUMN seats integer NULL UNIQUE",
        "bookings_booking.seats is unique at once",
    ),
    "reference with a default": (
        "ALTER TABLE bookings_booking ADD COLUMN seat bigint DEFAULT 1 NOT NULL REFERENCES seats (id)",
        "bookings_booking.seat refers to another table",
    ),
    "constraint": (
        "ALTER TABLE bookings_booking ADD CONSTRAINT c CHECK (seats > 0)",
        "constraint c reads every row of bookings_booking at once",
    ),
    "foreign key": (
        "ALTER TABLE bookings_booking ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES b (id) DEFERRABLE INITIALLY DEFERRED",
        "constraint c reads every row of bookings_booking at once",
    ),
    "unique constraint": (
        "ALTER TABLE bookings_booking ADD CONSTRAINT c UNIQUE (a)",
        "constraint c reads every row of bookings_booking at once",
    ),
    "renamed column": (
        'ALTER TABLE "bookings_booking" RENAME COLUMN "a" TO "b"',
        "bookings_booking.a is renamed",
    ),
    "renamed table": ("ALTER TABLE bookings_booking RENAME TO b", "bookings_booking is renamed"),
    "dropped column": (
        'ALTER TABLE "bookings_booking" DROP COLUMN "a" CASCADE;',
        "bookings_booking.a is dropped",
    ),
    "dropped table": ('DROP TABLE "bookings_booking" CASCADE', "bookings_booking is dropped"),
    "another type": (
        "ALTER TABLE bookings_booking ALTER COLUMN a TYPE text USING a::text",
        "bookings_booking.a gets another type",
    ),
    "required from now on": (
        "ALTER TABLE bookings_booking ALTER COLUMN a SET NOT NULL",
        "bookings_booking.a becomes NOT NULL",
    ),
    "update": ("UPDATE bookings_booking SET a = 1", "rows of bookings_booking are written by one statement"),
    "delete": ("DELETE FROM bookings_booking", "rows of bookings_booking are written by one statement"),
    "inside a block": (
        "DO $$ BEGIN\n    ALTER TABLE bookings_booking DROP COLUMN a;\nEND $$",
        "bookings_booking.a is dropped",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_would_stop_or_break_a_running_service_is_refused(case: str) -> None:
    statement, said = REFUSED[case]
    wrong = judged(Script([statement]))
    assert [each.startswith(said) for each in wrong] == [True], wrong


SAFE = {
    "empty": "",
    "a comment": "-- DROP TABLE bookings_booking",
    "optional column": 'ALTER TABLE "bookings_booking" ADD COLUMN "seats" integer NULL;',
    "default of the database": 'ALTER TABLE "bookings_booking" ADD COLUMN "at" timestamptz DEFAULT (STATEMENT_TIMESTAMP()) NOT NULL;',
    "two columns": "ALTER TABLE bookings_booking ADD COLUMN a text, ADD COLUMN b text DEFAULT '' NOT NULL",
    "optional reference": "ALTER TABLE a ADD COLUMN b_id text NULL CONSTRAINT c REFERENCES b (id) DEFERRABLE INITIALLY DEFERRED",
    "not valid": "ALTER TABLE bookings_booking ADD CONSTRAINT c CHECK (a > 0) NOT VALID",
    "validated": "ALTER TABLE bookings_booking VALIDATE CONSTRAINT c",
    "of an index": "ALTER TABLE bookings_booking ADD CONSTRAINT c UNIQUE USING INDEX i",
    "dropped constraint": "ALTER TABLE bookings_booking DROP CONSTRAINT c",
    "default": "ALTER TABLE bookings_booking ALTER COLUMN a SET DEFAULT 1",
    "function": "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
}


@pytest.mark.parametrize("case", SAFE)
def test_what_a_running_service_does_not_notice_is_allowed(case: str) -> None:
    assert judged(Script([SAFE[case]])) == []


def test_an_index_made_beside_writes_needs_a_migration_without_a_transaction() -> None:
    made = "CREATE UNIQUE INDEX CONCURRENTLY i ON bookings_booking (a)"
    assert judged(Script([made], atomic=False)) == []
    assert judged(Script([made])) == [
        "index i cannot be made CONCURRENTLY inside a transaction: atomic = False"
    ]


def test_a_default_that_goes_again_is_none() -> None:
    added = "ALTER TABLE t ADD COLUMN a integer DEFAULT 1 NOT NULL"
    dropped = 'ALTER TABLE "t" ALTER COLUMN "a" DROP DEFAULT'
    other = "ALTER TABLE t ALTER COLUMN b DROP DEFAULT"
    assert judged(Script([added, other])) == []
    (wrong,) = judged(Script([added, dropped]))
    assert wrong.startswith("t.a is NOT NULL without a default of the database")


def test_a_constraint_is_not_proven_in_the_transaction_that_adds_it() -> None:
    both = ["ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) NOT VALID", "ALTER TABLE t VALIDATE CONSTRAINT c"]
    assert judged(Script(both, atomic=False)) == []
    assert len(judged(Script(both))) == 1


def test_a_table_that_nobody_uses_yet_may_be_altered_at_will() -> None:
    new = frozenset({"t"})
    statements = [
        "CREATE INDEX i ON t (a)",
        "ALTER TABLE t ADD COLUMN a integer NOT NULL",
        "ALTER TABLE t ADD CONSTRAINT c UNIQUE (a)",
        "UPDATE t SET a = 1",
    ]
    assert judged(Script(statements, new_tables=new)) == []
    assert len(judged(Script(statements))) == 4
    assert created(['CREATE TABLE "t" ("id" bigint)', "ALTER TABLE u ADD COLUMN a text"]) == {"t"}


def test_statements_are_read_without_quotes_comments_and_lines() -> None:
    assert plain('-- why\nALTER TABLE "t"\n    DROP COLUMN "a";') == "ALTER TABLE t DROP COLUMN a"
