"""What of a hotel booking names travellers."""

from datetime import date, datetime

from apps.bookings.travellers import FORGOTTEN, Details, Travellers
from apps.common.clock import day_after


def ends_at(details: Details) -> datetime:
    return day_after(date.fromisoformat(details["check_out"]))


TRAVELLERS = Travellers(
    details={"guests": [], "email": FORGOTTEN, "phone": FORGOTTEN, "special_requests": None},
    answer={"guests": [], "contact": {"email": FORGOTTEN, "phone": FORGOTTEN}, "specialRequests": None},
    ends_at=ends_at,
)
