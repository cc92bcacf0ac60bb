"""A key is never deleted: the audit trail and the ledger name it."""

from django.db import migrations

TRIGGERS = """
CREATE FUNCTION keys_refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the trail names its rows', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER keys_apikey_not_deleted BEFORE DELETE ON keys_apikey
    FOR EACH ROW EXECUTE FUNCTION keys_refuse_removal();
ALTER TABLE keys_apikey ENABLE ALWAYS TRIGGER keys_apikey_not_deleted;

CREATE TRIGGER keys_apikey_not_emptied BEFORE TRUNCATE ON keys_apikey
    FOR EACH STATEMENT EXECUTE FUNCTION keys_refuse_removal();
ALTER TABLE keys_apikey ENABLE ALWAYS TRIGGER keys_apikey_not_emptied;
"""


class Migration(migrations.Migration):
    dependencies = [("keys", "0001_initial")]

    operations = [migrations.RunSQL(TRIGGERS, "DROP FUNCTION keys_refuse_removal CASCADE")]
