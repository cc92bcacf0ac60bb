"""What of a flight order names travellers."""

from datetime import datetime

from apps.bookings.travellers import FORGOTTEN, Details, Travellers


def ends_at(details: Details) -> datetime:
    return datetime.fromisoformat(details["slices"][-1]["leg"]["arrival_at"])


TRAVELLERS = Travellers(
    details={"passengers": [], "email": FORGOTTEN, "phone": FORGOTTEN},
    answer={"passengers": [], "contact": {"email": FORGOTTEN, "phone": FORGOTTEN}},
    ends_at=ends_at,
)
