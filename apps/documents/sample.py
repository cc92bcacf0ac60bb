"""A voucher of an invented stay, by which partners see what their branding looks like."""

from dataclasses import replace
from datetime import timedelta

from apps.bookings.models import Booking, Product
from apps.common import clock
from apps.common.environments import Environment
from apps.documents.asked import Asked
from apps.documents.common import Draft, Subject, composed, party
from apps.documents.data import Document, Point, Section, Seller, Span, rows, table
from apps.documents.words import words_in


def sample_voucher(seller: Seller) -> Document:
    """In English, with the mark of a sample on each page. No query."""
    w, now = words_in("en"), clock.now()
    arrival, departure = (now.date() + timedelta(days=days) for days in (40, 43))
    booking = Booking(
        product=Product.HOTEL,
        environment=Environment.TEST,
        status="confirmed",
        reference="H-SAMPLE22",
        created_at=now,
    )
    stay = Span(
        Point(w("check_in_from"), w.day(arrival), "15:00"),
        Point(w("check_out_until"), w.day(departure), "11:00"),
        middle=w.count("nights", 3),
    )
    room = (w("room_number", number=1), "Ada Lovelace\nCharles Babbage", party(w, adults=2))
    draft = Draft(
        subject="Hotel Example",
        bought="",
        lines=("1 Sample Street, Lisbon, Portugal", "+351 210 000 000"),
        references=rows((w("hotel_number"), "SAMPLE-1")),
        sections=(
            Section(
                w("stay"),
                spans=(stay,),
                rows=rows((w("room_type"), "Double room"), (w("board"), w("BB"))),
            ),
            Section(w("guests"), tables=table((w("room"), w("guest_names"), w("occupancy")), [room])),
            Section(w("terms"), notes=(w("free_until", until=w.day(arrival - timedelta(days=2))),)),
        ),
        closing=w("hotel_closing"),
    )
    document = composed(Subject(booking, Asked(), w), draft, seller)
    return replace(document, test=w("sample"), name="sample-voucher")
