"""Hotels as their suppliers list them, and their descriptions in several languages."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("hotels", "0004_correctionrequest")]

    operations = [
        migrations.CreateModel(
            name="Property",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("supplier_name", models.CharField(max_length=32)),
                ("hotel_id", models.CharField(max_length=64)),
                ("name", models.CharField(max_length=255)),
                ("stars", models.DecimalField(decimal_places=1, max_digits=2, null=True)),
                ("line", models.CharField(blank=True, max_length=255)),
                ("city", models.CharField(blank=True, max_length=255)),
                (
                    "city_key",
                    models.CharField(
                        blank=True, help_text="The city as it is searched (`fold`)", max_length=255
                    ),
                ),
                ("zip", models.CharField(blank=True, max_length=32)),
                ("country", models.CharField(max_length=2)),
                ("latitude", models.FloatField(null=True)),
                ("longitude", models.FloatField(null=True)),
                ("chain", models.CharField(blank=True, max_length=255)),
                (
                    "image",
                    models.CharField(blank=True, help_text="The address of its main picture", max_length=500),
                ),
                ("review_score", models.DecimalField(decimal_places=1, max_digits=3, null=True)),
                ("review_count", models.PositiveIntegerField(null=True)),
                ("content_hash", models.BigIntegerField()),
                ("updated_at", models.DateTimeField()),
                ("deleted_at", models.DateTimeField(help_text="Its supplier no longer lists it", null=True)),
            ],
        ),
        migrations.CreateModel(
            name="PropertyWalk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("supplier_name", models.CharField(max_length=32)),
                ("part", models.CharField(max_length=8)),
                ("complete_until", models.DateTimeField(null=True)),
                ("begun_at", models.DateTimeField(null=True)),
                ("offset", models.PositiveIntegerField(default=0)),
                ("next_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="hotelfacts",
            name="details",
            field=models.JSONField(
                help_text="All that is described (`Details`); empty until it was asked for", null=True
            ),
        ),
        migrations.AddField(
            model_name="hotelfacts",
            name="language",
            field=models.CharField(db_default="en", default="en", max_length=8),
        ),
        migrations.AlterField(
            model_name="hotelfacts",
            name="content",
            field=models.JSONField(
                help_text="Whatever else a search shows, as its connector keeps it; of English alone",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="property",
            index=models.Index(fields=["supplier_name", "updated_at", "hotel_id"], name="property_changed"),
        ),
        migrations.AddIndex(
            model_name="property",
            index=models.Index(
                fields=["supplier_name", "country", "updated_at", "hotel_id"], name="property_of_country"
            ),
        ),
        migrations.AddIndex(
            model_name="property",
            index=models.Index(
                fields=["supplier_name", "city_key", "updated_at", "hotel_id"], name="property_of_city"
            ),
        ),
        migrations.AddConstraint(
            model_name="property",
            constraint=models.UniqueConstraint(fields=("supplier_name", "hotel_id"), name="property_once"),
        ),
        migrations.AddConstraint(
            model_name="propertywalk",
            constraint=models.UniqueConstraint(fields=("supplier_name", "part"), name="property_walk_once"),
        ),
    ]
