"""What happened, happened: the database refuses, for every role, to change or remove what the ledger holds.

Holds may change while they are open, and never after; they are not removed either. The triggers fire even
where a session replays another server's changes (ENABLE ALWAYS). TRUNCATE is left to the owner of the tables:
it empties a test database and cannot single out a row.
"""

from django.db import migrations

REFUSE = """
CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER ledger_transaction_append_only BEFORE UPDATE OR DELETE ON ledger_transaction
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_transaction ENABLE ALWAYS TRIGGER ledger_transaction_append_only;

CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_append_only;

CREATE TRIGGER ledger_hold_resolved_once BEFORE UPDATE ON ledger_hold
    FOR EACH ROW WHEN (OLD.status <> 'open') EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_hold ENABLE ALWAYS TRIGGER ledger_hold_resolved_once;

CREATE TRIGGER ledger_hold_kept BEFORE DELETE ON ledger_hold
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_hold ENABLE ALWAYS TRIGGER ledger_hold_kept;
"""

ALLOW = """
DROP TRIGGER ledger_hold_kept ON ledger_hold;
DROP TRIGGER ledger_hold_resolved_once ON ledger_hold;
DROP TRIGGER ledger_entry_append_only ON ledger_entry;
DROP TRIGGER ledger_transaction_append_only ON ledger_transaction;
DROP FUNCTION ledger_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
