"""What partners see of an Airalo package: the stand-in sends no field that the table lacks, and what is shown is really read."""

from typing import Any

from apps.esim.suppliers.airalo.content import PACKAGES, SHOWN
from apps.esim.suppliers.airalo.mapping import KINDS, plans_of
from tests.esim.suppliers.airalo import goods
from tests.suppliers.answers import is_read, paths_of, watched


def test_the_stand_in_sends_every_field_that_is_documented_and_no_other() -> None:
    places = [place for kind in KINDS for place in goods.shelf(kind, percent=100)]
    sent = set().union(*map(paths_of, places))
    assert PACKAGES.undocumented(sent) == []
    assert [path for path in PACKAGES.documented if not is_read(path, sent)] == []


def shortened(place: dict[str, Any]) -> dict[str, Any]:
    """The same without what may be absent: the list of currencies, the codes of the countries covered."""
    operators = [
        {
            **one,
            "coverages": [{**covered, "code": None} for covered in one["coverages"]],
            "packages": [{**package, "prices": None} for package in one["packages"]],
        }
        for one in place["operators"]
    ]
    return {**place, "operators": operators}


def test_what_is_shown_of_a_package_is_read() -> None:
    seen: set[str] = set()
    for kind in KINDS:
        for places in (shelf := goods.shelf(kind, percent=100)), [shortened(place) for place in shelf]:
            assert plans_of({"data": [watched(place, seen) for place in places]}, kind, "USD")
    assert [path for path in SHOWN if not is_read(path, seen)] == []
