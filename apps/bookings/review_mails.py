"""The mail to staff when an operation needs their decision."""

from django.conf import settings
from django.core.cache import cache
from django.urls import reverse

from apps.accounts.models import StaffMailKind
from apps.accounts.services.tell_staff import tell_staff
from apps.bookings.models import Operation, OperationState

PAUSE_SECONDS = 600
"""After a mail. While a supplier is away many operations come at once: the list has them all."""
SUBJECT = "An operation needs your decision: {kind} {client_ref}"
BODY = """We could not find out in a day what became of an operation at {supplier}. Its money stays held until you decide.

{page}

{waiting}

You get this mail because you chose it in the back office, under Mails. The next one comes in ten minutes at the earliest.
"""


def mail_review(operation: Operation) -> None:
    """At most one in ten minutes. It names no traveller."""
    if not cache.add("staff_mail:reviews", 1, PAUSE_SECONDS):
        return
    count = Operation.objects.filter(state=OperationState.REVIEW).count()
    page = reverse("admin:bookings_operation_change", args=[operation.pk])
    body = BODY.format(
        supplier=operation.booking.supplier_name,
        page=f"{settings.PUBLIC_BASE_URL}{page}",
        waiting="It is the only one that waits."
        if count == 1
        else f"{count:,} operations wait for a decision.",
    )
    subject = SUBJECT.format(kind=operation.get_kind_display().lower(), client_ref=operation.client_ref)
    tell_staff(StaffMailKind.REVIEWS, subject, body)
