"""A booking never gets back more than was captured for it, whatever the references of its refunds.

Exact under concurrency: the inserting verb holds the wallet's lock, and each query in the function sees all
that was committed before it.
"""

from django.db import migrations

REFUSE = """
CREATE FUNCTION ledger_refuse_refund_above_captures() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    kept_cents bigint;
BEGIN
    SELECT coalesce(sum(CASE type WHEN 'capture' THEN -held_delta_cents
                                  WHEN 'refund' THEN -amount_cents END), 0)
      INTO kept_cents
      FROM ledger_transaction
     WHERE account_id = NEW.account_id AND environment = NEW.environment
       AND booking_reference = NEW.booking_reference;
    IF kept_cents < 0 OR NEW.booking_reference IS NULL THEN
        RAISE EXCEPTION 'refund % gives back more than was captured for booking %', NEW.reference,
        NEW.booking_reference
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_refund_covered';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER ledger_refund_covered AFTER INSERT ON ledger_transaction
    FOR EACH ROW WHEN (NEW.type = 'refund') EXECUTE FUNCTION ledger_refuse_refund_above_captures();
"""

ALLOW = """
DROP TRIGGER ledger_refund_covered ON ledger_transaction;
DROP FUNCTION ledger_refuse_refund_above_captures();
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_demand_balanced_transactions")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
