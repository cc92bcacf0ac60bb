"""Documents: what the travellers get of a booking that stands, and of one that was cancelled."""

from apps.bookings.models import Booking
from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    stage.call(
        "getHotelBookingDocument",
        "receipt",
        "The receipt of a cancelled stay, with its refund",
        id=shown(stage, "hotel", "cancelled"),
        query={"type": "receipt", "format": "pdf", "language": "en", "prices": "net"},
    )
    stage.call(
        "getFlightOrderDocument",
        "itinerary",
        "An itinerary in German, as a page",
        id=shown(stage, "flight", "ticketed"),
        query={"type": "itinerary", "format": "html", "language": "de", "prices": "none"},
    )
    stage.call(
        "getTransferOrderDocument",
        "receipt",
        "The receipt of a cancelled ride, with its refund",
        id=shown(stage, "transfer", "cancelled"),
        query={"type": "receipt", "format": "pdf", "language": "en", "prices": "net"},
    )
    stage.call(
        "getEsimOrderDocument",
        "voucher",
        "A QR code with the steps to install it, as a PDF",
        id=shown(stage, "esim", "provisioned"),
        query={"type": "voucher", "format": "pdf", "language": "pt-BR", "prices": "none"},
    )
    stage.call(
        "getTripDocument",
        "itinerary",
        "All of a trip in one PDF, in French",
        query={
            "tripReference": "ACME-TRIP-7",
            "type": "itinerary",
            "format": "pdf",
            "language": "fr",
            "prices": "none",
        },
    )


def shown(stage: Stage, product: str, status: str) -> str:
    """The id of the first one that an answer has shown, and that has this status by now."""
    answers = [call.answer.body for call in stage.calls]
    known = {body["id"] for body in answers if isinstance(body, dict) and "reference" in body}
    found = Booking.objects.filter(pk__in=known, product=product, status=status).order_by("created_at")
    return str(found.values_list("id", flat=True)[0])
