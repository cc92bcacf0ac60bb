"""Bookings by the last names of their travellers, as the portal's search finds them: equal but for case, accents and spaces.

What is stored is a keyed hash of each name, in the row of the booking's data key: erasing deletes both. It is bound to account
and environment, so that equal names of two partners have nothing in common. It cannot be read back, only compared.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from cryptography.fernet import InvalidToken
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from apps.bookings.models import Booking, TravellerKey
from apps.bookings.travellers import FORGOTTEN, WRAPPED, is_redacted, opened, travellers_of
from apps.common.encryption import ID_BYTES, current_key_id, keyed_hash, keyed_hashes
from apps.common.folding import fold

UNDER = f"substring(last_names[1] FROM 1 FOR {ID_BYTES})"
"""The id of the key that hashed them; null where there are none."""


def folded(name: str) -> str:
    """`Núñez-O’Hara` and `NUNEZ OHARA` are one name."""
    return fold(name).replace(" ", "")


def hashed_last_names(booking: Booking, details: Mapping[str, Any]) -> list[bytes] | None:
    """Each name of the opened details once, for the booking's row; None where its product names no traveller."""
    travellers = travellers_of(booking.product)
    if travellers is None:
        return None
    context = context_of(booking.account_id, booking.environment)
    names = {folded(name) for name in travellers.last_names(details) if name != FORGOTTEN}
    return [keyed_hash(name, context) for name in sorted(names) if name]


def context_of(account_id: str, environment: str) -> str:
    return f"{account_id}\0{environment}"


def named(names: Iterable[str], account_ids: Iterable[str], environment: str) -> QuerySet[TravellerKey]:
    """Of the bookings of these accounts in which a traveller has one of these last names."""
    contexts = [context_of(account_id, environment) for account_id in account_ids]
    wanted = {folded(name) for name in names} - {""}
    hashes = [each for name in wanted for context in contexts for each in keyed_hashes(name, context)]
    return TravellerKey.objects.filter(last_names__overlap=hashes)


def rename(booking: Booking, details: Mapping[str, Any]) -> None:
    """Hash again where `details`, which are about to replace the booking's own, name others. Call it under the booking's lock."""
    travellers = travellers_of(booking.product)
    if travellers is None or is_redacted(booking):
        return
    if set(travellers.last_names(opened(booking))) != set(travellers.last_names(details)):
        hashes = hashed_last_names(booking, details)
        TravellerKey.objects.filter(pk=booking.pk).update(last_names=hashes)


# --- For `manage.py reencrypt`: bookings of before there were hashes, and hashes under another key than the first ---------------
def to_hash() -> QuerySet[TravellerKey]:
    keys = TravellerKey.objects.alias(under=RawSQL(UNDER, ()))  # noqa: S611 - nothing comes from outside
    return keys.filter(Q(last_names=None) | ~Q(under=current_key_id()) & Q(last_names__len__gt=0))


def hash_again(key: TravellerKey) -> bool:
    """Returns False without a booking. Raises InvalidToken where nothing of FIELD_ENCRYPTION_KEYS opens it."""
    booking = Booking.objects.filter(pk=key.pk).first()
    if booking is None:
        return False
    vars(booking)[WRAPPED] = key.wrapped
    details = opened(booking)
    if is_redacted(booking):
        raise InvalidToken
    key.last_names = hashed_last_names(booking, details)
    return True
