"""Only the code's name changes. The table keeps its own, so that the release before can go on counting."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("portal", "0002_sign_in_tries")]

    operations = [
        migrations.AlterModelTable(name="signintries", table="portal_signintries"),
        migrations.RenameModel("SignInTries", "SignInAttemptCount"),
        migrations.AlterField(
            model_name="signinattemptcount",
            name="key",
            field=models.CharField(
                help_text="A digest: whose attempts, and from where",
                max_length=64,
                primary_key=True,
                serialize=False,
            ),
        ),
    ]
