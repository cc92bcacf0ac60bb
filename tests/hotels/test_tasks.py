from collections.abc import Callable

import pytest

from apps.common import clock
from apps.hotels import tasks
from apps.hotels.models import HotelFacts
from apps.hotels.tasks import forget_hotels

pytestmark = pytest.mark.django_db


def told_by(supplier: str, *hotels: str) -> None:
    now = clock.now()
    for hotel in hotels:
        HotelFacts.objects.create(supplier_name=supplier, hotel_id=hotel, learned_at=now)


def left() -> list[tuple[str, str]]:
    return list(HotelFacts.objects.order_by("pk").values_list("supplier_name", "hotel_id"))


def test_what_nobody_finds_any_more_is_forgotten_whoever_told_it(move_clock: Callable[..., None]) -> None:
    told_by("acme", "h1", "h2")
    told_by("other", "h1")
    HotelFacts.objects.create(supplier_name="other", hotel_id="never told", wanted_at=clock.now())
    assert forget_hotels() == 0
    move_clock(days=29)
    told_by("acme", "h3")
    HotelFacts.objects.create(supplier_name="other", hotel_id="just wanted", wanted_at=clock.now())
    assert forget_hotels() == 0
    move_clock(days=2)
    assert forget_hotels() == 4
    assert left() == [("acme", "h3"), ("other", "just wanted")]


def test_what_was_told_is_kept_a_month_from_then_however_long_it_has_been_wanted(
    move_clock: Callable[..., None],
) -> None:
    HotelFacts.objects.create(supplier_name="acme", hotel_id="told late", wanted_at=clock.now())
    move_clock(days=29)
    HotelFacts.objects.update(learned_at=clock.now())
    move_clock(days=2)
    assert (forget_hotels(), left()) == (0, [("acme", "told late")])
    move_clock(days=29)
    assert (forget_hotels(), left()) == (1, [])


def test_no_more_is_kept_than_fits_and_the_oldest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    told_by("acme", "h1", "h2")
    told_by("other", "h3")
    monkeypatch.setattr(tasks, "MOST_FACTS", 2)
    assert forget_hotels() == 1
    assert left() == [("acme", "h2"), ("other", "h3")]
