"""Travellers' fields: which ones a product has, how they are stored (sealed under a key of the booking's own), and how they are
read. `docs/travellers.md` has the promises.

A booking that is being made has its details open in memory; one that is read has them as they are in its row. `opened` reads
both, and `at_rest` is what is written.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db.models import BinaryField, QuerySet
from django.db.models.expressions import RawSQL

from apps.bookings.models import Booking, TravellerKey
from apps.common import encryption
from apps.common.encryption import Unopenable

Details = Mapping[str, Any]
FORGOTTEN = "redacted"
"""In the place of a name or a contact. /v1 has always answered a text there that is neither empty nor null."""
logger = logging.getLogger(__name__)

SEALED = "sealed"
"""The entry of the details that holds the sealed fields."""
ANSWER = "sealed:"
"""How a sealed answer begins: `sealed:<booking id>:<text>`. An open one is JSON and begins with a brace."""
WRAPPED = "wrapped_key"
"""The attribute of a booking that was read with its key (`with_keys`)."""
_KEY = "_data_key"
_SEALED = "_sealed_fields"
_OPEN = "_open_details"
_SHUT = "_shut"


@dataclass(frozen=True, slots=True)
class Travellers:
    """The fields by name, each with what stands there once it is forgotten: what the API's document allows there."""

    details: Details
    """Of the booking's own part of its row."""
    answer: Details
    """Of the booking as /v1 answers it."""
    ends_at: Callable[[Details], datetime]
    """When the last service of a booking ends, from its details. They need not be opened."""
    last_names: Callable[[Details], Iterable[str]]
    """Of its travellers, from its opened details."""


_declared: dict[str, Travellers] = {}


def declare(product: str, travellers: Travellers) -> None:
    """Called by a product when its app is ready. One that declares nothing knows no traveller."""
    _declared[product] = travellers


def travellers_of(product: str) -> Travellers | None:
    return _declared.get(product)


def products_with_travellers() -> frozenset[str]:
    return frozenset(_declared)


def with_keys(bookings: QuerySet[Booking]) -> QuerySet[Booking]:
    """The same bookings, each read with its key: to open them costs no further statement."""
    wrapped = "(SELECT wrapped FROM bookings_travellerkey WHERE booking_id = bookings_booking.id)"
    return bookings.annotate(**{WRAPPED: RawSQL(wrapped, (), BinaryField())})  # noqa: S611 - nothing comes from outside


def new_key(booking: Booking) -> bytes | None:
    """Make the key of a new booking. Returns it wrapped, for its row; None where its product names no traveller."""
    if travellers_of(booking.product) is None:
        return None
    key = encryption.new_data_key()
    vars(booking)[_KEY] = AESGCM(key)
    return encryption.wrapped(key, booking.id)


def at_rest(booking: Booking, details: Mapping[str, Any]) -> Mapping[str, Any]:
    """The details as they are stored: the fields that name travellers are blank, and their values sealed in one entry."""
    if SEALED in details or booking.erased_at is not None:
        return details
    travellers = travellers_of(booking.product)
    if travellers is None:
        return details
    key = data_key(booking)
    if key is not None:
        return sealed_details(key, booking, details, travellers.details)
    # It cannot be read now; if the key is restored, it can be read again.
    shut = _sealed_text(booking)
    return details if shut is None else {**details, SEALED: shut}


def _sealed_text(booking: Booking) -> str | None:
    """What was sealed of the booking as it was read, also where its details in memory were replaced since."""
    known: tuple[Mapping[str, Any], object] = vars(booking).get(_OPEN, (booking.details, None))
    text: str | None = booking.details.get(SEALED) or known[0].get(SEALED)
    return text


def sealed_details(
    key: AESGCM, booking: Booking, details: Mapping[str, Any], blank: Mapping[str, Any]
) -> dict[str, Any]:
    """The details with the fields that `blank` names sealed under `key`. A booking is written twice while it is made: fields that
    did not change meanwhile are sealed once.
    """
    fields = {name: details[name] for name in blank if name in details}
    if not fields:
        return dict(details)
    memory = vars(booking)
    before: tuple[object, str] | None = memory.get(_SEALED)
    if before is None or before[0] != fields:
        before = memory[_SEALED] = (fields, encryption.sealed(key, orjson.dumps(fields), booking.id))
    return {**details, **{name: blank[name] for name in fields}, SEALED: before[1]}


def opened(booking: Booking) -> Mapping[str, Any]:
    """The details with what names travellers; with blanks there once that is forgotten."""
    details: Mapping[str, Any] = booking.details
    text = details.get(SEALED)
    if text is None:
        return details
    memory = vars(booking)
    known: tuple[object, Mapping[str, Any]] | None = memory.get(_OPEN)
    if known is not None and known[0] is details:
        return known[1]
    key = data_key(booking)
    fields = _fields(booking, key, text) if key is not None else None
    found = details
    if fields is None:
        memory[_SHUT] = True
    else:
        found = {**details, **fields}
        del found[SEALED]
    memory[_OPEN] = (details, found)
    return found


def is_redacted(booking: Booking) -> bool:
    """Whether its travellers are forgotten. Ask once its details were opened."""
    return booking.erased_at is not None or _SHUT in vars(booking)


def _fields(booking: Booking, key: AESGCM, text: str) -> dict[str, Any] | None:
    try:
        fields: dict[str, Any] = orjson.loads(encryption.opened(key, text, booking.id))
    except Unopenable:
        logger.error("%s: its travellers cannot be read under its key", booking)
        return None
    return fields


def data_key(booking: Booking) -> AESGCM | None:
    """The booking's key; None where it has none, or where nothing of FIELD_ENCRYPTION_KEYS opens it."""
    memory = vars(booking)
    key: AESGCM | None = memory.get(_KEY)
    if key is None:
        wrapped = memory[WRAPPED] if WRAPPED in memory else _stored_key(booking.id)
        key = memory[_KEY] = _unwrapped(booking.id, wrapped) if wrapped is not None else None
    return key


def _stored_key(booking_id: str) -> bytes | None:
    stored = TravellerKey.objects.filter(pk=booking_id).values_list("wrapped", flat=True).first()
    return None if stored is None else bytes(stored)


def _unwrapped(booking_id: str, wrapped: bytes) -> AESGCM | None:
    try:
        return AESGCM(encryption.unwrapped(bytes(wrapped), booking_id))
    except Unopenable:
        logger.error("%s: nothing of FIELD_ENCRYPTION_KEYS opens the key of its travellers", booking_id)
        return None


def sealed_value(booking: Booking, value: object) -> str:
    """A value as JSON, sealed under the booking's key, for a row of another table. Raises Unopenable where it has no key."""
    key = data_key(booking)
    if key is None:
        raise Unopenable
    return encryption.sealed(key, orjson.dumps(value), booking.id)


def opened_value(booking: Booking, text: str) -> Any:
    """What `sealed_value` was given. Raises Unopenable where the key is gone."""
    key = data_key(booking)
    if key is None:
        raise Unopenable
    return orjson.loads(encryption.opened(key, text, booking.id))


def answer_at_rest(booking: object, body: bytes) -> str:
    """A stored answer that shows the booking, sealed under its key; as it is where the booking has none."""
    if not isinstance(booking, Booking) or booking.erased_at is not None:
        return body.decode()
    if travellers_of(booking.product) is None:
        return body.decode()
    key = data_key(booking)
    return (
        body.decode() if key is None else f"{ANSWER}{booking.id}:{encryption.sealed(key, body, booking.id)}"
    )


def booking_of_answer(body: str) -> str | None:
    """Whose answer it is, where it is sealed."""
    return body.split(":", 2)[1] if body.startswith(ANSWER) else None


def opened_answer(body: str) -> str | None:
    """What `answer_at_rest` was given; None where its key is gone."""
    booking_id = booking_of_answer(body)
    if booking_id is None:
        return body
    wrapped = _stored_key(booking_id)
    key = _unwrapped(booking_id, wrapped) if wrapped is not None else None
    return None if key is None else opened_under(key, booking_id, body)


def opened_under(key: AESGCM, booking_id: str, body: str) -> str | None:
    try:
        return encryption.opened(key, body.split(":", 2)[2], booking_id).decode()
    except Unopenable:
        logger.error("%s: an answer that shows it cannot be read under its key", booking_id)
        return None


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
