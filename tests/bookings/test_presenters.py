"""What every booking carries on the wire."""

from datetime import UTC, datetime

import pytest

from apps.bookings.models import Booking
from apps.bookings.presenters import booking_json

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def booked(**columns: object) -> Booking:
    return Booking(id="hbk_1", supplier_name="acme", created_at=AT, updated_at=AT, **columns)


@pytest.mark.parametrize(("kept", "shown"), [("", None), ("their-7", "their-7")])
def test_a_supplier_without_a_reference_has_none(kept: str, shown: str | None) -> None:
    shown_as = booking_json(booked(supplier_reference=kept), {})
    assert shown_as["supplier"] == {"name": "acme", "reference": shown}


def test_a_rate_is_shown_where_there_is_one() -> None:
    rate = {"base": "USD", "quote": "EUR", "rate": "0.9", "asOf": "2026-11-20"}
    assert booking_json(booked(exchange=rate), {})["exchange"] == rate
    assert "exchange" not in booking_json(booked(), {})


def test_the_products_own_part_stands_among_the_common_fields() -> None:
    shown = booking_json(booked(cancellation={"penaltyCents": 5}), {"rooms": 2})
    assert (shown["id"], shown["rooms"], shown["cancellation"]) == ("hbk_1", 2, {"penaltyCents": 5})
