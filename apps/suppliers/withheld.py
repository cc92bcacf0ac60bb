"""What a search found, and how much of it is left out of the answer. No offer disappears uncounted (contract §3)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

Offer = TypeVar("Offer")


@dataclass(frozen=True, slots=True)
class Withheld:
    """How many offers (of hotels: rates) a supplier sent and the answer lacks. Filters and `limit` withhold nothing."""

    documents_required: int = 0
    """The supplier demands identity documents, which we do not collect."""
    no_longer_sold: int = 0
    """Expired, departed or begun."""
    unsupported: int = 0
    """Cannot be sold through us: paid at the property, for members only, on split tickets, in a currency without a rate."""
    unreadable: int = 0
    """Malformed."""

    def __add__(self, other: "Withheld") -> "Withheld":
        return Withheld(
            self.documents_required + other.documents_required,
            self.no_longer_sold + other.no_longer_sold,
            self.unsupported + other.unsupported,
            self.unreadable + other.unreadable,
        )


NONE_WITHHELD = Withheld()


class Found(list[Offer]):
    """The offers of a search, a list like any other, together with what was withheld of it."""

    def __init__(self, offers: Iterable[Offer] = (), withheld: Withheld = NONE_WITHHELD) -> None:
        super().__init__(offers)
        self.withheld = withheld

    def still_sold(self, is_over: Callable[[Offer], bool]) -> "Found[Offer]":
        """The offers that are not over; those that are, are counted."""
        sold = [offer for offer in self if not is_over(offer)]
        return Found(sold, self.withheld + Withheld(no_longer_sold=len(self) - len(sold)))
