"""Hotel searches with their rates, and what suppliers tell of their hotels. Bookings are `apps.bookings`' own."""

from django.db import models
from django.db.models import Q, Value

from apps.accounts.models import Account
from apps.bookings.models import Booking
from apps.common import clock
from apps.common.environments import Environment


class HotelSearch(models.Model):
    """One search and all it found in one row: a rate's handle carries this row's id and the rate's place in `hotels`."""

    id = models.CharField(primary_key=True, max_length=64, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    supplier_name = models.CharField(max_length=32)
    markup_bp = models.PositiveIntegerField(help_text="As the account had it when the rates were quoted")
    check_in = models.DateField()
    check_out = models.DateField()
    rooms = models.JSONField(help_text="Who was searched for (`Room`)")
    hotels = models.JSONField(help_text="As the supplier gave them (`HotelOffer`)")
    withheld = models.JSONField(
        default=dict,
        db_default=Value({}, models.JSONField()),
        help_text="Counts of what is left out (`Withheld`)",
    )
    page_size = models.PositiveSmallIntegerField(
        null=True, help_text="How many hotels the first answer has; null: all"
    )
    language = models.CharField(
        max_length=8, default="en", db_default="en", help_text="Of the texts that its supplier has in it"
    )
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField(
        help_text="Until when its rates can be booked; the record is read for longer"
    )

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="hotel_search_age")]

    def __str__(self) -> str:
        return self.id


class HotelFacts(models.Model):
    """What a supplier tells of a hotel, but not in its searches. `wanted_at`: since when a search waits for it to be asked."""

    supplier_name = models.CharField(max_length=32)
    hotel_id = models.CharField(max_length=64)
    amenities = models.JSONField(default=list)
    content = models.JSONField(
        null=True, help_text="Whatever else travellers are shown, as its connector keeps it"
    )
    wanted_at = models.DateTimeField(null=True)
    learned_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["supplier_name", "hotel_id"], name="hotel_facts_once")]
        indexes = [
            models.Index(
                fields=["wanted_at"], name="hotel_facts_wanted", condition=Q(wanted_at__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.supplier_name} {self.hotel_id}"


class CorrectionStatus(models.TextChoices):
    REQUESTED = "requested"
    DONE = "done"
    NOT_DONE = "not_done"


class CorrectionRequest(models.Model):
    """A booking's newest request for another name of its lead guest, for staff: the name itself is in the booking alone."""

    booking = models.OneToOneField(
        Booking, on_delete=models.PROTECT, primary_key=True, related_name="+", editable=False
    )
    client_ref = models.CharField(max_length=32, help_text="Our own reference of it")
    status = models.CharField(max_length=9, choices=CorrectionStatus, default=CorrectionStatus.REQUESTED)
    is_certain = models.BooleanField(help_text="Whether the supplier has said that it has the request")
    requested_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="From then on staff find out what became of it")
    alerted_at = models.DateTimeField(null=True, help_text="When staff were alerted")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], name="correction_open", condition=Q(decided_at__isnull=True))
        ]

    def __str__(self) -> str:
        return self.client_ref
