"""One trail: what was done to keys is read in the trail of their account alone.

Since 0002 every change was written to both. An entry that only the keys' own trail has is carried over: one that a process of
the release before 0002 wrote after the copy. The table then becomes a view, so that processes of the release before this one go
on: they read the one trail through it, and what they write to both is kept once.
"""

from django.db import migrations

CARRY_OVER = """
LOCK TABLE keys_keyauditentry IN ACCESS EXCLUSIVE MODE;
INSERT INTO accounts_accountauditentry
       (id, account_id, environment, action, actor_id, actor_label, subject_type, subject_id, subject_name, details,
        address, created_at)
SELECT 'aud_00' || lpad(entry.id::text, 24, '0'), entry.account_id, key.environment, 'keys.' || entry.action,
       entry.actor_id, CASE WHEN person.is_staff THEN 'Support' ELSE COALESCE(person.email, 'Support') END,
       'key', key.id, key.name, entry.details, '', entry.created_at
  FROM keys_keyauditentry entry
  JOIN keys_apikey key ON key.id = entry.key_id
  LEFT JOIN accounts_user person ON person.id = entry.actor_id
 WHERE NOT EXISTS (
       SELECT FROM accounts_accountauditentry told
        WHERE told.subject_type = 'key' AND told.subject_id = entry.key_id
          AND told.action = 'keys.' || entry.action AND told.details = entry.details
          AND told.created_at BETWEEN entry.created_at - interval '1 second' AND entry.created_at + interval '1 minute')
"""

CARRY_BACK = """
CREATE TRIGGER keys_keyauditentry_append_only BEFORE UPDATE OR DELETE ON keys_keyauditentry
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
ALTER TABLE keys_keyauditentry ENABLE ALWAYS TRIGGER keys_keyauditentry_append_only;
CREATE TRIGGER keys_keyauditentry_not_emptied BEFORE TRUNCATE ON keys_keyauditentry
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE keys_keyauditentry ENABLE ALWAYS TRIGGER keys_keyauditentry_not_emptied;
INSERT INTO keys_keyauditentry (account_id, key_id, action, actor_id, details, created_at)
SELECT account_id, subject_id, substr(action, 6), actor_id, details, created_at
  FROM accounts_accountauditentry
 WHERE subject_type = 'key'
 ORDER BY created_at, id
"""

SHOW_AS_BEFORE = """
CREATE VIEW keys_keyauditentry AS
SELECT hashtextextended(id, 0) AS id, account_id, subject_id AS key_id, substr(action, 6) AS action, actor_id, details,
       created_at
  FROM accounts_accountauditentry
 WHERE subject_type = 'key';

CREATE FUNCTION keys_is_written_already() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.id = 0;
    RETURN NEW;
END $$;
CREATE TRIGGER keys_keyauditentry_written_already INSTEAD OF INSERT ON keys_keyauditentry
    FOR EACH ROW EXECUTE FUNCTION keys_is_written_already();
"""

SHOW_NO_MORE = """
DROP VIEW keys_keyauditentry;
DROP FUNCTION keys_is_written_already();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("keys", "0006_refuse_changes_to_the_trail"),
        ("accounts", "0009_find_entries_by_subject"),
    ]

    operations = [
        migrations.RunSQL(CARRY_OVER, CARRY_BACK),
        migrations.DeleteModel("KeyAuditEntry"),
        migrations.RunSQL(SHOW_AS_BEFORE, SHOW_NO_MORE),
    ]
