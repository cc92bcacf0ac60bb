"""What a booking was sold at can always be shown: TRUNCATE is refused on the rates of exchange as well."""

from django.db import migrations

REFUSE = """
CREATE TRIGGER exchange_rate_not_emptied BEFORE TRUNCATE ON suppliers_exchangerate
    FOR EACH STATEMENT EXECUTE FUNCTION suppliers_refuse_rate_change();
ALTER TABLE suppliers_exchangerate ENABLE ALWAYS TRIGGER exchange_rate_not_emptied;
"""

ALLOW = "DROP TRIGGER exchange_rate_not_emptied ON suppliers_exchangerate;"


class Migration(migrations.Migration):
    dependencies = [("suppliers", "0007_alert_kind_exchange_rate_old")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
