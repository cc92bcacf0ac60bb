"""Their services and policies in our words: what is offered, what is left out, what cancelling costs."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.suppliers.results import Withheld
from apps.transfers.rules import EARLIEST, clock_of
from apps.transfers.suppliers.base import (
    Place,
    PolicyStep,
    TransferOffer,
    TransferSearch,
    Vehicle,
    WaitingTime,
)
from apps.transfers.suppliers.hotelbeds.mapping import (
    Amount,
    instant,
    is_certain,
    offer_of,
    offers_of,
    order_amount,
    pickup_of,
    policy_of,
    same_service,
    vehicle_of,
)
from tests.transfers.suppliers.hotelbeds.fleet import FLEET, service_json
from tests.transfers.suppliers.requests import HOTEL, OUTBOUND, PALMA, a_search, point

pytestmark = pytest.mark.django_db

ENDS = ({"type": "IATA", "code": "PMI"}, {"type": "ATLAS", "code": "265"})
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def a_service(**changes: Any) -> dict[str, Any]:
    service = service_json(FLEET[1], 1, ends=ENDS, outbound=OUTBOUND, price=Decimal("38.50"))
    return {**service, "rateKey": "K1", "price": priced(38.5), **changes}


def priced(total: Any, net: Any = None, currency: Any = "EUR") -> dict[str, Any]:
    return {"totalAmount": number(total), "netAmount": number(net), "currencyId": currency}


def number(value: Any) -> Any:
    """As the client reads it: no float."""
    return Decimal(str(value)) if isinstance(value, float) else value


def offered(**changes: Any) -> TransferOffer:
    offer = offer_of(a_service(**changes), a_search(), NOW)
    assert offer is not None
    return offer


def test_a_service_is_an_offer_with_terms_and_waiting_times() -> None:
    offer = offered(cancellationPolicies=[])
    assert (offer.total_cents, offer.currency, offer.expires_at) == (3850, "EUR", None)
    assert offer.vehicle == Vehicle("economy", "Standard Car", 3, 3)
    assert offer.duration_minutes == 50
    assert offer.remarks == ("One case per person.",)
    assert offer.waiting_times == (WaitingTime("customer", 30), WaitingTime("driver", 60))


@pytest.mark.parametrize(
    ("price", "cents"),
    [
        (priced(38.5), 3850),
        (priced(38.5, 30.25), 3025),
        (priced(38.5, 0.0), 3850),  # no contract with commission
        (priced("38.505"), 3851),
        (priced(38), 3800),
        (priced(1500, currency="JPY"), 1500),
    ],
)
def test_prices_are_exact_and_net_wins(price: dict[str, Any], cents: int) -> None:
    assert offered(price=price, cancellationPolicies=[]).total_cents == cents


@pytest.mark.parametrize(
    ("net", "total_net", "costs"),
    [(None, 38.5, "38.5"), (0.0, 0.0, "38.5"), (30.25, 30.25, "30.25"), (30.25, 0.0, "30.25")],
)
def test_an_order_costs_what_its_offer_did(net: Any, total_net: float, costs: str) -> None:
    booking = {
        "transfers": [{"price": priced(38.5, net)}],
        "totalAmount": number(38.5),
        "totalNetAmount": number(total_net),
        "currency": "EUR",
    }
    assert order_amount(booking) == Amount(Decimal(costs), "EUR")


@pytest.mark.parametrize(
    "broken",
    [
        {"price": None},
        {"price": priced(None)},
        {"price": priced("dear")},
        {"price": priced(-1)},
        {"price": priced(0)},
        {"price": priced("0.001")},
        {"price": priced(True)},
        {"price": priced("Infinity")},
        {"price": priced(38.5, currency="XXY")},
        {"price": priced(38.5, currency=None)},
        {"rateKey": None},
        {"rateKey": ""},
        {"rateKey": "zero\0"},
        {"rateKey": "half \ud800"},
    ],
)
def test_what_cannot_be_priced_or_booked_is_not_offered(broken: dict[str, Any]) -> None:
    assert offer_of(a_service(**broken), a_search(), NOW) is None


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"transferType": "SHARED"}, "shuttle"),
        ({"vehicle": {"code": "CR", "name": "Car"}}, "economy"),
        ({"category": {"code": "LUX", "name": "Luxury"}}, "business"),
        ({"category": {"code": "X", "name": "Premium Plus"}}, "business"),
        ({"category": {"code": "X", "name": "Comfort"}}, "comfort"),
        ({"vehicle": {"code": "MNV", "name": "Minivan"}}, "minivan"),
        ({"vehicle": {"code": "X", "name": ""}, "maxPaxCapacity": 6}, "minivan"),
        ({"vehicle": {"code": "X", "name": "Minibus"}}, "minibus"),
        ({"vehicle": {"code": "X", "name": "Business Car"}}, "economy"),
        ({"vehicle": None, "maxPaxCapacity": 19}, "minibus"),
        ({"vehicle": {"code": "X", "name": "Coach"}, "maxPaxCapacity": None}, "minibus"),
    ],
)
def test_vehicles_have_a_class_of_ours(changes: dict[str, Any], expected: str) -> None:
    assert vehicle_of(a_service(**changes)).category == expected


def test_a_pickup_time_that_is_not_fixed_is_looked_up() -> None:
    check = {"mustCheckPickupTime": True, "url": "https://check.example", "hoursBeforeConsulting": 24}
    place = {"address": "Carrer Nou", "number": "1", "zip": "07001", "town": "Palma"}
    pickup = {"description": "Bus stop.", "stopName": "Gate 3", **place, "checkPickup": check}
    found = pickup_of({"pickupInformation": {"date": "2027-02-03", "time": None, "pickup": pickup}})
    assert (found.at, found.emergency_phone) == (None, None)
    where = "Bus stop. Gate 3 Address: Carrer Nou 1, 07001 Palma."
    told = f"{where} The pick-up time must be checked 24 hours before: https://check.example"
    assert found.instructions == told


def test_a_pickup_that_is_not_stated_says_when_it_will_be() -> None:
    assert pickup_of({}).instructions == "The meeting point is confirmed before the ride."


@pytest.mark.parametrize(
    ("detail", "expected"),
    [
        ({"id": "TRFTIME", "value": "35"}, 35),
        ({"id": "TRFTIME", "value": 35, "name": "50 min."}, 35),
        ({"id": "TRFTIME", "value": None, "name": "50 min. Estimated journey time"}, 50),
        ({"id": "TRFTIME", "name": "Estimated journey time"}, None),
        ({"id": "TRFTIME", "value": "0"}, None),
        ({"id": "TRFTIME", "value": "90000"}, None),
        ({"id": "LUGGAGE", "value": "35"}, None),
        (None, None),
    ],
)
def test_the_drive_takes_what_they_say_in_any_of_their_ways(detail: Any, expected: int | None) -> None:
    assert offered(content={"transferDetailInfo": [detail]}).duration_minutes == expected


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ({"code": "T06", "type": "Extra Suitcase", "amount": 6.6}, ("Extra Suitcase", 660, 1, 9)),
        (
            {"code": "T06", "name": "Suitcase", "price": 6, "minUnits": 1, "maxUnits": 4},
            ("Suitcase", 600, 1, 4),
        ),
        ({"code": "T06", "type": "Pair of skis", "amount": 0, "minUnits": 2}, ("Pair of skis", 0, 2, 9)),
        ({"code": "T06", "type": "Suitcase", "amount": None}, None),
        ({"code": "T06", "type": "Suitcase", "amount": -1}, None),
        ({"code": "T06", "amount": 5}, None),
        ({"code": "", "type": "Suitcase", "amount": 5}, None),
        ({"code": "T06", "type": "Suitcase", "amount": 5, "minUnits": 3, "maxUnits": 2}, None),
        ("T06", None),
    ],
)
def test_an_extra_is_read_in_any_of_its_forms(extra: Any, expected: Any) -> None:
    told = {name: number(value) for name, value in extra.items()} if isinstance(extra, dict) else extra
    found = [
        (one.name, one.unit_cents, one.min_quantity, one.max_quantity)
        for one in offered(extras=[told]).extras
    ]
    assert found == ([expected] if expected else [])


def test_the_same_service_is_found_among_others() -> None:
    wanted = offered()
    others = [offered(rateKey="K2", category={"code": "LUX"}), offered(rateKey="K3", transferType="SHARED")]
    dear, cheap = (
        replace(offered(rateKey=key, price=priced(total)), remarks=())
        for key, total in (("K4", 41), ("K5", 40))
    )
    same = offered(rateKey="K6")
    assert same_service([*others, cheap, dear, same], wanted) == same
    assert same_service([*others, cheap, dear], wanted) == cheap
    assert same_service(others, wanted) is None


def test_a_cheaper_one_on_other_terms_is_not_the_same() -> None:
    """Whoever paid more to be free to cancel is not booked without that."""

    def on_terms(since: str, price: float) -> TransferOffer:
        terms = {"amount": Decimal(str(price)), "from": since, "currencyId": "EUR"}
        return offered(rateKey=f"K{price}", price=priced(price), cancellationPolicies=[terms])

    free, lost = "2027-02-02T14:30:00", "2020-01-01T00:00:00"
    wanted = on_terms(free, 42.0)
    dearer, lean = on_terms(free, 46.2), on_terms(lost, 38.5)
    assert same_service([lean, dearer], wanted) == dearer
    assert same_service([on_terms(lost, 42.0), dearer], wanted) == dearer
    assert same_service([lean], wanted) == lean


def test_a_service_that_cannot_be_read_is_counted() -> None:
    broken = [a_service(rateKey=None), a_service(price=priced(0)), a_service(price=None), "a service", None]
    found = offers_of([a_service(), *broken], a_search(), NOW)
    assert (len(found), found.withheld) == (1, Withheld(unreadable=len(broken)))


NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
PRICE = Amount(Decimal("38.5"), "EUR")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (a_search(), "2027-02-02T13:30:00+00:00"),  # the airport of Palma
        (a_search(start=HOTEL, end=Place("IATA", "JFK")), "2027-02-02T19:30:00+00:00"),
        (
            a_search(start=PALMA, end=point("35.68", "139.69")),
            "2027-02-02T05:30:00+00:00",
        ),  # the end, not the start
        (a_search(start=Place("HOTEL", "9", town="Lisbon")), "2027-02-02T14:30:00+00:00"),
        (a_search(start=HOTEL, end=Place("STATION", "7")), "2027-02-02T00:30:00+00:00"),  # nowhere earlier
        (a_search(start=HOTEL, end=Place("IATA", "???")), "2027-02-02T00:30:00+00:00"),
    ],
)
def test_local_times_are_the_destinations(asked: TransferSearch, expected: str) -> None:
    found = instant("2027-02-02T14:30:00", clock_of(asked))
    assert found is not None
    assert found.astimezone(UTC).isoformat() == expected


def step(day: int, amount: Any, currency: str = "EUR") -> dict[str, Any]:
    return {"from": f"2026-11-{day:02d}T12:00:00", "amount": amount, "currencyId": currency}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([step(25, Decimal("38.5"))], [(25, 3850)]),
        ([step(25, 38), step(22, 10)], [(22, 1000), (25, 3800)]),
        ([step(10, 5), step(15, 10), step(25, 38)], [(None, 1000), (25, 3800)]),
        ([step(10, 0), step(25, 38)], [(25, 3800)]),
        ([step(22, 20), step(25, 10)], [(22, 2000), (25, 2000)]),  # never cheaper again
        ([step(25, 40)], [(25, 3850)]),  # never more than all
        ([], [(None, 3850)]),
        (None, [(None, 3850)]),
        ([step(25, 10, "USD")], [(None, 3850)]),
        ([step(25, None), step(26, 38)], [(None, 3850)]),
    ],
)
def test_policies_as_steps(told: Any, expected: list[tuple[int | None, int]]) -> None:
    steps = tuple(
        PolicyStep(None if day is None else datetime(2026, 11, day, 12, tzinfo=UTC), cents)
        for day, cents in expected
    )
    assert policy_of(told, PRICE, clock=UTC, now=NOW) == steps


@pytest.mark.parametrize(
    ("told", "certain"),
    [
        ([step(25, Decimal("38.5"))], True),
        ([step(25, 38), step(22, 10)], True),
        ([step(25, 40)], True),  # all of it, whatever they write
        ([step(22, 20), step(25, 10)], False),
        ([step(22, 20), step(22, 10)], False),
        ([], False),
        (None, False),
        ("38.5", False),
        ([step(25, 10, "USD")], False),
        ([step(25, None), step(26, 38)], False),
        ([step(25, 38), "and so on"], False),
        ([{**step(25, 38), "from": "soon"}], False),
    ],
)
def test_only_what_can_be_read_is_certain(told: Any, certain: bool) -> None:
    assert is_certain(told, PRICE, clock=UTC) is certain
    assert not is_certain(told, PRICE, clock=EARLIEST)
