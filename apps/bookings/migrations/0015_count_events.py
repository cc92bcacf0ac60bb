from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("bookings", "0014_pack_details_fast")]

    operations = [
        migrations.AddField(
            model_name="booking",
            name="event_count",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                editable=False,
                help_text="How many events told of it: the last one's sequence",
            ),
        ),
    ]
