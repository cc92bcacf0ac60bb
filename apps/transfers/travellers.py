"""What of a transfer names travellers: its lead passenger, and the notes, in which one may be named."""

from datetime import datetime

from apps.bookings.travellers import FORGOTTEN, Details, Travellers
from apps.common.clock import day_after


def ends_at(details: Details) -> datetime:
    """A local time without its offset: over once that day is over everywhere."""
    return day_after(datetime.fromisoformat(details["search"]["outbound"]).date())


TRAVELLERS = Travellers(
    details={
        "lead_passenger": {
            "first_name": FORGOTTEN,
            "last_name": FORGOTTEN,
            "email": FORGOTTEN,
            "phone": FORGOTTEN,
        },
        "flight_number": None,
        "notes": None,
    },
    answer={
        "leadPassenger": {
            "firstName": FORGOTTEN,
            "lastName": FORGOTTEN,
            "email": FORGOTTEN,
            "phone": FORGOTTEN,
        },
        "flightNumber": None,
        "notes": None,
    },
    ends_at=ends_at,
)
