"""The evidence pack of a booking as a download."""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from apps.accounts.models import AuditAction
from apps.accounts.services.audit import Subject, record
from apps.bookings.models import Booking
from apps.common.clock import rfc3339
from apps.common.snapshot import one_snapshot
from apps.portal.bookings.evidence.pack import files_of
from apps.portal.bookings.evidence.stream import zipped
from apps.portal.bookings.history import history_of
from apps.portal.bookings.timeline import booking_timeline
from apps.portal.bookings.views import BookingView


class EvidenceView(BookingView):
    http_method_names = ["get", "head", "options"]

    def get(self, request: HttpRequest, booking_id: str) -> HttpResponse:
        booking = self.object_or_404(booking_id=booking_id)
        with one_snapshot():
            history = history_of(booking, payloads=True)
        if (
            getattr(request, "staff_visit", None) is None
        ):  # a visit of our staff writes nothing; its own log has the page
            self.note(booking)
        now = booking.now()
        about = {
            "booking": booking.pk,
            "reference": booking.reference,
            "environment": booking.environment,
            "madeAt": rfc3339(now),
        }
        name = f"evidence-{booking.reference}"
        story = booking_timeline(self.portal, history)
        parts = zipped(name, files_of(history, story), about, at=now)
        response = StreamingHttpResponse(parts, content_type="application/zip")
        response["Content-Disposition"] = f'attachment; filename="{name}.zip"'
        return response  # type: ignore[return-value]  # as every streamed answer

    def note(self, booking: Booking) -> None:
        record(
            account=booking.account_id,
            environment=booking.environment,
            action=AuditAction.BOOKING_EVIDENCE,
            actor=self.actor,
            subject=Subject("booking", booking.pk, booking.reference),
        )
