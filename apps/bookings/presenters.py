"""What every booking of every product carries on the wire (contract §1)."""

from collections.abc import Mapping

from apps.bookings.models import Booking
from apps.bookings.travellers.rest import is_redacted
from apps.common.clock import rfc3339
from apps.suppliers.results import Withheld


def booking_json(booking: Booking, own: Mapping[str, object]) -> dict[str, object]:
    """The common fields, then the product's own, for which its details were opened. `exchange` and `redacted` only where they
    say something.
    """
    supplier = {"name": booking.supplier_name, "reference": booking.supplier_reference or None}
    exchange = {"exchange": booking.exchange} if booking.exchange else {}
    redacted = {"redacted": True} if is_redacted(booking) else {}
    return {
        "id": booking.id,
        "reference": booking.reference,
        "externalReference": booking.external_reference,
        "status": booking.status,
        "environment": booking.environment,
        "totalCents": booking.total_cents,
        "currency": booking.currency,
        "createdAt": rfc3339(booking.created_at),
        "updatedAt": rfc3339(booking.updated_at),
        "supplier": supplier,
        **exchange,
        **redacted,
        **own,
        "cancellation": booking.cancellation,
    }


def withheld_json(withheld: Withheld) -> dict[str, int]:
    """What a search's answer leaves out."""
    return {
        "documentsRequired": withheld.documents_required,
        "noLongerSold": withheld.no_longer_sold,
        "unsupported": withheld.unsupported,
        "unreadable": withheld.unreadable,
    }
