"""What a migration may not do to a table that is in use. Pure functions of its SQL.

A table that came after the last release is in nobody's use yet.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Script:
    """The SQL of one migration, a statement each; `atomic`: all in one transaction."""

    statements: Sequence[str]
    atomic: bool = True
    new_tables: frozenset[str] = frozenset()


def judged(script: Script) -> list[str]:
    """What is wrong with it, in sentences; empty where nothing is."""
    script = Script([plain(statement) for statement in script.statements], script.atomic, script.new_tables)
    return list(dict.fromkeys(wrong for rule in RULES for wrong in rule(script)))


def plain(statement: str) -> str:
    """Without comments and quotes around names, in one line."""
    lines = (line for line in statement.splitlines() if not line.lstrip().startswith("--"))
    return " ".join(" ".join(lines).replace('"', "").split()).rstrip(";")


def created(statements: Sequence[str]) -> set[str]:
    """The tables that these statements make."""
    return {
        found[1]
        for statement in statements
        if (found := re.match(r"CREATE TABLE (?:IF NOT EXISTS )?(\S+)", plain(statement)))
    }


def altered(script: Script) -> list[str]:
    """The tables in use that it alters, each once."""
    script = Script([plain(each) for each in script.statements], script.atomic, script.new_tables)
    return list(dict.fromkeys(table for table, _ in _alterations(script)))


def _indexes(script: Script) -> Iterator[str]:
    for statement in script.statements:
        for making in re.finditer(
            r"CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?(\S+) ON (?:ONLY )?(\S+)", statement
        ):
            concurrently, name, table = making.groups()
            if not concurrently and table not in script.new_tables:
                yield f"index {name} is made while writes to {table} wait: make it CONCURRENTLY (built_beside)"
            if concurrently and script.atomic:
                yield f"index {name} cannot be made CONCURRENTLY inside a transaction: atomic = False"
        for dropping in re.finditer(r"DROP INDEX (?!CONCURRENTLY)(?:IF EXISTS )?(\S+)", statement):
            yield f"index {dropping[1]} is dropped while its table waits: DROP INDEX CONCURRENTLY (dropped_beside)"
        if re.match(r"REINDEX (?!.*CONCURRENTLY)|VACUUM FULL|CLUSTER|LOCK TABLE", statement):
            yield f"writes wait for this: {statement[:60]}"


def _columns(script: Script) -> Iterator[str]:
    for table, rest in _alterations(script):
        for added in re.finditer(r"ADD COLUMN (?:IF NOT EXISTS )?(\S+) (.*?)(?=, ADD COLUMN|$)", rest):
            yield from _added(script, table, *added.groups())
        for renamed in re.finditer(r"RENAME (?:COLUMN )?(\S+) TO (\S+)", rest):
            yield f"{table}.{renamed[1]} is renamed, and the release before asks for it by its name"
        if renamed := re.search(r"RENAME TO (\S+)", rest):
            yield f"{table} is renamed, and the release before asks for it by its name"
        for dropped in re.finditer(r"DROP COLUMN (?:IF EXISTS )?(\S+)", rest):
            yield f"{table}.{dropped[1]} is dropped, and the release before writes it"
        for altered in re.finditer(r"ALTER COLUMN (\S+) (?:SET DATA )?TYPE", rest):
            yield f"{table}.{altered[1]} gets another type, which may write every row anew"
        for altered in re.finditer(r"ALTER COLUMN (\S+) SET NOT NULL", rest):
            yield f"{table}.{altered[1]} becomes NOT NULL: every row is read meanwhile, and the release before may write NULL"


def _added(script: Script, table: str, column: str, how: str) -> Iterator[str]:
    name = f"{table}.{column}"
    required = "NOT NULL" in re.sub(r"CHECK \(.*\)", "", how)
    has_default = re.search(r"\bDEFAULT\b", how) is not None
    loses_it = any(
        re.match(rf"ALTER TABLE {re.escape(table)} .*ALTER COLUMN {re.escape(column)} DROP DEFAULT", each)
        for each in script.statements
    )
    if required and (not has_default or loses_it):
        yield f"{name} is NOT NULL without a default of the database: the release before cannot insert (db_default)"
    if re.search(r"DEFAULT \(*(?:gen_random_uuid|clock_timestamp|random|nextval|uuid)", how) or re.search(
        r"\bSTORED\b|\bSERIAL\b|AS IDENTITY", how, re.IGNORECASE
    ):
        yield f"{name} has another value in each row, so that every row is written anew"
    if "CHECK (" in how:
        yield f"{name} has a check of its own: every row is read meanwhile (add it NOT VALID, or use IntegerField)"
    if re.search(r"\bUNIQUE\b|PRIMARY KEY", how):
        yield f"{name} is unique at once: writes wait for its index (add the column, then the index beside)"
    if "REFERENCES" in how and has_default:
        yield f"{name} refers to another table and has a default: every row is looked up meanwhile"


def _constraints(script: Script) -> Iterator[str]:
    unproven: set[str] = set()
    for table, rest in _alterations(script):
        for added in re.finditer(r"ADD CONSTRAINT (\S+) (.*?)(?=, ADD CONSTRAINT|$)", rest):
            name, how = added.groups()
            if "NOT VALID" in how:
                unproven.add(name)
            elif "USING INDEX" not in how:
                yield f"constraint {name} reads every row of {table} at once: add it NOT VALID, validate it afterwards"
        for validated in re.finditer(r"VALIDATE CONSTRAINT (\S+)", rest):
            if script.atomic and validated[1] in unproven:
                yield (
                    f"constraint {validated[1]} is validated in the transaction that adds it, under its lock: "
                    "in a migration of its own"
                )


def _rows(script: Script) -> Iterator[str]:
    for statement in script.statements:
        if dropped := re.match(r"DROP TABLE (?:IF EXISTS )?(\S+)", statement):
            yield f"{dropped[1]} is dropped, and the release before reads it"
        if (written := re.match(r"(?:UPDATE|DELETE FROM) (\S+)", statement)) and (
            written[1] not in script.new_tables
        ):
            yield f"rows of {written[1]} are written by one statement: in batches, each its own transaction"


def _alterations(script: Script) -> Iterator[tuple[str, str]]:
    """Table and what is done to it, of every ALTER TABLE, also of those inside a DO block."""
    for statement in script.statements:
        for found in re.finditer(r"ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\S+) ([^;]*)", statement):
            if found[1] not in script.new_tables:
                yield found[1], found[2]


RULES: Sequence[Callable[[Script], Iterator[str]]] = (_indexes, _columns, _constraints, _rows)
