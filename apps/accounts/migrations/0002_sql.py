"""The audit trails are append-only, for every role and by TRUNCATE too. ENABLE ALWAYS: also while a session replays another
server's changes.

Two changes are allowed, which Django makes as it deletes: cutting the link to a person, and to a content type.
"""

from django.db import migrations

TRIGGERS = """
CREATE FUNCTION accounts_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.actor_id IS NULL
       AND to_jsonb(NEW) - 'actor_id' = to_jsonb(OLD) - 'actor_id' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% on % is refused: the trail is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION accounts_refuse_change_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.content_type_id IS NULL
       AND to_jsonb(NEW) - 'content_type_id' = to_jsonb(OLD) - 'content_type_id' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% on % is refused: the trail is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION accounts_refuse_emptying() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the trail is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER accounts_accountauditentry_append_only BEFORE UPDATE OR DELETE ON accounts_accountauditentry
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
ALTER TABLE accounts_accountauditentry ENABLE ALWAYS TRIGGER accounts_accountauditentry_append_only;

CREATE TRIGGER accounts_accountauditentry_not_emptied BEFORE TRUNCATE ON accounts_accountauditentry
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE accounts_accountauditentry ENABLE ALWAYS TRIGGER accounts_accountauditentry_not_emptied;

CREATE TRIGGER django_admin_log_append_only BEFORE UPDATE OR DELETE ON django_admin_log
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change_of_log();
ALTER TABLE django_admin_log ENABLE ALWAYS TRIGGER django_admin_log_append_only;

CREATE TRIGGER django_admin_log_not_emptied BEFORE TRUNCATE ON django_admin_log
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE django_admin_log ENABLE ALWAYS TRIGGER django_admin_log_not_emptied;

CREATE TRIGGER accounts_stafflook_append_only BEFORE UPDATE OR DELETE ON accounts_stafflook
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE accounts_stafflook ENABLE ALWAYS TRIGGER accounts_stafflook_append_only;

CREATE TRIGGER accounts_stafflook_not_emptied BEFORE TRUNCATE ON accounts_stafflook
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE accounts_stafflook ENABLE ALWAYS TRIGGER accounts_stafflook_not_emptied;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("admin", "0003_logentry_add_action_flag_choices"),
    ]

    operations = [
        migrations.RunSQL(
            TRIGGERS,
            "DROP FUNCTION accounts_refuse_change, accounts_refuse_change_of_log, accounts_refuse_emptying CASCADE",
        )
    ]
