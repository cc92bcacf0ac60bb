"""How PostgreSQL packs a large column: by lz4 where it was built with it, because the default takes several times as long."""

from django.db.migrations import RunSQL


def packed_fast(table: str, column: str) -> RunSQL:
    """Rows from now on; those there are stay as they are, and are read as before. Nothing where PostgreSQL lacks lz4."""
    return RunSQL(
        f"""
        DO $$ BEGIN
            ALTER TABLE {table} ALTER COLUMN {column} SET COMPRESSION lz4;
        EXCEPTION WHEN feature_not_supported THEN
            RAISE NOTICE 'this PostgreSQL has no lz4: {table}.{column} keeps pglz';
        END $$""",
        f"ALTER TABLE {table} ALTER COLUMN {column} SET COMPRESSION default",
    )
