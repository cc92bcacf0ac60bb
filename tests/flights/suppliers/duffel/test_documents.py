"""Documents at Duffel: those that an airline issues with an order."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from apps.common import clock
from apps.flights.suppliers.base import IssuedDocument, Passenger, Passengers
from apps.flights.suppliers.duffel import mapping
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import flexible
from tests.flights.suppliers.requests import an_order

pytestmark = pytest.mark.django_db

ADA = Passenger("Ada", "Lovelace", date(1990, 12, 10), "adult", "ms")
MARY = replace(ADA, first_name="Mary")
BYRON = Passenger("Byron", "Lovelace", date(2018, 5, 12), "child", "mr")


def a_party(duffel: DuffelFlights, *passengers: Passenger, **search: Any) -> Any:
    """An order request of these passengers, for the cheapest flexible offer."""
    kinds = [one.type for one in passengers]
    counts = Passengers(kinds.count("adult"), kinds.count("child"), kinds.count("infant"))
    return replace(an_order(flexible(duffel, passengers=counts, **search)), passengers=passengers)


def numbers(documents: tuple[IssuedDocument, ...]) -> list[tuple[str, int | None]]:
    return [(one.number, one.passenger) for one in documents]


def test_each_ticket_names_its_passenger_by_the_place_that_we_gave(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    """Also where Duffel lists passengers in another order, and when the order is only read."""
    order = duffel.book(a_party(duffel, BYRON, ADA, MARY))
    (body,) = [heard.json["data"] for heard in stub.heard_by("POST", paths.ORDERS)]
    assert body["metadata"]["passengers"].split() == [one["id"] for one in body["passengers"]]
    stub.orders[order.supplier_reference]["passengers"].reverse()
    read = duffel.read_order(order.supplier_reference)
    assert sorted(one.passenger or 0 for one in read.documents) == [0, 1, 2]
    by_place = {place: number for number, place in numbers(read.documents)}
    issued = stub._order_now(stub.orders[order.supplier_reference])["documents"]
    whose = {one["passenger_ids"][0]: one["unique_identifier"] for one in issued}
    assert [by_place[place] for place in range(3)] == [whose[one["id"]] for one in body["passengers"]]


ONE = {"passengers": [{"id": "pas_1"}], "metadata": {"reference": "F-1"}}
TWO = {"passengers": [{"id": "pas_2"}, {"id": "pas_1"}], "metadata": {"passengers": "pas_1 pas_2"}}
OLD = {"passengers": [{"id": "pas_2"}, {"id": "pas_1"}], "metadata": None}
TICKET = {"type": "electronic_ticket", "unique_identifier": "1", "passenger_ids": ["pas_1"]}
EMD = "electronic_miscellaneous_document"


@pytest.mark.parametrize(
    ("order", "documents", "expected"),
    [
        (ONE, [TICKET, TICKET], [("electronic_ticket", "1", 0)] * 2),  # numbers need not be unique
        (ONE, [{**TICKET, "passenger_ids": None}], [("electronic_ticket", "1", 0)]),
        (ONE, [{**TICKET, "type": f"{EMD}_associated"}], [("emd_associated", "1", 0)]),
        (ONE, [{**TICKET, "type": f"{EMD}_standalone"}], [("emd_standalone", "1", 0)]),
        (TWO, [{**TICKET, "passenger_ids": ["pas_2"]}], [("electronic_ticket", "1", 1)]),
        (TWO, [{**TICKET, "passenger_ids": ["pas_1", "pas_2"]}], [("electronic_ticket", "1", None)]),
        (TWO, [{**TICKET, "passenger_ids": ["pas_3"]}], [("electronic_ticket", "1", None)]),
        (
            TWO,
            [{**TICKET, "passenger_ids": [7]}, TICKET],
            [("electronic_ticket", "1", None), ("electronic_ticket", "1", 0)],
        ),
        (OLD, [TICKET], [("electronic_ticket", "1", None)]),
        (ONE, [], []),
        (ONE, None, []),
        (ONE, ["no document", {**TICKET, "type": "voucher"}, {**TICKET, "unique_identifier": 7}], []),
    ],
)
def test_documents_are_read_as_far_as_they_say_something(
    stub: DuffelStub, duffel: DuffelFlights, order: Any, documents: Any, expected: Any
) -> None:
    shown = stub._order_now(stub.orders[duffel.book(a_party(duffel, ADA)).supplier_reference])
    read = mapping.order({**shown, **order, "documents": documents}, now=clock.now(), final=True)
    assert [(one.type, one.number, one.passenger) for one in read.documents] == expected
    assert read.ticket_numbers == (
        ("1",) if any(kind == "electronic_ticket" for kind, _, _ in expected) else ()
    )
    assert read.issued
