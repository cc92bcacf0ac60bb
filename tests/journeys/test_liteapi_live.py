"""A live key's hotel from search to ledger through LiteAPI's stand-in: search, quote, book, read, cancel."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.hotels.tasks import learn_hotels
from apps.ledger.consistency import check_ledger
from apps.webhooks.models import Event
from tests.hotels.conftest import BALANCE_CENTS, onboard
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.stub import LiteApiStub
from tests.support.api import Api
from tests.support.supplier_stub import serving


@pytest.fixture
def stub() -> Iterator[LiteApiStub]:
    with serving(LiteApiStub()) as stub:
        yield stub


@pytest.fixture
def desk(db: None, settings: Any, stub: LiteApiStub) -> FrontDesk:
    settings.SUPPLIERS = {**settings.SUPPLIERS, "hotels": {"live": "liteapi"}}
    settings.SUPPLIER_CREDENTIALS = {**settings.SUPPLIER_CREDENTIALS, "liteapi": stub.credentials()}
    secret = onboard().live_secret
    assert secret is not None
    return FrontDesk(Api(secret))


def ledger_of(desk: FrontDesk, reference: str) -> list[tuple[str, int, int]]:
    """The lines of one booking, oldest first: type, effect on available, effect on held."""
    lines = desk.api.get(f"/v1/account/ledger?bookingReference={reference}").body["data"]
    return [(line["type"], line["amountCents"], line["heldDeltaCents"]) for line in reversed(lines)]


def test_search_quote_book_read_cancel(desk: FrontDesk, stub: LiteApiStub) -> None:
    desk.search()
    learn_hotels()
    hotel = desk.hotels()[0]
    assert hotel["amenities"] == ["WiFi available", "Breakfast room", "4 stars"]

    rate = next(rate for rate in hotel["rates"] if rate["refundable"])
    price = rate["totalCents"]
    quoted = desk.api.get(f"/v1/hotels/rates/{rate['rateId']}").body
    assert (quoted["totalCents"], quoted["payAtHotel"]) == (price, rate["payAtHotel"])

    booking = desk.booked(rate, externalReference="TRIP-1")
    assert (booking["status"], booking["environment"], booking["totalCents"]) == ("confirmed", "live", price)
    assert booking["cancellationPolicy"] == rate["cancellationPolicy"]
    theirs = stub.books.bookings[booking["supplier"]["reference"]]
    assert (theirs["clientReference"], theirs["status"]) == (booking["reference"], "CONFIRMED")
    assert desk.balance() == (BALANCE_CENTS - price, 0)
    assert desk.read(booking["id"]).body == booking

    cancelled = desk.cancel(booking, {"maxPenaltyCents": 0, "reason": "plans changed"}).body
    assert cancelled["status"] == "cancelled"
    assert (cancelled["cancellation"]["penaltyCents"], cancelled["cancellation"]["refundCents"]) == (0, price)
    assert theirs["status"] == "CANCELLED"
    assert desk.cancel(booking).error_type == "conflict"

    assert ledger_of(desk, booking["reference"]) == [
        ("hold", -price, price),
        ("capture", 0, -price),
        ("refund", price, 0),
    ]
    assert desk.balance() == (BALANCE_CENTS, 0)
    assert check_ledger() == []
    assert sorted(Event.objects.values_list("type", flat=True)) == [
        "booking.cancelled",
        "booking.confirmed",
        "payment.refunded",
    ]
