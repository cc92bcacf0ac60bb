"""What was done to keys so far is read in the trail of the account as well."""

from django.db import migrations

COPY = """
INSERT INTO accounts_accountauditentry
       (id, account_id, environment, action, actor_id, actor_label, subject_type, subject_id, subject_name, details,
        address, created_at)
SELECT 'aud_00' || lpad(entry.id::text, 24, '0'), entry.account_id, key.environment, 'keys.' || entry.action,
       entry.actor_id, CASE WHEN person.is_staff THEN 'Support' ELSE COALESCE(person.email, 'Support') END,
       'key', key.id, key.name, entry.details, '', entry.created_at
  FROM keys_keyauditentry entry
  JOIN keys_apikey key ON key.id = entry.key_id
  LEFT JOIN accounts_user person ON person.id = entry.actor_id
"""


class Migration(migrations.Migration):
    dependencies = [("keys", "0001_initial"), ("accounts", "0005_refuse_changes_to_the_trail")]

    operations = [migrations.RunSQL(COPY, migrations.RunSQL.noop)]
