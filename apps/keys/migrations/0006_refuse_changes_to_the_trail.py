"""The trail of keys is append-only like that of accounts: of an entry only the link to a person who was deleted may be cut."""

from django.db import migrations

REFUSE = """
CREATE TRIGGER keys_keyauditentry_append_only BEFORE UPDATE OR DELETE ON keys_keyauditentry
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
ALTER TABLE keys_keyauditentry ENABLE ALWAYS TRIGGER keys_keyauditentry_append_only;

CREATE TRIGGER keys_keyauditentry_not_emptied BEFORE TRUNCATE ON keys_keyauditentry
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE keys_keyauditentry ENABLE ALWAYS TRIGGER keys_keyauditentry_not_emptied;
"""

ALLOW = """
DROP TRIGGER keys_keyauditentry_not_emptied ON keys_keyauditentry;
DROP TRIGGER keys_keyauditentry_append_only ON keys_keyauditentry;
"""


class Migration(migrations.Migration):
    dependencies = [("keys", "0005_key_in_words"), ("accounts", "0008_keep_trails_whole")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
