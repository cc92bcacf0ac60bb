"""Rules of the ledger that hold for every role, and how its tables are stored."""

from django.db import migrations

# Transactions and entries are append-only, holds and movements of staff may change until they are resolved or decided; nothing is
# removed, by TRUNCATE either. ENABLE ALWAYS: also while a session replays another server's changes.
APPEND_ONLY = """
CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER ledger_transaction_append_only BEFORE UPDATE OR DELETE ON ledger_transaction
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_transaction ENABLE ALWAYS TRIGGER ledger_transaction_append_only;

CREATE TRIGGER ledger_transaction_not_emptied BEFORE TRUNCATE ON ledger_transaction
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_transaction ENABLE ALWAYS TRIGGER ledger_transaction_not_emptied;

CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_append_only;

CREATE TRIGGER ledger_entry_not_emptied BEFORE TRUNCATE ON ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_not_emptied;

CREATE TRIGGER ledger_hold_resolved_once BEFORE UPDATE ON ledger_hold
    FOR EACH ROW WHEN (OLD.status <> 'open') EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_hold ENABLE ALWAYS TRIGGER ledger_hold_resolved_once;

CREATE TRIGGER ledger_hold_kept BEFORE DELETE ON ledger_hold
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_hold ENABLE ALWAYS TRIGGER ledger_hold_kept;

CREATE TRIGGER ledger_hold_not_emptied BEFORE TRUNCATE ON ledger_hold
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_hold ENABLE ALWAYS TRIGGER ledger_hold_not_emptied;

CREATE TRIGGER ledger_movement_decided_once BEFORE UPDATE ON ledger_staffmovement
    FOR EACH ROW WHEN (OLD.state <> 'proposed') EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_staffmovement ENABLE ALWAYS TRIGGER ledger_movement_decided_once;

CREATE TRIGGER ledger_movement_kept BEFORE DELETE OR TRUNCATE ON ledger_staffmovement
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_staffmovement ENABLE ALWAYS TRIGGER ledger_movement_kept;
"""

# Checked at commit, in the currency of each new entry: entries are only ever added, so that is each currency. An entry without its
# transaction has no sum and is refused too, which is why the foreign key has no constraint.
BALANCED = """
CREATE FUNCTION ledger_demand_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    total numeric;
BEGIN
    SELECT sum(e.amount_cents) INTO total
      FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id AND e.currency = NEW.currency
     WHERE t.id = NEW.transaction_id;
    IF total IS DISTINCT FROM 0 THEN
        RAISE EXCEPTION 'the entries of ledger transaction % do not sum to zero', NEW.transaction_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_balanced';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER ledger_entry_balanced AFTER INSERT ON ledger_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_demand_balance();
"""

# A booking never gets back more than was captured for it. Exact under concurrency: whoever inserts holds the wallet's lock, and
# each query in the function sees all that was committed before it.
REFUND_COVERED = """
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

# The models' checks in the form that costs least: PostgreSQL parses the text of a table's checks again with each statement that
# writes to it, and one array constant or a function call is shorter than what Django writes.
CHECKS = """
ALTER TABLE ledger_wallet
    DROP CONSTRAINT wallet_environment_known,
    ADD CONSTRAINT wallet_environment_known CHECK (environment = ANY ('{test,live}'));
ALTER TABLE ledger_transaction
    DROP CONSTRAINT ledger_transaction_type_known,
    ADD CONSTRAINT ledger_transaction_type_known
        CHECK (type = ANY ('{top_up,hold,capture,release,refund,adjustment}'));
ALTER TABLE ledger_entry
    DROP CONSTRAINT ledger_entry_bucket_known,
    ADD CONSTRAINT ledger_entry_bucket_known CHECK (bucket = ANY ('{available,held,sales,funding}'));

CREATE FUNCTION hold_state_consistent(status varchar, captured_cents bigint, resolved_at timestamptz)
    RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN RETURN CASE status
    WHEN 'open' THEN captured_cents = 0 AND resolved_at IS NULL
    WHEN 'captured' THEN captured_cents >= 0 AND resolved_at IS NOT NULL
    WHEN 'released' THEN captured_cents = 0 AND resolved_at IS NOT NULL
    ELSE false
END; END $$;
ALTER TABLE ledger_hold
    DROP CONSTRAINT hold_state_consistent,
    ADD CONSTRAINT hold_state_consistent CHECK (hold_state_consistent(status, captured_cents, resolved_at));
"""

# Wallets are updated most often of all and find room in their page; nothing searches ids with LIKE.
STORAGE = """
ALTER TABLE ledger_wallet SET (fillfactor = 50);
DROP INDEX ledger_hold_id_70c5d09b_like, ledger_transaction_id_25e99f0a_like;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.RunSQL(
            [APPEND_ONLY, BALANCED, REFUND_COVERED, CHECKS, STORAGE],
            "DROP FUNCTION ledger_refuse_change, ledger_demand_balance, ledger_refuse_refund_above_captures,"
            " hold_state_consistent CASCADE",
        )
    ]
