"""Where travellers go: cities, airports, landmarks and hotels, under all names that people type."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, GistIndex
from django.db import models
from django.db.models import F, Func, Q

from apps.common.environments import Environment


class PlaceType(models.TextChoices):
    CITY = "city"
    AIRPORT = "airport"
    HOTEL = "hotel"
    LANDMARK = "landmark"


class Place(models.Model):
    """One place. `environment` and `supplier_name` of hotels only: the rest is shared by both environments.

    `names` are folded, without spaces, one a line, the first the place's own; `keys` is what a search finds it by: `names.py`.
    """

    id = models.CharField(primary_key=True, max_length=64, editable=False)
    type = models.CharField(max_length=8, choices=PlaceType)
    environment = models.CharField(max_length=4, choices=Environment, null=True)
    supplier_name = models.CharField(max_length=32, null=True)
    source_id = models.CharField(
        max_length=64, help_text="The hotel's id, GeoNames' number, an IATA code or a slug"
    )
    name = models.CharField(max_length=255)
    code = models.CharField(max_length=3, null=True, help_text="IATA code of the airport or the city")
    country_code = models.CharField(max_length=2)
    latitude = models.FloatField()
    longitude = models.FloatField()
    time_zone = models.CharField(max_length=64, help_text="IANA name")
    rank = models.PositiveSmallIntegerField(help_text="How well known, a thousand for each power of ten")
    names = models.TextField()
    keys = ArrayField(models.TextField(db_collation="C"))
    digest = models.CharField(
        max_length=16, help_text="Of all that the row is made from: an unchanged place is not written"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(type=PlaceType.HOTEL, environment__isnull=False, supplier_name__isnull=False)
                | (~Q(type=PlaceType.HOTEL) & Q(environment=None, supplier_name=None)),
                name="place_environment_of_hotels",
            ),
        ]
        indexes = [
            GinIndex(fields=["keys"], name="place_keys"),
            # One for each type, so that the nearest airport is not looked for among the hotels around it.
            *(
                GistIndex(
                    Func(F("longitude"), F("latitude"), function="point"),
                    name=f"place_nearest_{type.value}",
                    condition=Q(type=type),
                )
                for type in PlaceType
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.country_code})"
