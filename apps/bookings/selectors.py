"""Reads of bookings. Every one begins from the account and the environment."""

from collections.abc import Mapping

from django.db.models import QuerySet

from apps.bookings.models import Booking
from apps.bookings.travellers.rest import with_keys
from apps.common.errors import NotFound
from apps.common.ids import is_well_formed
from apps.keys.partner import Partner

FILTERS = {"externalReference": "external_reference", "status": "status"}


def bookings_of(account_id: str, environment: str, product: str) -> QuerySet[Booking]:
    """All bookings of one product that an account made in one environment."""
    mine = Booking.objects.filter(account_id=account_id, environment=environment, product=product)
    return with_keys(mine)


def filtered(partner: Partner, product: str, filters: Mapping[str, str]) -> QuerySet[Booking]:
    """The partner's bookings of a product, narrowed by the wire's filters (contract §1)."""
    named = {FILTERS[name]: value for name, value in filters.items()}
    return bookings_of(partner.account_id, partner.environment, product).filter(**named)


def booking_of(partner: Partner, product: str, booking_id: str) -> Booking:
    """One booking of the partner's; NotFound for unknown, malformed and foreign ids alike."""
    if not is_well_formed(booking_id):
        raise NotFound
    booking = bookings_of(partner.account_id, partner.environment, product).filter(pk=booking_id).first()
    if booking is None:
        raise NotFound
    return booking
