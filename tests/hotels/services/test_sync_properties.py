"""The list of hotels is kept like the suppliers': whole at first, then what changed; nothing is skipped or written twice."""

import signal
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common import clock
from apps.gateway.periodic import Tally
from apps.hotels.models import HotelFacts, Property, PropertyWalk
from apps.hotels.property_store import Kept, keep_described, keep_listed, want
from apps.hotels.services import sync_properties as sync
from apps.hotels.services.sync_properties import Synced, sync_properties
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.liteapi import properties
from apps.hotels.suppliers.properties import Described, Details, Listed
from apps.hotels.suppliers.simulator import properties as simulated
from apps.hotels.tasks import learn_hotels
from apps.places.models import Place
from apps.suppliers.values import replaced
from tests.hotels.suppliers.liteapi.inventory import INNS
from tests.hotels.suppliers.liteapi.stub import CATALOGUE, LiteApiStub, refused
from tests.support.interrupting import interrupt
from tests.support.supplier_stub import refusal, serving

pytestmark = pytest.mark.django_db
Move = Callable[..., None]
HOUR = {"seconds": 3_601}


@pytest.fixture
def stub(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Live hotels come from LiteAPI's stand-in, of two countries; none are listed by the simulator."""
    monkeypatch.setattr(simulated, "CITIES_LISTED", (0, 0))
    monkeypatch.setattr(cities, "featured", list)
    monkeypatch.setattr("apps.suppliers.http.BACKOFF_SECONDS", (0.0, 0.0))
    with serving(LiteApiStub()) as stub:
        settings.SUPPLIERS = {**settings.SUPPLIERS, "hotels": {"live": "liteapi"}}
        settings.SUPPLIER_CREDENTIALS = {**settings.SUPPLIER_CREDENTIALS, "liteapi": stub.credentials()}
        settings.HOTEL_CONTENT_COUNTRIES = ["PT", "ES"]
        yield stub


def stored() -> dict[str, str]:
    rows = Property.objects.filter(supplier_name="liteapi", deleted_at=None)
    return dict(rows.order_by("hotel_id").values_list("hotel_id", "name"))


def asked(stub: LiteApiStub) -> list[tuple[str, str, bool]]:
    """Country, offset, and whether for what changed, of each page that was asked for."""
    pages = [heard.query for heard in stub.heard_by(*CATALOGUE)]
    return [(page["countryCode"], page["offset"], "lastUpdatedAt" in page) for page in pages]


def test_the_whole_list_at_first_and_then_what_changed(stub: LiteApiStub, move_clock: Move) -> None:
    assert sync_properties() == Synced(added=len(INNS))
    assert stored() == {inn.id: inn.name for inn in INNS}
    assert asked(stub) == [("PT", "0", False), ("ES", "0", False)]
    assert sync_properties() == Synced()
    move_clock(**HOUR)
    stub.books.touch("lpstub04", clock.now(), name="Casa Nova")
    stub.books.touch("lpstub05", clock.now(), gone=True)
    assert sync_properties() == Synced(changed=1, deleted=1)
    assert asked(stub)[2:] == [("PT", "0", True), ("ES", "0", True)]
    assert stored() == {
        **{inn.id: inn.name for inn in INNS if inn.id != "lpstub05"},
        "lpstub04": "Casa Nova",
    }
    gone = Property.objects.get(hotel_id="lpstub05")
    assert gone.updated_at >= Property.objects.get(hotel_id="lpstub01").updated_at


def test_hotels_on_the_map_are_places(stub: LiteApiStub, move_clock: Move) -> None:
    sync_properties()
    on_map = {inn.id for inn in INNS if inn.latitude is not None}
    assert set(Place.objects.filter(type="hotel").values_list("source_id", flat=True)) == on_map
    move_clock(**HOUR)
    stub.books.touch("lpstub01", clock.now(), gone=True)
    stub.books.touch("lpstub02", clock.now(), latitude=None)
    stub.books.touch("lpstub03", clock.now(), name="Renamed")
    sync_properties()
    left = Place.objects.filter(type="hotel", environment="live", supplier_name="liteapi")
    assert dict(left.values_list("source_id", "name")) == {
        "lpstub03": "Renamed",
        "lpstub04": "Casa da Ribeira",
        "lpstub05": "Hostal Gracia",
    }


def test_a_hotel_that_was_taken_off_comes_back(stub: LiteApiStub, move_clock: Move) -> None:
    sync_properties()
    move_clock(**HOUR)
    stub.books.touch("lpstub05", clock.now(), gone=True)
    sync_properties()
    assert "lpstub05" not in stored()
    move_clock(**HOUR)
    stub.books.touch("lpstub05", clock.now())
    stub.books.gone.clear()
    assert sync_properties() == Synced(changed=1)
    assert "lpstub05" in stored()


def test_what_is_listed_as_it_is_stored_is_not_written(stub: LiteApiStub, move_clock: Move) -> None:
    sync_properties()
    before = list(Property.objects.order_by("pk").values())
    move_clock(**HOUR)
    for inn in INNS:
        stub.books.touch(inn.id, clock.now())
    with CaptureQueriesContext(connection) as queries:
        assert sync_properties() == Synced(unchanged=len(INNS))
    assert [one for one in queries if "hotels_property " in one["sql"] and "SELECT" not in one["sql"]] == []
    assert list(Property.objects.order_by("pk").values()) == before


def test_pages_overlap_and_a_walk_that_dies_continues(
    stub: LiteApiStub, move_clock: Move, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(properties, "PAGE", 2)
    monkeypatch.setattr(properties, "OVERLAP", 1)
    began, kept = clock.now(), []

    def die_at_the_third_page(supplier_name: str, hotels: Sequence[Listed]) -> Kept:
        kept.append(len(hotels))
        if len(kept) == 4:  # the first is of the simulator
            raise SystemExit
        return keep_listed(supplier_name, hotels)

    with monkeypatch.context() as dying:
        dying.setattr(sync, "keep_listed", die_at_the_third_page)
        with pytest.raises(SystemExit):
            sync_properties()
    walk = PropertyWalk.objects.get(part="PT")
    assert (walk.offset, walk.complete_until, [*stored()]) == (2, None, ["lpstub01", "lpstub02", "lpstub03"])
    assert sync_properties() == Synced(added=1)  # Spain: the other part is claimed for a while
    move_clock(seconds=601)
    sync_properties()
    assert [*stored()] == [inn.id for inn in INNS]
    portugal = [page[1] for page in asked(stub) if page[0] == "PT"]
    assert portugal == ["0", "1", "2", "2", "3", "4"]
    walk.refresh_from_db()
    assert walk.complete_until is not None
    assert (walk.begun_at, walk.offset) == (None, 0)
    assert walk.complete_until < began + timedelta(seconds=600)  # when its first page was asked for


def test_a_run_ends_when_its_time_is_over_and_the_next_one_goes_on(
    stub: LiteApiStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(properties, "PAGE", 2)
    monkeypatch.setattr(properties, "OVERLAP", 0)
    monkeypatch.setattr(sync, "PATIENCE_SECONDS", 0.0)
    for expected in (2, 3, 5, 6):
        sync_properties()
        assert len(stored()) == expected
    assert [page[:2] for page in asked(stub)] == [("PT", "0"), ("ES", "0"), ("PT", "2"), ("PT", "4")]


def test_two_workers_share_the_parts(stub: LiteApiStub) -> None:
    sync_properties()
    PropertyWalk.objects.update(next_at=clock.now())
    first, second = sync.due_walks("liteapi", ("PT",)), sync.due_walks("liteapi", ("PT",))
    assert (sync.claim(first[0]), sync.claim(second[0])) == (True, False)


@pytest.mark.parametrize(
    "answer",
    [refused(2001), refused(4000, told="hotel ids not found"), refusal(204), refusal(200, {"data": None})],
)
def test_a_country_that_seems_empty_is_read_whole_again(
    stub: LiteApiStub, move_clock: Move, answer: Any
) -> None:
    stub.trouble(*CATALOGUE, answer)
    assert sync_properties() == Synced(added=1)
    assert sync_properties() == Synced()
    move_clock(**HOUR)
    assert sync_properties() == Synced(added=5)
    assert [page[2] for page in asked(stub)] == [False, False, False, True]


def test_one_country_without_an_answer_holds_up_no_other(stub: LiteApiStub, move_clock: Move) -> None:
    stub.trouble(*CATALOGUE, refusal(500))
    tally = Tally()
    assert sync_properties(tally=tally) == Synced(added=1)
    assert list(tally.failures) == ["live"]
    move_clock(seconds=601)
    assert sync_properties() == Synced(added=5)


def test_a_hotel_that_cannot_be_read_is_counted_and_hides_no_other(stub: LiteApiStub) -> None:
    stub.books.relisted["lpstub01"] = {"id": ""}
    stub.books.relisted["lpstub02"] = {"country": "Portugal"}
    stub.books.relisted["lpstub03"] = {"latitude": "north", "stars": "many", "zip": 7, "reviewCount": -1}
    assert sync_properties() == Synced(added=4, unreadable=2)
    odd = Property.objects.get(hotel_id="lpstub03")
    assert (odd.latitude, odd.stars, odd.review_count, odd.zip) == (None, None, None, "")


def test_only_what_was_described_before_is_asked_for_again(stub: LiteApiStub, move_clock: Move) -> None:
    sync_properties()
    want("liteapi", ["lpstub01", "lpstub02"])
    learn_hotels()
    move_clock(**HOUR)
    for hotel in ("lpstub01", "lpstub04"):
        stub.books.touch(hotel, clock.now(), reviewCount=500)
    stub.books.redecorated["lpstub01"] = {"hotelDescription": "New."}
    assert sync_properties() == Synced(changed=2)
    listed_at = Property.objects.get(hotel_id="lpstub01").updated_at
    assert learn_hotels() == 1
    facts = HotelFacts.objects.get(hotel_id="lpstub01")
    assert facts.details["description"] == "New."
    assert Property.objects.get(hotel_id="lpstub01").updated_at > listed_at  # the description changed as well


A_HOTEL = Listed("h1", "Hotel", "PT", city="Lisboa")


def test_a_description_that_changes_is_a_change_of_the_hotel(move_clock: Move) -> None:
    keep_listed("acme", [A_HOTEL])
    stamps = []
    for text in ("a", "a", "b"):
        move_clock(seconds=60)
        keep_described("acme", "h1", "de", Described(Details(description=text)))
        stamps.append(Property.objects.get().updated_at)
    assert stamps[0] == stamps[1] < stamps[2]


def test_a_hotel_that_no_list_has_is_stored_as_it_is_described() -> None:
    keep_described("acme", "h1", "en", Described(listed=A_HOTEL))
    assert Property.objects.get().name == "Hotel"
    keep_described("acme", "h1", "en", Described(listed=replaced(A_HOTEL, name="Other")))
    assert Property.objects.get().name == "Hotel"  # from now on its list decides


def test_the_simulator_lists_some_thousands_and_renovates_a_few_each_day(move_clock: Move) -> None:
    first = sync_properties()
    assert 4_000 < first.added < 8_000
    assert Property.objects.filter(latitude=None).count() > 20
    move_clock(days=1)
    second = sync_properties()
    assert 10 < second.changed < first.added / 45
    assert (second.added, second.deleted) == (0, 0)


def test_the_command_that_is_interrupted_goes_on_with_the_next_country(stub: LiteApiStub) -> None:
    interrupt("sync_hotels")
    assert asked(stub) == []  # that was the simulator's only part
    interrupt("sync_hotels")
    assert asked(stub) == [("PT", "0", False)]
    call_command("sync_hotels")
    assert asked(stub)[1:] == [("ES", "0", False)]
    assert stored() == {inn.id: inn.name for inn in INNS}


def test_interrupted_within_a_country_it_goes_on_at_once(
    stub: LiteApiStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sync, "keep_page", lambda *_: signal.raise_signal(signal.SIGINT))
        with pytest.raises(SystemExit) as ended:
            call_command("sync_hotels")
    assert ended.value.code == 130
    assert stored() == {}
    call_command("sync_hotels")
    assert stored() == {inn.id: inn.name for inn in INNS}
