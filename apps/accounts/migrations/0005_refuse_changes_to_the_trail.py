"""The trail is append-only: the database refuses, for every role, to change or remove what it says.

One change is let through: a person who was deleted is no longer linked to (their label stays). The trigger fires even
where a session replays another server's changes (ENABLE ALWAYS). TRUNCATE is left to the owner of the table: it empties
a test database and cannot single out a row.
"""

from django.db import migrations

REFUSE = """
CREATE FUNCTION accounts_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.actor_id IS NULL
       AND to_jsonb(NEW) - 'actor_id' = to_jsonb(OLD) - 'actor_id' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% on % is refused: the trail is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER accounts_accountauditentry_append_only BEFORE UPDATE OR DELETE ON accounts_accountauditentry
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
ALTER TABLE accounts_accountauditentry ENABLE ALWAYS TRIGGER accounts_accountauditentry_append_only;
"""

ALLOW = """
DROP TRIGGER accounts_accountauditentry_append_only ON accounts_accountauditentry;
DROP FUNCTION accounts_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_account_audit_entry")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
