"""Documents of an order: what travellers show, and what the airline issues."""

from dataclasses import replace
from typing import Any

from apps.bookings.flow.polling import poll
from apps.bookings.models import Booking
from apps.flights.suppliers.base import EMD_ASSOCIATED, TICKET, IssuedDocument
from apps.suppliers.simulation import BOOK
from tests.flights.desk import ADA, ANNABELLA, BYRON, CHARLES, Desk
from tests.support.scripted_flights import ScriptedFlights

FAMILY = {"adults": 2, "children": 1, "infants": 1}


def test_everybody_has_a_ticket_and_a_change_brings_new_ones(desk: Desk) -> None:
    party = [ADA, CHARLES, BYRON, ANNABELLA]
    order = desk.order(desk.flexible(passengers=FAMILY), passengers=party).body
    issued = order["documents"]
    assert [(one["type"], one["passenger"]) for one in issued] == [(TICKET, place) for place in range(4)]
    assert [one["number"] for one in issued] == order["ticketNumbers"]
    changed = desk.changed(order, desk.options_of(order, days=61)[0])
    assert [one["number"] for one in changed["documents"]] == changed["ticketNumbers"]
    assert not {one["number"] for one in issued} & set(changed["ticketNumbers"])


def issue(airline: ScriptedFlights, order: dict[str, Any], *documents: IssuedDocument) -> None:
    """The airline has these documents of the order from now on, and the order is polled."""
    reference = order["supplier"]["reference"]
    write = airline.simulator.store.find(BOOK, order["reference"])
    assert write is not None
    record, sequence = airline.simulator.latest(reference)
    record = replace(record, order=replace(record.order, documents=documents))
    airline.simulator._write_next("change", f"{reference}-issued-{sequence + 1}", sequence + 1, record)
    poll(Booking.objects.get(pk=order["id"]))


def test_documents_that_come_later_are_read_and_none_are_forgotten(
    desk: Desk, airline: ScriptedFlights
) -> None:
    order = desk.ordered()
    receipt = IssuedDocument(EMD_ASSOCIATED, "1", None)
    issue(airline, order, *(receipt, receipt))
    shown = desk.read(order["id"])["documents"]
    assert shown == [{"type": "emd_associated", "number": "1", "passenger": None}] * 2
    issue(airline, order)
    assert desk.read(order["id"])["documents"] == shown


def test_an_order_of_an_earlier_release_has_none(desk: Desk) -> None:
    order = desk.ordered()
    booking = Booking.objects.get(pk=order["id"])
    details = {name: value for name, value in booking.details.items() if name != "documents"}
    Booking.objects.filter(pk=booking.pk).update(details=details)
    read = desk.read(order["id"])
    assert (read["documents"], read["ticketNumbers"]) == ([], order["ticketNumbers"])
