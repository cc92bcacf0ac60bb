"""What a caller may ask of a document."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    VOUCHER = "voucher"
    RECEIPT = "receipt"
    ITINERARY = "itinerary"


class Form(StrEnum):
    PDF = "pdf"
    HTML = "html"


class Prices(StrEnum):
    """Which amounts are printed: none, what the partner pays, or what it sold the booking for."""

    NONE = "none"
    NET = "net"
    SOLD = "sold"


@dataclass(frozen=True, slots=True)
class Asked:
    """`language` is any tag; one that documents do not exist in is English."""

    kind: Kind = Kind.VOUCHER
    form: Form = Form.PDF
    language: str = "en"
    prices: Prices = Prices.NONE
