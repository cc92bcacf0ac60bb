"""Every refusal that Hotelbeds documents, and what a partner is answered: status, error type, named field; and the money."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.ledger.consistency import check_ledger
from apps.suppliers.models import SupplierAlert
from tests.support.api import Api, Reply
from tests.support.supplier_stub import Trouble, refusal
from tests.transfers.agency import BALANCE_CENTS, SEARCH, an_offer, cancel, money, order, read, search
from tests.transfers.suppliers.hotelbeds.refusals import OVER_QPS, OVER_RATE, SEARCHING, STATUSES, error_body
from tests.transfers.suppliers.hotelbeds.stub import AVAILABILITY, BOOKINGS, HotelbedsStub

pytestmark = pytest.mark.django_db

INVALID, EXPIRED = (400, "invalid_request"), (410, "offer_expired")
NO, LATER = (502, "upstream_error"), (503, "upstream_unavailable")
CLOSED, GONE = (409, "conflict"), (404, "not_found")

OF_SEARCHES = {
    "E_REQUEST_INVALID": "from",
    "E_REQUEST_PASTDATE": "outbound",
    "E_REQUEST_ATLEASTONEADULT": "adults",
    "E_REQUEST_INVALIDTERMINALCODE": "from",
    "E_REQUEST_GPSCOORDINATES": "from",
    "E_REQUEST_ATLASCODE": "to",
    "E_REQUEST_INVALIDDATEFORMAT": "outbound",
    "E_REQUEST_ADULTSDONTMATCH": "adults",
    "E_REQUEST_CHILDRENDONTMATCH": "children",
    "E_REQUEST_AGESDONTMATCH": "children",
    "E_REQUEST_SAMEFROMTO": "to",
}
"""The field that each names."""
OF_ORDERS: dict[str, tuple[tuple[int, str], bool]] = {
    **dict.fromkeys(SEARCHING, (NO, False)),
    "E_CONFIRMATION_INVALIDRATEKEY": (EXPIRED, False),
    "E_CONFIRMATION_RATEKEYHASH": (EXPIRED, False),
    "E_CONFIRMATION_RATEKEYCREDENTIALS": (EXPIRED, False),
    "E_CONFIRMATION_INSUFFICIENTSEATS": (NO, False),
    "E_CONFIRMATION_EMPTYTRANSFERS": (NO, False),
    "E_CONFIRMATION_DUPLICATEDSERVICES": (NO, False),
    "E_CONFIRMATION_WRONGLANGUAGE": (NO, False),
    "E_CONFIRMATION_PAXESDONOTMATCH": (NO, False),
    "E_CONFIRMATION_NOTRESPONDING": (LATER, True),
}
"""What the partner is answered, and whether the funds stay held until the order is looked up."""
OF_CANCELLATIONS = {
    (400, "E_BOOKING_NOTFOUND"): GONE,
    (404, "E_BOOKING_NOTFOUND"): GONE,
    (400, "E_BOOKING_CANCELLATIONERROR"): CLOSED,
    (409, "E_BOOKING_CANCELLATIONERROR"): CLOSED,
    (500, "E_CONFIRMATION_NOTRESPONDING"): LATER,
}
OF_THE_GATEWAY: list[tuple[int, Any, str | None]] = [
    # status, body, and the alert that staff get
    (401, {"error": "Developer Inactive"}, "credentials_refused"),
    (403, {"error": "Not Authorized"}, "credentials_refused"),
    (403, {"error": OVER_RATE}, "quota_used_up"),
    (403, b"<h1>403 Developer Over Rate</h1>", "quota_used_up"),
    (403, {"error": OVER_QPS}, None),
    (429, {"error": OVER_QPS}, None),
    (500, b"", None),
    (596, b"Service Not Found", None),
]


def refused(reply: Reply) -> tuple[int, str | None]:
    return reply.status, reply.error_type


def ordered(api: Api) -> Reply:
    return order(api, an_offer(api)["quoteId"], flightNumber="TP1234")


@pytest.mark.parametrize(("code", "field"), OF_SEARCHES.items())
def test_a_refused_search_names_the_field(api: Api, stub: HotelbedsStub, code: str, field: str) -> None:
    stub.fail("GET", AVAILABILITY, code, STATUSES[code])
    reply = api.post("/v1/transfers/searches", SEARCH)
    assert (refused(reply), reply.error["details"][0]["field"]) == (INVALID, field)
    assert SupplierAlert.objects.count() == 0


@pytest.mark.parametrize(("code", "answer"), OF_ORDERS.items())
def test_a_refused_order(api, partner, stub, code, answer):
    expected, held = answer
    stub.fail("POST", BOOKINGS, code, STATUSES[code])
    assert refused(ordered(api)) == expected
    assert money(partner, "live") == ((BALANCE_CENTS - 3_850, 3_850) if held else (BALANCE_CENTS, 0))
    assert check_ledger() == []


@pytest.mark.parametrize(("told", "expected"), OF_CANCELLATIONS.items())
def test_a_refused_cancellation(api, partner, stub, monkeypatch, told, expected):
    body = ordered(api).body
    before = money(partner, "live")
    fail_the_cancellation(stub, monkeypatch, refusal(told[0], error_body(told[1])))
    assert refused(cancel(api, body["id"])) == expected
    assert (read(api, body["id"])["status"], money(partner, "live")) == ("confirmed", before)


def fail_the_cancellation(stub: HotelbedsStub, monkeypatch: pytest.MonkeyPatch, trouble: Trouble) -> None:
    """The real one: simulations are answered."""
    take: Callable[[Any], Trouble] = stub._take_trouble

    def of_writes(heard: Any) -> Trouble:
        return trouble if heard.method == "DELETE" and not heard.query else take(heard)

    monkeypatch.setattr(stub, "_take_trouble", of_writes)


@pytest.mark.django_db(transaction=True)  # the alert is written by the thread of a call
@pytest.mark.parametrize(("status", "body", "alert"), OF_THE_GATEWAY)
def test_the_gateway_lets_nobody_in(api, partner, stub, monkeypatch, status, body, alert):
    """Nothing was booked; what the partner is told says nothing of our credentials."""
    monkeypatch.setattr("apps.suppliers.http.BACKOFF_SECONDS", (0.0, 0.0))
    quote = an_offer(api)["quoteId"]
    stub.trouble("GET", AVAILABILITY, refusal(status, body, times=-1))
    assert refused(api.post("/v1/transfers/searches", SEARCH)) == LATER
    assert refused(order(api, quote, flightNumber="TP1234")) == LATER
    assert money(partner, "live") == (BALANCE_CENTS, 0)
    assert sorted(set(SupplierAlert.objects.values_list("kind", flat=True))) == ([alert] if alert else [])


@pytest.mark.parametrize("body", [b"", b" ", b"{}", b'{"services": []}', b'{"services": null}'])
def test_no_availability_is_an_empty_search(api: Api, stub: HotelbedsStub, body: bytes) -> None:
    stub.sold_out, stub.empty_body = True, body
    assert search(api)["offers"] == []
