"""What the suppliers of every product return: offers and how many were withheld, penalty steps, references.

No offer disappears uncounted (contract §3).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple, TypeVar

from apps.common.money import Cents

Offer = TypeVar("Offer")


@dataclass(frozen=True, slots=True)
class Withheld:
    """How many offers (of hotels: rates) a supplier sent and the answer lacks. Filters and `limit` withhold nothing."""

    documents_required: int = (
        0  # the supplier demands identity documents, and the search did not ask for such
    )
    no_longer_sold: int = 0  # expired, departed or begun
    unsupported: int = 0
    """Cannot be sold through us: paid at the property, for members only, on split tickets, in a currency without a rate."""
    unreadable: int = 0  # malformed

    def __add__(self, other: "Withheld") -> "Withheld":
        return Withheld(
            self.documents_required + other.documents_required,
            self.no_longer_sold + other.no_longer_sold,
            self.unsupported + other.unsupported,
            self.unreadable + other.unreadable,
        )


NONE_WITHHELD = Withheld()


class Found(list[Offer]):
    def __init__(self, offers: Iterable[Offer] = (), withheld: Withheld = NONE_WITHHELD) -> None:
        super().__init__(offers)
        self.withheld = withheld

    def still_sold(self, is_over: Callable[[Offer], bool]) -> "Found[Offer]":
        """The offers that are not over; those that are, are counted."""
        sold = [offer for offer in self if not is_over(offer)]
        return Found(sold, self.withheld + Withheld(no_longer_sold=len(self) - len(sold)))


@dataclass(frozen=True, slots=True)
class AirlineCredit:
    """What an airline keeps for a traveller in place of a refund, to be spent with that airline under `code`, which may come
    later. `passenger` is the index among the passengers as they were sent, None if the supplier does not provide it.
    `supplier_id` is the supplier's name for it, "" where it has none.
    """

    passenger: int | None
    amount_cents: Cents
    currency: str
    supplier_id: str = ""
    code: str | None = field(default=None, repr=False)
    expires_on: date | None = None


class PenaltyStep(NamedTuple):
    """From this instant on (None: from the booking on) cancelling costs so much, until the next step begins.

    A tuple, because a search has a hundred of them: it is stored in a third of a dataclass' time, and quick to find again.
    """

    starts_at: datetime | None
    penalty_cents: Cents


PenaltySteps = tuple[PenaltyStep, ...]
"""Ascending, each with an instant and a penalty of its own. Before the first step cancelling costs nothing."""


def without_idle(steps: Iterable[PenaltyStep]) -> PenaltySteps:
    found: list[PenaltyStep] = []
    costs = 0
    for step in steps:
        if step.penalty_cents != costs:
            found.append(step)
            costs = step.penalty_cents
    return tuple(found)


LONGEST_REFERENCE = 255
"""As many characters as are kept of it. An answer under a longer one counts as unreadable: it could not be found again."""
