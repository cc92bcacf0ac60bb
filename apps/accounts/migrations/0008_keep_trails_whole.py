"""TRUNCATE is refused on the trail of accounts as well; and what staff did in the back office is a trail like it.

Of the latter only the link to a kind of row that is no more may be cut, as Django does it.
"""

from django.db import migrations

REFUSE = """
CREATE FUNCTION accounts_refuse_emptying() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the trail is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER accounts_accountauditentry_not_emptied BEFORE TRUNCATE ON accounts_accountauditentry
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE accounts_accountauditentry ENABLE ALWAYS TRIGGER accounts_accountauditentry_not_emptied;

CREATE FUNCTION accounts_refuse_change_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.content_type_id IS NULL
       AND to_jsonb(NEW) - 'content_type_id' = to_jsonb(OLD) - 'content_type_id' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% on % is refused: the trail is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER django_admin_log_append_only BEFORE UPDATE OR DELETE ON django_admin_log
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change_of_log();
ALTER TABLE django_admin_log ENABLE ALWAYS TRIGGER django_admin_log_append_only;

CREATE TRIGGER django_admin_log_not_emptied BEFORE TRUNCATE ON django_admin_log
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE django_admin_log ENABLE ALWAYS TRIGGER django_admin_log_not_emptied;
"""

ALLOW = """
DROP TRIGGER django_admin_log_not_emptied ON django_admin_log;
DROP TRIGGER django_admin_log_append_only ON django_admin_log;
DROP FUNCTION accounts_refuse_change_of_log();
DROP TRIGGER accounts_accountauditentry_not_emptied ON accounts_accountauditentry;
DROP FUNCTION accounts_refuse_emptying();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_plural_of_audit_entries"),
        ("admin", "0003_logentry_add_action_flag_choices"),
    ]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
