"""Exchange rates are append-only, so that what a booking was sold at can always be shown."""

from django.db import migrations

TRIGGERS = """
CREATE FUNCTION suppliers_refuse_rate_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: rates of exchange are append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER exchange_rate_append_only BEFORE UPDATE OR DELETE ON suppliers_exchangerate
    FOR EACH STATEMENT EXECUTE FUNCTION suppliers_refuse_rate_change();
ALTER TABLE suppliers_exchangerate ENABLE ALWAYS TRIGGER exchange_rate_append_only;

CREATE TRIGGER exchange_rate_not_emptied BEFORE TRUNCATE ON suppliers_exchangerate
    FOR EACH STATEMENT EXECUTE FUNCTION suppliers_refuse_rate_change();
ALTER TABLE suppliers_exchangerate ENABLE ALWAYS TRIGGER exchange_rate_not_emptied;
"""


class Migration(migrations.Migration):
    dependencies = [("suppliers", "0001_initial")]

    operations = [migrations.RunSQL(TRIGGERS, "DROP FUNCTION suppliers_refuse_rate_change CASCADE")]
