"""What happened stays, whole: TRUNCATE is refused as well, for every role, also where it comes by way of another table (CASCADE).

So do the decisions of staff about money: one is not removed, and not changed once it was made.
"""

from django.db import migrations

REFUSE = """
CREATE TRIGGER ledger_transaction_not_emptied BEFORE TRUNCATE ON ledger_transaction
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_transaction ENABLE ALWAYS TRIGGER ledger_transaction_not_emptied;

CREATE TRIGGER ledger_entry_not_emptied BEFORE TRUNCATE ON ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_not_emptied;

CREATE TRIGGER ledger_hold_not_emptied BEFORE TRUNCATE ON ledger_hold
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_hold ENABLE ALWAYS TRIGGER ledger_hold_not_emptied;

CREATE TRIGGER ledger_movement_kept BEFORE DELETE OR TRUNCATE ON ledger_staffmovement
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_staffmovement ENABLE ALWAYS TRIGGER ledger_movement_kept;

CREATE TRIGGER ledger_movement_decided_once BEFORE UPDATE ON ledger_staffmovement
    FOR EACH ROW WHEN (OLD.state <> 'proposed') EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_staffmovement ENABLE ALWAYS TRIGGER ledger_movement_decided_once;
"""

ALLOW = """
DROP TRIGGER ledger_movement_decided_once ON ledger_staffmovement;
DROP TRIGGER ledger_movement_kept ON ledger_staffmovement;
DROP TRIGGER ledger_hold_not_emptied ON ledger_hold;
DROP TRIGGER ledger_entry_not_emptied ON ledger_entry;
DROP TRIGGER ledger_transaction_not_emptied ON ledger_transaction;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0009_arrivals_once_in_all_wallets")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
