from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("gateway", "0006_search_units"),
    ]

    operations = [
        migrations.AddField(
            model_name="loggedcall",
            name="ignored_parameters",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Parameters of the query that the operation does not know",
                max_length=255,
            ),
        ),
    ]
