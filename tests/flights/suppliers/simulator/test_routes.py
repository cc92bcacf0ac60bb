import pytest

from apps.flights.suppliers.simulator.catalogue import CARRIERS, Path, paths, region_of
from apps.suppliers import airports
from apps.suppliers.airports import Airport
from tests.flights.suppliers.routes import MAIN_ROUTES


def known(code: str) -> Airport:
    airport = airports.find(code)
    assert airport is not None
    return airport


def between(origin: str, destination: str) -> tuple[Path, ...]:
    return paths(known(origin), known(destination))


def test_every_carrier_is_one_and_at_home_where_it_says() -> None:
    assert len({carrier.code for carrier in CARRIERS}) == len(CARRIERS)
    for carrier in CARRIERS:
        homes = {known(hub).country for hub in carrier.hubs}
        assert carrier.country in homes, carrier
        assert carrier.roams or homes <= region_of(carrier.country) | NEIGHBOURLY.get(carrier.code, set()), (
            carrier
        )


NEIGHBOURLY = {"LA": {"PE"}}
"""Network carriers with a hub abroad, outside a region in which carriers of all countries mix."""


@pytest.mark.parametrize(("origin", "destination"), MAIN_ROUTES)
def test_main_routes_have_three_to_six_services_of_their_own(origin: str, destination: str) -> None:
    found = between(origin, destination)
    assert 3 <= len(found) <= 6
    assert len(set(found)) == len(found)
    assert {(path.stops[0].code, path.stops[-1].code) for path in found} == {(origin, destination)}
    for path in found:
        hubs = [stop.code for stop in path.stops[1:-1]]
        assert len(hubs) <= 1
        assert set(hubs) <= set(path.carrier.hubs)


def test_direct_carriers_belong_to_one_of_the_ends() -> None:
    direct = {path.carrier.country for path in between("DEL", "BOM") if len(path.stops) == 2}
    assert direct == {"IN"}


def test_far_away_one_flies_directly_only_from_or_to_a_hub() -> None:
    direct = [path for path in between("LHR", "JFK") if len(path.stops) == 2]
    assert direct
    for path in direct:
        assert {"LHR", "JFK"} & set(path.carrier.hubs)


def test_nobody_flies_directly_half_around_the_world() -> None:
    assert {len(path.stops) for path in between("SYD", "LHR")} == {3}


def test_within_a_country_only_its_carriers_connect() -> None:
    assert {path.carrier.country for path in between("JFK", "LAX")} == {"US"}


def test_remote_islands_are_reached() -> None:
    assert len(between("IPC", "LYR")) >= 3


def test_nobody_flies_within_a_city() -> None:
    assert between("LHR", "LGW") == ()
    assert between("LHR", "LHR") == ()
