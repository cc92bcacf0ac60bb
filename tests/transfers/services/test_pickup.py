"""What of a pick-up is news."""

from datetime import datetime

import pytest

from apps.transfers.services.pickup import with_news
from apps.transfers.suppliers.base import Pickup

AT, LATER = datetime(2027, 2, 3, 14, 30), datetime(2027, 2, 3, 15)


@pytest.mark.parametrize(
    ("known", "told", "news"),
    [
        (Pickup(AT, "Exit A."), Pickup(AT, "Exit A."), None),
        (Pickup(AT, "Exit A.", "+34"), Pickup(None, ""), None),
        (Pickup(None, "Exit A."), Pickup(AT, ""), Pickup(AT, "Exit A.")),
        (Pickup(AT, "Exit A.", "+34"), Pickup(LATER, "Exit B."), Pickup(LATER, "Exit B.", "+34")),
        (None, Pickup(AT, "Exit A."), None),
    ],
)
def test_what_is_told_takes_the_place_of_what_is_known(
    known: Pickup | None, told: Pickup, news: Pickup | None
) -> None:
    assert with_news(known, told) == news
