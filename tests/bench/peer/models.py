"""The peer's tables: partners with a wallet each, searches with a row an offer, bookings, Idempotency-Keys."""

# ruff: noqa: DJ008

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models


class Row(models.Model):
    objects: ClassVar[models.Manager[Any]] = models.Manager()
    """Named, because the type checker reads our own settings, where these tables are not."""

    class Meta:
        abstract = True


class Partner(Row):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    name = models.CharField(max_length=80)
    status = models.CharField(max_length=16, default="active")
    currency = models.CharField(max_length=3, default="EUR")


class Wallet(Row):
    partner = models.OneToOneField(Partner, on_delete=models.CASCADE)
    available_cents = models.BigIntegerField(default=0)


class Search(Row):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    partner = models.ForeignKey(Partner, on_delete=models.CASCADE)
    request = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)


class Offer(Row):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    search = models.ForeignKey(Search, on_delete=models.CASCADE, related_name="offers")
    hotel_id = models.CharField(max_length=32)
    hotel_name = models.CharField(max_length=120)
    stars = models.PositiveSmallIntegerField()
    city = models.CharField(max_length=80)
    country_code = models.CharField(max_length=2)
    room_name = models.CharField(max_length=120)
    board = models.CharField(max_length=32)
    refundable = models.BooleanField()
    total_cents = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    cancellation_policy = models.JSONField()
    expires_at = models.DateTimeField()


class Booking(Row):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    partner = models.ForeignKey(Partner, on_delete=models.CASCADE)
    offer = models.ForeignKey(Offer, on_delete=models.PROTECT)
    reference = models.CharField(max_length=32, unique=True)
    external_reference = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=16)
    total_cents = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    guests = models.JSONField()
    contact = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["partner", "-created_at"])]


class IdempotencyKey(Row):
    partner = models.ForeignKey(Partner, on_delete=models.CASCADE)
    key = models.CharField(max_length=255)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["partner", "key"], name="idempotency_key_once")]
