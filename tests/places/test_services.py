"""Keeping places: what is new or changed is written, and nothing else."""

from dataclasses import replace
from itertools import islice

import pytest
from django.core.management import call_command

from apps.places import services
from apps.places.models import Place
from apps.places.services import HotelPlace, forget_hotels, keep_hotels
from apps.places.sources import everything
from tests.support.interrupting import interrupt

pytestmark = pytest.mark.django_db

MEURICE = HotelPlace("lp1", "Hôtel Le Meurice", "Paris", "FR", 48.8652, 2.3281, stars=5, review_count=2_000)
RITZ = HotelPlace("lp2", "Ritz", "Paris", "FR", 48.8683, 2.3286, stars=5)


def stored() -> dict[str, str]:
    """The names by environment and the supplier's id."""
    return {f"{row.environment} {row.source_id}": row.name for row in Place.objects.order_by("id")}


def test_hotels_are_written_when_new_or_changed_and_removed_when_gone(django_assert_num_queries) -> None:
    assert keep_hotels("live", "liteapi", [MEURICE, RITZ]) == 2
    before = {row.source_id: row.id for row in Place.objects.all()}
    with django_assert_num_queries(1):
        assert keep_hotels("live", "liteapi", [MEURICE, RITZ]) == 0
    assert keep_hotels("live", "liteapi", [MEURICE, replace(RITZ, name="The Ritz")]) == 1
    assert keep_hotels("test", "simulator", [MEURICE]) == 1
    assert stored() == {
        "live lp1": "Hôtel Le Meurice",
        "live lp2": "The Ritz",
        "test lp1": "Hôtel Le Meurice",
    }
    assert {row.source_id: row.id for row in Place.objects.filter(environment="live")} == before

    assert forget_hotels("live", "liteapi", ["lp1", "unknown"]) == 1
    assert sorted(stored()) == ["live lp2", "test lp1"]


def test_a_hotel_has_the_clock_of_where_it_lies() -> None:
    keep_hotels("live", "liteapi", [MEURICE])
    row = Place.objects.get()
    assert (row.type, row.time_zone, row.country_code, row.rank) == ("hotel", "Europe/Paris", "FR", 4151)


@pytest.mark.parametrize(
    "odd",
    [
        {"latitude": None},
        {"longitude": 181.0},
        {"latitude": float("nan")},
        {"country_code": ""},
        {"country_code": "ZZ"},
        {"name": "…"},
    ],
)
def test_a_hotel_that_nobody_could_find_is_left_out(odd: dict[str, object]) -> None:
    assert keep_hotels("live", "liteapi", [replace(MEURICE, **odd), RITZ]) == 1


def test_odd_names_are_kept_as_they_can_be() -> None:
    name = 'A, "B" {C}\\ \x00 null ' + "x" * 300
    assert keep_hotels("live", "liteapi", [replace(MEURICE, name=name, city="{},")]) == 1
    assert Place.objects.get().name == name.replace("\x00", "")[:255]


def test_a_load_that_is_interrupted_has_written_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    some = list(islice(everything(), 50))
    monkeypatch.setattr(services, "everything", lambda: some)
    monkeypatch.setattr(services, "BATCH", 20)
    Place.objects.all().delete()
    interrupt("load_places")
    assert not Place.objects.exists()
    call_command("load_places")
    assert Place.objects.count() == 50
