"""Wraps the data keys of bookings under the first of FIELD_ENCRYPTION_KEYS. What they seal is not touched."""

from cryptography.fernet import InvalidToken

from apps.bookings.models import TravellerKey
from apps.common import encryption
from apps.common.encryption import Unopenable


def renew(key: TravellerKey) -> bool:
    """Returns False where it is under the first already. Raises InvalidToken where nothing of the setting opens it."""
    stored = bytes(key.wrapped)
    if stored.startswith(encryption.current_key_id()):
        return False
    try:
        key.wrapped = encryption.wrapped(encryption.unwrapped(stored, key.pk), key.pk)
    except Unopenable as error:
        raise InvalidToken from error
    return True
