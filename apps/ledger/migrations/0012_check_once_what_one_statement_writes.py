"""What the statement that writes it guarantees is not looked up again, row by row, at commit.

A transaction's account is read from the row of its wallet, which the statement has locked; the wallet's own keys remain.

The look at the sum also sees that the transaction is there: without one there is no sum, and that is refused as well.

That entries sum to zero is checked in the currency of each new entry. Entries are only ever added, so that is each currency.
"""

from django.db import migrations, models

SUM = """
CREATE OR REPLACE FUNCTION ledger_demand_balance() RETURNS trigger LANGUAGE plpgsql AS $$
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
"""

GROUPED = """
CREATE OR REPLACE FUNCTION ledger_demand_balance() RETURNS trigger LANGUAGE plpgsql AS $$
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
"""


# Each script is a transaction. Bookings write to the transactions first, then to the entries: whoever locks the tables in the other
# order meets one of them half-way, and both wait for each other.
ENTRY_KEY = "ledger_entry_transaction_id_c459e7a1_fk_ledger_transaction_id"
DROP_ENTRY_KEY = f"""
LOCK TABLE ledger_transaction, ledger_entry IN ACCESS EXCLUSIVE MODE;
ALTER TABLE ledger_entry DROP CONSTRAINT IF EXISTS {ENTRY_KEY};
"""
ADD_ENTRY_KEY = f"""
ALTER TABLE ledger_entry ADD CONSTRAINT {ENTRY_KEY} FOREIGN KEY (transaction_id) REFERENCES ledger_transaction (id)
    DEFERRABLE INITIALLY DEFERRED;
"""
ACCOUNT_KEY = "ledger_transaction_account_id_0ac80fbe_fk_accounts_account_id"
DROP_ACCOUNT_KEY = f"ALTER TABLE ledger_transaction DROP CONSTRAINT IF EXISTS {ACCOUNT_KEY}"
ADD_ACCOUNT_KEY = f"""
ALTER TABLE ledger_transaction ADD CONSTRAINT {ACCOUNT_KEY} FOREIGN KEY (account_id) REFERENCES accounts_account (id)
    DEFERRABLE INITIALLY DEFERRED;
"""


class Migration(migrations.Migration):
    atomic = False  # a lock at a time; each script may be repeated

    dependencies = [("accounts", "0001_initial"), ("ledger", "0011_cheaper_checks")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(DROP_ENTRY_KEY, ADD_ENTRY_KEY),
                migrations.RunSQL(DROP_ACCOUNT_KEY, ADD_ACCOUNT_KEY),
                migrations.RunSQL(SUM, GROUPED),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="ledgerentry",
                    name="transaction",
                    field=models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.deletion.PROTECT,
                        related_name="entries",
                        to="ledger.ledgertransaction",
                    ),
                ),
                migrations.AlterField(
                    model_name="ledgertransaction",
                    name="account",
                    field=models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
            ],
        )
    ]
