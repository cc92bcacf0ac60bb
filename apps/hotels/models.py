"""Hotel searches with their rates, and the suppliers' descriptions of their hotels. Bookings are `apps.bookings`' own.

The content of hotels is kept in two tables, each written from one kind of answer, so that neither overwrites the other:

- `Property`: what a supplier's *list* of hotels says, in one row a hotel. Ours are filtered and ordered by it, so it has columns.
- `HotelFacts`: what it *describes* one hotel as, in one row a language, requested only when it is read. Nothing is ever
  looked up inside it, so rooms, facilities, pictures and policies are one JSON document, which is read and replaced as a whole.
"""

from django.db import models
from django.db.models import F, Q, Value

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


class HotelChangeSearch(models.Model):
    """The priced alternatives to the stay of a booking: a changeId carries this row's id and its place in `options`."""

    id = models.CharField(primary_key=True, max_length=64, editable=False)
    booking = models.ForeignKey(Booking, on_delete=models.PROTECT, related_name="+")
    stay = models.JSONField(
        help_text="The stay that they are for, and the one that they replace (`ChangeSearch`)"
    )
    penalty_cents = models.BigIntegerField(help_text="What giving up the stay of then costs")
    options = models.JSONField(help_text="As the supplier gave them (`Rate`)")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="hotel_change_search_age")]

    def __str__(self) -> str:
        return self.id


class HotelFacts(models.Model):
    """What a supplier says of a hotel in one language, but neither in its searches nor in its lists.

    `wanted_at`: since when it waits for the supplier to be asked. The previous release knows English only.
    """

    supplier_name = models.CharField(max_length=32)
    hotel_id = models.CharField(max_length=64)
    language = models.CharField(max_length=8, default="en", db_default="en")
    amenities = models.JSONField(default=list)
    content = models.JSONField(
        null=True, help_text="Whatever else a search shows, as its connector keeps it; of English alone"
    )
    details = models.JSONField(
        null=True, help_text="All that is described (`Details`); empty until it is first requested"
    )
    wanted_at = models.DateTimeField(null=True)
    learned_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                # As expressions it is an index alone, which is built while the table is in use.
                F("supplier_name"),
                F("hotel_id"),
                F("language"),
                name="hotel_facts_once_a_language",
            )
        ]
        indexes = [
            models.Index(
                fields=["wanted_at"], name="hotel_facts_wanted", condition=Q(wanted_at__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.supplier_name} {self.hotel_id} {self.language}"


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
    is_certain = models.BooleanField(help_text="Whether the supplier has confirmed that it has the request")
    requested_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="From then on staff find out its outcome")
    alerted_at = models.DateTimeField(null=True, help_text="When staff were alerted")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], name="correction_open", condition=Q(decided_at__isnull=True))
        ]

    def __str__(self) -> str:
        return self.client_ref


class Property(models.Model):
    """A hotel as its supplier lists it. One without coordinates is here as well, although it is not sold.

    The environment follows from the supplier. `content_hash` is of the whole row as it was listed: what is listed unchanged is
    not written. `updated_at` is when the row or a description of the hotel changed here, and is what `updatedSince` goes by.
    """

    supplier_name = models.CharField(max_length=32)
    hotel_id = models.CharField(max_length=64)
    name = models.CharField(max_length=255)
    stars = models.DecimalField(max_digits=2, decimal_places=1, null=True)
    line = models.CharField(max_length=255, blank=True)
    city = models.CharField(max_length=255, blank=True)
    city_key = models.CharField(max_length=255, blank=True, help_text="The city as it is searched (`fold`)")
    zip = models.CharField(max_length=32, blank=True)
    country = models.CharField(max_length=2)
    latitude = models.FloatField(null=True)
    longitude = models.FloatField(null=True)
    chain = models.CharField(max_length=255, blank=True)
    image = models.CharField(max_length=500, blank=True, help_text="The address of its main picture")
    review_score = models.DecimalField(max_digits=3, decimal_places=1, null=True)
    review_count = models.PositiveIntegerField(null=True)
    content_hash = models.BigIntegerField()
    updated_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, help_text="Its supplier no longer lists it")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["supplier_name", "hotel_id"], name="property_once")]
        indexes = [
            models.Index(fields=["supplier_name", "updated_at", "hotel_id"], name="property_changed"),
            models.Index(
                fields=["supplier_name", "country", "updated_at", "hotel_id"], name="property_of_country"
            ),
            models.Index(
                fields=["supplier_name", "city_key", "updated_at", "hotel_id"], name="property_of_city"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PropertyWalk(models.Model):
    """How far a supplier's list of hotels has been read. It is walked in parts (countries), page by page.

    `complete_until`: all that had changed before is stored; the next walk asks for what changed since. A walk under way has
    `begun_at`, the instant before its first page was asked for, and `offset`, at which the next run continues. `next_at`: when
    the part is due.
    """

    supplier_name = models.CharField(max_length=32)
    part = models.CharField(max_length=8)
    complete_until = models.DateTimeField(null=True)
    begun_at = models.DateTimeField(null=True)
    offset = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["supplier_name", "part"], name="property_walk_once")]

    def __str__(self) -> str:
        return f"{self.supplier_name} {self.part}"
