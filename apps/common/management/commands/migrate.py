"""Django's `migrate`, which shows how far it is, and may be interrupted while it builds an index concurrently.

PostgreSQL keeps what there is of such an index and marks it invalid. The migration could then not run again, because the index
exists, or would take it for built; so invalid indexes are dropped first.
"""

from contextlib import closing
from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import migrate
from django.db import DatabaseError, connections
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor

from apps.common.progress import LongCommand, ProgressBar

INVALID = """
SELECT c.oid::regclass::text
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
 WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace
   AND pg_has_role(c.relowner, 'USAGE')
   AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid)
"""
BUILDING = """
SELECT coalesce(p.index_relid::regclass::text, 'index'), p.phase,
       100 * coalesce(nullif(p.blocks_done, 0), p.tuples_done) / nullif(coalesce(nullif(p.blocks_total, 0), p.tuples_total), 0)
  FROM pg_stat_progress_create_index p WHERE p.pid = %s
"""


class Command(LongCommand, migrate.Command):
    again = "Run it again: what was applied stays applied."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        self.progress: ProgressBar | None = None

    def handle(self, *args: Any, **options: Any) -> None:
        alias = options["database"]
        reads_only = options["plan"] or options["check_unapplied"]
        if reads_only:
            super().handle(*args, **options)
            return
        self.drop_invalid_indexes(alias)
        if not options["verbosity"]:
            super().handle(*args, **options)
            return
        with ProgressBar("migrate", "migrations", watch=Builds(alias)) as self.progress:
            if not options["app_label"]:
                executor = MigrationExecutor(connections[alias])
                self.progress.expect(len(executor.migration_plan(executor.loader.graph.leaf_nodes())))
            super().handle(*args, **options)

    def drop_invalid_indexes(self, alias: str) -> None:
        with connections[alias].cursor() as cursor:
            cursor.execute(INVALID)
            for (name,) in cursor.fetchall():
                cursor.execute("SET lock_timeout = 0")
                cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")  # quoted by regclass
                cursor.execute("RESET lock_timeout")
                self.stdout.write(f"Dropped {name}, which an interrupted migration left invalid.")

    def migration_progress_callback(
        self, action: str, migration: Migration | None = None, fake: bool = False
    ) -> None:
        """The step. Django writes half lines, into which a bar would be drawn: on a terminal each is written once it is done."""
        progress = self.progress
        if progress is None or not progress.on_terminal:
            super().migration_progress_callback(action, migration, fake)
        if progress is not None and action in {"apply_start", "unapply_start"}:
            progress.note(str(migration))
        elif progress is not None and action in {"apply_success", "unapply_success"}:
            if progress.on_terminal:
                progress.print(f"  {action.partition('_')[0].capitalize()} {migration}: OK")
            progress.advance()


class Builds:
    """What the index that the command's connection builds has come to, read by a connection of its own."""

    def __init__(self, alias: str) -> None:
        main = connections[alias]
        main.ensure_connection()
        self._alias, self._pid = alias, main.connection.info.backend_pid

    def __call__(self) -> str:
        try:
            with closing(connections[self._alias].copy()) as own, own.cursor() as cursor:
                cursor.execute(BUILDING, [self._pid])
                row = cursor.fetchone()
        except DatabaseError:
            return ""
        if row is None:
            return ""
        name, phase, percent = row
        return f"{name}: {phase}" + (f", {percent}%" if percent is not None else "")
