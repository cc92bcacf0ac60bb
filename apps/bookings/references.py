"""Booking references for people: a letter for the product and eight characters that cannot be misread, `H-7KQ2M9XD`."""

import secrets

from apps.bookings.models import OperationKind, Product

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without 0 O, 1 I L, U (V)
LETTERS = {Product.HOTEL: "H", Product.FLIGHT: "F", Product.TRANSFER: "T", Product.ESIM: "E"}
SUFFIXES = {OperationKind.CHANGE: "C", OperationKind.CANCEL: "X", OperationKind.ACCEPT: "A"}


def new_reference(product: str) -> str:
    """A new random reference. There are about 6 × 10^11 for each product."""
    return f"{LETTERS[Product(product)]}-{_random(8)}"


def client_ref(reference: str, kind: str) -> str:
    """Our reference as the supplier gets it: the booking's own, with a suffix for each change and cancellation."""
    if kind == OperationKind.BOOK:
        return reference
    return f"{reference}-{SUFFIXES[OperationKind(kind)]}{_random(5)}"


def _random(length: int) -> str:
    number, letters = secrets.randbelow(len(ALPHABET) ** length), []
    for _ in range(length):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)
