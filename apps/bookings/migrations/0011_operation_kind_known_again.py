from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    """The look at the rows there are, which keeps nobody from writing."""

    dependencies = [("bookings", "0010_operations_that_accept")]

    operations = [ValidateConstraint("operation", "operation_kind_known")]
