"""The entries of a transaction sum to zero in each currency: checked at commit, when all are there."""

from django.db import migrations

DEMAND = """
CREATE FUNCTION ledger_demand_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM ledger_entry WHERE transaction_id = NEW.transaction_id
         GROUP BY currency HAVING sum(amount_cents) <> 0
    ) THEN
        RAISE EXCEPTION 'the entries of ledger transaction % do not sum to zero', NEW.transaction_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_balanced';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER ledger_entry_balanced AFTER INSERT ON ledger_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_demand_balance();
"""

WAIVE = """
DROP TRIGGER ledger_entry_balanced ON ledger_entry;
DROP FUNCTION ledger_demand_balance();
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_refuse_changes_to_entries")]

    operations = [migrations.RunSQL(DEMAND, WAIVE)]
