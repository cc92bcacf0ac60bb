"""What a booking was sold at can always be shown: the database refuses to change or remove a rate.

TRUNCATE is left to the owner of the table, as with the ledger's: it empties a test database.
"""

from django.db import migrations

REFUSE = """
CREATE FUNCTION suppliers_refuse_rate_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: rates of exchange are append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER exchange_rate_append_only BEFORE UPDATE OR DELETE ON suppliers_exchangerate
    FOR EACH STATEMENT EXECUTE FUNCTION suppliers_refuse_rate_change();
ALTER TABLE suppliers_exchangerate ENABLE ALWAYS TRIGGER exchange_rate_append_only;
"""

ALLOW = """
DROP TRIGGER exchange_rate_append_only ON suppliers_exchangerate;
DROP FUNCTION suppliers_refuse_rate_change();
"""


class Migration(migrations.Migration):
    dependencies = [("suppliers", "0003_exchange_rate")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
