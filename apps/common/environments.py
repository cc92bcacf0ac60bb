"""Environment: `test` or `live`, taken from the key that calls. Everything a partner owns belongs to one of them."""

from django.db import models


class Environment(models.TextChoices):
    TEST = "test"
    LIVE = "live"
