"""What a partner does, the same with every product: search, book, read, cancel."""

from dataclasses import dataclass
from typing import Any, Protocol

from tests.support.api import Api, Reply


@dataclass(frozen=True)
class Offer:
    """What is booked by (`handle`), and what the partner was told that it costs."""

    handle: str
    cents: int


class Shop(Protocol):
    api: Api
    standing: str
    """The status of a booking that stands."""
    cancels: bool
    """Whether partners can cancel."""

    def search(self) -> Reply:
        """However the supplier behaves."""

    def offers(self, reply: Reply) -> list[Offer]:
        """Those of a search that may be cancelled, the kit's favourite first."""

    def book(self, offer: Offer, key: str, **more: Any) -> Reply: ...

    def read(self, booking_id: str) -> Reply: ...

    def cancel(self, booking_id: str, key: str) -> Reply: ...
