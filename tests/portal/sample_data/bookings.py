from apps.accounts.actors import actor_of
from apps.accounts.models import Account, User
from apps.bookings.models import Booking
from apps.webhooks.models import Event
from tests.factories.keys import issued_key
from tests.support.api import Api
from tests.support.flight_shop import FlightShop


def add(account: Account, owner: User) -> dict[str, str]:
    """A booked flight."""
    _, secret = issued_key(account, name="Back end", actor=actor_of(owner))
    order = FlightShop(Api(secret)).ordered()
    return {
        "booking": order["id"],
        "booking_request": Booking.objects.get(pk=order["id"]).request_id,
        "booking_event": Event.objects.get(booking_id=order["id"]).pk,
    }
