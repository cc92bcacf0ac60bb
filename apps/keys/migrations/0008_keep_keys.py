"""A key is never deleted: the trail and the ledger name it. The trail's own link to it kept it so far."""

from django.db import migrations

REFUSE = """
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

ALLOW = """
DROP TRIGGER keys_apikey_not_emptied ON keys_apikey;
DROP TRIGGER keys_apikey_not_deleted ON keys_apikey;
DROP FUNCTION keys_refuse_removal();
"""


class Migration(migrations.Migration):
    dependencies = [("keys", "0007_move_key_trail_into_account_trail")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
