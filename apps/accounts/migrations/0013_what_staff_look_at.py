"""Who of our staff looked at what, kept as the other trails are; and what staff are mailed."""

import apps.accounts.models.staff
import apps.common.clock
import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


REFUSE = """
CREATE TRIGGER accounts_stafflook_append_only BEFORE UPDATE OR DELETE ON accounts_stafflook
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE accounts_stafflook ENABLE ALWAYS TRIGGER accounts_stafflook_append_only;

CREATE TRIGGER accounts_stafflook_not_emptied BEFORE TRUNCATE ON accounts_stafflook
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_emptying();
ALTER TABLE accounts_stafflook ENABLE ALWAYS TRIGGER accounts_stafflook_not_emptied;
"""

ALLOW = """
DROP TRIGGER accounts_stafflook_not_emptied ON accounts_stafflook;
DROP TRIGGER accounts_stafflook_append_only ON accounts_stafflook;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0011_count_what_faults_decide"),
    ]

    operations = [
        migrations.CreateModel(
            name="StaffMailChoice",
            fields=[
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "kinds",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("live_requests", "A partner asks for live keys"),
                                ("reviews", "An operation needs a decision of staff"),
                            ],
                            max_length=32,
                        ),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="StaffLook",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=apps.accounts.models.staff.new_look_id,
                        editable=False,
                        max_length=64,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "look",
                    models.CharField(
                        choices=[
                            ("searched", "searched for"),
                            ("opened", "opened the portal"),
                            ("read", "read the page"),
                            ("refused", "was refused a change on"),
                            ("ended", "left the portal"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        blank=True, help_text="Searched for what, or which page. No secret", max_length=500
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=255)),
                (
                    "address",
                    models.CharField(
                        blank=True, default="", help_text="Where the request came from", max_length=64
                    ),
                ),
                ("created_at", models.DateTimeField(default=apps.common.clock.now, editable=False)),
                (
                    "account",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "permissions": [("read_partner_portals", "Can read the portals of partners")],
                "indexes": [models.Index(fields=["person", "-created_at"], name="staff_look_newest_first")],
                "verbose_name": "look by staff",
                "verbose_name_plural": "looks by staff",
            },
        ),
        migrations.RunSQL(REFUSE, ALLOW),
    ]
