"""Flight searches with their offers, and the change options of orders. Orders themselves are bookings (`apps.bookings`)."""

from django.db import models
from django.db.models import Value

from apps.accounts.models import Account
from apps.bookings.models import Booking
from apps.common import clock
from apps.common.environments import Environment


class FlightSearch(models.Model):
    """One search and all its offers in one row: an offer's handle carries this row's id and its place in `offers`."""

    id = models.CharField(primary_key=True, max_length=64, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    supplier_name = models.CharField(max_length=32)
    markup_bp = models.PositiveIntegerField(help_text="As the account had it when the offers were quoted")
    passengers = models.JSONField(help_text="How many of each kind were searched for")
    offers = models.JSONField(help_text="As the supplier gave them (`FlightOffer`)")
    withheld = models.JSONField(
        default=dict,
        db_default=Value({}, models.JSONField()),
        help_text="Counts of what is left out (`Withheld`)",
    )
    repriced = models.JSONField(default=dict, help_text="Totals since quoted again, by index into `offers`")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="flight_search_age")]

    def __str__(self) -> str:
        return self.id


class FlightServiceList(models.Model):
    """Bags or seats as they were listed for an offer or an order: a serviceId has this row's id and its place in `services`."""

    id = models.CharField(primary_key=True, max_length=64, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    subject = models.CharField(max_length=64, help_text="The offer's handle, or the order's id")
    services = models.JSONField(help_text="As the supplier gave them (`FlightService`)")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="flight_service_list_age")]

    def __str__(self) -> str:
        return self.id


class FlightChangeSearch(models.Model):
    """The priced alternatives to one slice of an order: a changeId carries this row's id and its place in `options`."""

    id = models.CharField(primary_key=True, max_length=64, editable=False)
    booking = models.ForeignKey(Booking, on_delete=models.PROTECT, related_name="+")
    slice_id = models.CharField(max_length=64, help_text="The slice they would replace")
    options = models.JSONField(help_text="As the supplier gave them (`ChangeOption`)")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="flight_change_search_age")]

    def __str__(self) -> str:
        return self.id
