"""Members may be approvers.

The checks only grow: each is replaced without reading the table, and validated beside the calls of a running release. A migration
that was interrupted can be run again.
"""

from django.db import migrations, models
from django.db.models import Q

ROLES = ("owner", "developer", "finance", "approver", "viewer")
CHOICES = [(role, role.capitalize()) for role in ROLES]


def replaced(table: str, name: str) -> list[str]:
    allowed = "{" + ",".join(ROLES) + "}"
    return [
        f"ALTER TABLE {table} DROP CONSTRAINT {name}, "
        f"ADD CONSTRAINT {name} CHECK (role = ANY ('{allowed}')) NOT VALID",
        f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}",
    ]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("accounts", "0002_sql")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField("invitation", "role", models.CharField(max_length=16, choices=CHOICES)),
                migrations.AlterField(
                    "membership", "role", models.CharField(max_length=16, choices=CHOICES, default="viewer")
                ),
                migrations.RemoveConstraint("invitation", "invitation_role_known"),
                migrations.AddConstraint(
                    "invitation",
                    models.CheckConstraint(condition=Q(role__in=[*ROLES]), name="invitation_role_known"),
                ),
                migrations.RemoveConstraint("membership", "membership_role_known"),
                migrations.AddConstraint(
                    "membership",
                    models.CheckConstraint(condition=Q(role__in=[*ROLES]), name="membership_role_known"),
                ),
            ],
            database_operations=[
                migrations.RunSQL(
                    replaced("accounts_invitation", "invitation_role_known"), migrations.RunSQL.noop
                ),
                migrations.RunSQL(
                    replaced("accounts_membership", "membership_role_known"), migrations.RunSQL.noop
                ),
            ],
        ),
    ]
