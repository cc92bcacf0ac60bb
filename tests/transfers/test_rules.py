"""The rules of the trade for rides, from the search to the cancellation, by the clocks of their ends (contract §7.1)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.flow.cancellation_quotes import quote_cancellation
from apps.bookings.models import Operation
from apps.common import clock
from apps.common.errors import Conflict
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.suppliers.results import Found
from apps.transfers.rules import driven
from apps.transfers.suppliers.base import Place, TransferSearch
from tests.support.api import Api, Reply
from tests.transfers.agency import Company, a_partner, cancel, money, order, read, search, the_booking

HANEDA = {
    "from": {"type": "IATA", "code": "HND"},
    "to": {"type": "GEO", "latitude": 35.68, "longitude": 139.77, "address": "Marunouchi 1"},
    "outbound": "2027-02-03T14:30:00",
    "vehicleClass": "economy",
}
PICKUP = datetime(2027, 2, 3, 5, 30, tzinfo=UTC)
SECOND, MONTH = timedelta(seconds=1), timedelta(days=30)
EXPIRED, CONFLICT = (410, "offer_expired"), (409, "conflict")

At = Callable[[datetime], None]


@pytest.fixture
def at(move_clock: Callable[..., None], still_clock: None) -> At:
    """Set the clock."""
    return lambda instant: move_clock(seconds=(instant - clock.now()).total_seconds())


@pytest.fixture
def partner(db: None) -> Onboarded:
    return a_partner(live=True)


@pytest.fixture(params=["test", "live"])
def api(request: pytest.FixtureRequest, partner: Onboarded) -> Api:
    return Api(partner.test_secret if request.param == "test" else partner.live_secret or "")


def refusal(reply: Reply) -> tuple[int, str]:
    return reply.status, reply.error_type


def free(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelling costs nothing by the company's own terms, ever."""
    for name in ("search", "reprice"):
        method = getattr(company, name)

        def without_terms(*asked: Any, method: Any = method) -> Any:
            found = method(*asked)
            if isinstance(found, list):
                return Found([replace(offer, cancellation_policy=()) for offer in found])
            return replace(found, cancellation_policy=())

        monkeypatch.setattr(company, name, without_terms)


def ordered(api: Api) -> dict[str, Any]:
    (offer,) = search(api, **HANEDA)["offers"]
    reply = order(api, offer["quoteId"], flightNumber="JL1")
    assert reply.status == 201, reply.body
    return reply.body


# --- For sale -----------------------------------------------------------------------------------------------------------
def test_search_withholds_a_ride_whose_pick_up_has_passed(api: Api, company: Company, at: At) -> None:
    company.now = lambda: PICKUP - MONTH  # it goes on offering
    at(PICKUP - SECOND)
    before = search(api, **HANEDA)
    assert (len(before["offers"]), before["withheld"]["noLongerSold"]) == (1, 0)
    at(PICKUP)
    after = search(api, **HANEDA)
    assert (after["offers"], after["withheld"]["noLongerSold"]) == ([], 1)


def test_book_refuses_a_handle_once_the_pick_up_has_passed(api, company, partner, at):
    at(PICKUP - timedelta(minutes=10))
    (offer,) = search(api, **HANEDA)["offers"]
    assert offer["expiresAt"] == clock.rfc3339(PICKUP)
    at(PICKUP)
    before = money(partner)
    assert refusal(order(api, offer["quoteId"])) == EXPIRED
    assert (money(partner), company.bookings, Operation.objects.count()) == (before, 0, 0)


# --- Cancelling ---------------------------------------------------------------------------------------------------------
def test_the_last_step_of_a_ride_is_its_pick_up_in_search_and_order(api, company, at, monkeypatch):
    free(company, monkeypatch)
    at(PICKUP - MONTH)
    (offer,) = search(api, **HANEDA)["offers"]
    booked = order(api, offer["quoteId"], flightNumber="JL1").body
    lost = {"from": clock.rfc3339(PICKUP), "penaltyCents": offer["totalCents"], "currency": "EUR"}
    for shown in (offer, booked):
        assert [step["penaltyCents"] for step in shown["cancellationSteps"]] == [0, offer["totalCents"]]
        assert shown["cancellationSteps"][-1] == lost


def test_cancel_costs_what_the_supplier_says_until_the_pick_up_and_is_refused_from_then_on(
    api: Api, company: Company, at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    free(company, monkeypatch)
    at(PICKUP - MONTH)
    before, after = ordered(api), ordered(api)
    at(PICKUP - SECOND)
    assert cancel(api, before["id"]).body["cancellation"]["penaltyCents"] == 0
    for instant in (PICKUP, PICKUP + timedelta(days=26)):
        at(instant)
        with pytest.raises(Conflict):
            quote_cancellation(the_booking(after["id"]))
        assert refusal(cancel(api, after["id"])) == CONFLICT
    assert read(api, after["id"])["status"] == "confirmed"
    assert check_ledger() == []


# --- When the ride begins -----------------------------------------------------------------------------------------------
HOTEL, AIRPORT = Place("HOTEL", "265"), Place("IATA", "HND")
STATION, PORT = Place("STATION", "1", country="JP"), Place("PORT", "1", country="JP")
OUTBOUND = datetime(2027, 2, 3, 14, 30)


@pytest.mark.parametrize(
    ("start", "end", "pickup_at", "minutes", "begins_at"),
    [
        (AIRPORT, HOTEL, None, 60, PICKUP),
        (HOTEL, AIRPORT, None, 60, PICKUP - timedelta(hours=1)),  # the departure is at half past two
        (HOTEL, AIRPORT, None, None, PICKUP),
        (HOTEL, AIRPORT, datetime(2027, 2, 3, 11), 60, datetime(2027, 2, 3, 2, tzinfo=UTC)),
        (AIRPORT, Place("IATA", "NRT"), None, 60, PICKUP),
        (Place("HOTEL", "265", country="JP"), STATION, None, 60, PICKUP - timedelta(hours=1)),
        (Place("HOTEL", "265", country="JP"), PORT, None, 60, PICKUP),  # the pick-up itself is wished for
        (PORT, AIRPORT, None, 60, PICKUP),
        (Place("IATA", "LIS"), Place("IATA", "MAD"), None, 60, datetime(2027, 2, 3, 14, 30, tzinfo=UTC)),
        (Place("STATION", "1", country="JP"), HOTEL, None, 60, PICKUP),
        (
            HOTEL,
            HOTEL,
            None,
            60,
            datetime(2027, 2, 3, 0, 30, tzinfo=UTC),
        ),  # nobody knows where: the earliest on Earth
    ],
)
def test_a_ride_begins_at_its_pick_up_by_the_clock_there(start, end, pickup_at, minutes, begins_at):
    service = driven(TransferSearch(start, end, OUTBOUND, "EUR"), pickup_at, minutes)
    assert (service.sold_until, service.begins_at, service.ends_at) == (begins_at, begins_at, begins_at)


@pytest.mark.parametrize(
    ("route", "outbound", "exists"),
    [
        ({"from": {"type": "IATA", "code": "LIS"}}, "2027-03-28T01:30:00", False),
        ({"from": {"type": "IATA", "code": "LIS"}}, "2027-03-28T02:00:00", True),
        ({"from": {"type": "IATA", "code": "MAD"}}, "2027-03-28T01:30:00", True),
        ({"from": {"type": "IATA", "code": "MAD"}}, "2027-03-28T02:30", False),
        (
            {"from": {"type": "HOTEL", "code": "1"}, "to": {"type": "IATA", "code": "JFK"}},
            "2027-03-14T02:30:00",
            False,
        ),
    ],
)
def test_search_refuses_a_local_time_that_does_not_exist(api, company, route, outbound, exists):
    reply = api.post(
        "/v1/transfers/searches",
        {"to": {"type": "HOTEL", "code": "2"}, "adults": 1, **route, "outbound": outbound},
    )
    assert reply.status == (201 if exists else 400)
    if not exists:
        assert [detail["field"] for detail in reply.error["details"]] == ["outbound"]


def test_of_a_local_time_that_exists_twice_the_first_is_meant() -> None:
    search = TransferSearch(Place("IATA", "LIS"), HOTEL, datetime(2027, 10, 31, 1, 30), "EUR")
    assert driven(search, None, None).begins_at == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
