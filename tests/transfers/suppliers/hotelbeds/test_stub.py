"""The stand-in is as strict as what it stands for."""

import json
from typing import Any

import pytest
import requests

from apps.transfers.suppliers.hotelbeds.client import signature
from tests.transfers.suppliers.hotelbeds.refusals import STATUSES
from tests.transfers.suppliers.hotelbeds.stub import KEY, SECRET, HotelbedsStub

pytestmark = pytest.mark.django_db

RIDE = "/availability/en/from/IATA/PMI/to/ATLAS/265/2027-02-03T14:30:00/2/0/0"


def headers(stub: HotelbedsStub) -> dict[str, str]:
    return {
        "Api-key": KEY,
        "X-Signature": signature(KEY, SECRET, int(stub.now())),
        "Accept": "application/json",
        "Content-Type": "application/json",
        "Accept-Encoding": "gzip",
    }


def status(stub: HotelbedsStub, path: str, **changes: str) -> int:
    return requests.get(stub.url + path, headers={**headers(stub), **changes}, timeout=10).status_code


@pytest.mark.parametrize("header", ["Api-key", "X-Signature", "Accept", "Content-Type", "Accept-Encoding"])
def test_each_header_is_looked_at(stub: HotelbedsStub, header: str) -> None:
    name = header.replace("-", "_")
    assert (status(stub, RIDE), status(stub, RIDE, **{header: "other"})) == (200, 403), name


OTHER = "E_REQUEST_INVALID"
DAYS = "fromDate=2027-01-01&toDate=2027-01-31&dateType=FROM_DATE&limit=10"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (RIDE, (200, None)),
        (RIDE.removesuffix("/0"), (404, None)),
        (RIDE + "/", (404, None)),
        (RIDE.replace("/availability", "/Availability"), (404, None)),
        (RIDE + "?limit=3", (400, OTHER)),
        (RIDE.replace("/en/", "/EN/"), (400, OTHER)),
        (RIDE.replace("IATA/PMI", "iata/PMI"), (400, OTHER)),
        (RIDE.replace("ATLAS/265", "HOTEL/265"), (400, OTHER)),
        (RIDE.replace("IATA/PMI", "IATA/pmi"), (400, "E_REQUEST_INVALIDTERMINALCODE")),
        (RIDE.replace("265", "NH-7"), (400, "E_REQUEST_ATLASCODE")),
        (RIDE.replace("ATLAS/265", "GPS/39.57,2.65"), (400, "E_REQUEST_GPSCOORDINATES")),
        (RIDE.replace("ATLAS/265", "GPS/39.570,2.650"), (200, None)),
        (RIDE.replace("ATLAS/265", "IATA/BCN"), (400, OTHER)),
        (RIDE.replace("ATLAS/265", "IATA/PMI"), (400, "E_REQUEST_SAMEFROMTO")),
        (RIDE.replace("T14:30:00", "T14:30"), (400, "E_REQUEST_INVALIDDATEFORMAT")),
        (RIDE.replace("2027", "2020"), (400, "E_REQUEST_PASTDATE")),
        (RIDE.replace("/2/0/0", "/0/1/0"), (400, "E_REQUEST_ATLEASTONEADULT")),
        (RIDE.replace("/2/0/0", "/two/0/0"), (400, OTHER)),
        ("/bookings/en", (400, OTHER)),
        (f"/bookings/en?{DAYS}", (200, None)),
        (f"/bookings/en?{DAYS}&clientReference=T-7KQ2M9XD", (400, OTHER)),
        (f"/bookings/en?{DAYS.replace('FROM_DATE', 'from_date')}", (400, OTHER)),
        (f"/bookings/en?{DAYS.replace('01-31', '02-31')}", (400, "E_REQUEST_INVALIDDATEFORMAT")),
        (f"/bookings/en?{DAYS.replace('01-31', '03-01')}", (400, OTHER)),
        ("/bookings/en/reference/102-1", (400, "E_BOOKING_NOTFOUND")),
        ("/bookings/en/reference/102-1?simulation=true", (400, OTHER)),
    ],
)
def test_each_part_of_a_path_is_looked_at(
    stub: HotelbedsStub, path: str, expected: tuple[int, str | None]
) -> None:
    reply = requests.get(stub.url + path, headers=headers(stub), timeout=10)
    assert (reply.status_code, reply.json().get("code")) == expected


def test_a_clock_that_is_minutes_off_is_refused(stub: HotelbedsStub) -> None:
    off = signature(KEY, SECRET, int(stub.now()) + 360)
    assert (status(stub, RIDE, **{"X-Signature": off}), status(stub, RIDE)) == (403, 200)


def test_above_the_quota_nobody_is_let_in_before_the_next_utc_day(stub: HotelbedsStub) -> None:
    stub.gate.calls_a_day = 2
    assert [status(stub, RIDE) for _ in range(3)] == [200, 200, 403]
    stub.ahead += 86_400
    assert status(stub, RIDE) == 200


def an_order(stub: HotelbedsStub, ride: str = RIDE) -> dict[str, Any]:
    answer = requests.get(stub.url + ride, headers=headers(stub), timeout=10).json()
    details = [{"type": "FLIGHT", "direction": "ARRIVAL", "code": "ZZ417", "companyName": None}]
    holder = {"name": "Ines", "surname": "Prado", "email": "ines@example.org", "phone": "+351210000000"}
    return {
        "language": "en",
        "holder": holder,
        "transfers": [{"rateKey": answer["services"][0]["rateKey"], "transferDetails": details}],
        "clientReference": "T-7KQ2M9XD",
        "remark": "",
    }


def posted(stub: HotelbedsStub, body: dict[str, Any]) -> tuple[int, str | None, list[str]]:
    """Status, code and the fields that are named."""
    reply = requests.post(f"{stub.url}/bookings", json.dumps(body), headers=headers(stub), timeout=10)
    told = reply.json()
    return reply.status_code, told.get("code"), [one["field"] for one in told.get("fieldErrors", [])]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"holder": {"name": "Ines", "surname": "Prado", "email": "i@example.org", "phone": "210"}}, OTHER),
        ({"holder": {"name": "", "surname": "P", "email": "i@example.org", "phone": "+351210000000"}}, OTHER),
        ({"holder": {"name": "Ines", "surname": "Prado", "email": "i@example.org"}}, OTHER),
        ({"remark": "x" * 2001}, OTHER),
        ({"clientReference": "x" * 21}, OTHER),
        ({"unknown": 1}, OTHER),
        ({"language": "EN"}, OTHER),
        ({"language": "es"}, "E_CONFIRMATION_WRONGLANGUAGE"),
        ({"transfers": []}, "E_CONFIRMATION_EMPTYTRANSFERS"),
        ({"transfers": [{"rateKey": "unknown"}]}, "E_CONFIRMATION_RATEKEYHASH"),
        ({"transfers": [{"rateKey": "OTHERRATEKEY|000001"}]}, "E_CONFIRMATION_RATEKEYCREDENTIALS"),
        ({"transfers": [{"rateKey": "STUBRATEKEY|999999"}]}, "E_CONFIRMATION_INVALIDRATEKEY"),
        ({"transfers": [{"rateKey": "STUBRATEKEY|999999"}] * 2}, "E_CONFIRMATION_DUPLICATEDSERVICES"),
    ],
)
def test_each_field_of_an_order_is_looked_at(stub: HotelbedsStub, change: dict[str, Any], code: str) -> None:
    assert posted(stub, {**an_order(stub), **change})[:2] == (STATUSES[code], code)
    assert stub.bookings == {}
    assert posted(stub, an_order(stub))[0] == 200


def test_seats_that_others_took_meanwhile_are_refused(stub: HotelbedsStub) -> None:
    body = an_order(stub)
    stub.seats_gone = True
    assert posted(stub, body)[:2] == (400, "E_CONFIRMATION_INSUFFICIENTSEATS")


FLIGHT = {"type": "FLIGHT", "direction": "ARRIVAL", "code": "ZZ417", "companyName": None}
TRAIN = {"type": "TRAIN", "direction": "DEPARTURE", "code": "AVE3082", "companyName": None}
SHIP = {"type": "CRUISE", "direction": "DEPARTURE", "code": "SEASIDE", "companyName": "MSC Cruises"}
TO_STATION, TO_PORT = RIDE.replace("ATLAS/265", "STATION/PMS"), RIDE.replace("ATLAS/265", "PORT/PMP")


@pytest.mark.parametrize(
    ("ride", "details", "missing"),
    [
        (RIDE, [FLIGHT], []),
        (RIDE, [], ["transferDetails"]),
        (RIDE, [{**FLIGHT, "direction": "DEPARTURE"}], ["transferDetails"]),
        (RIDE, [{**FLIGHT, "type": "TRAIN"}], ["transferDetails"]),
        (RIDE, [{**FLIGHT, "type": "flight"}], ["transferDetails"]),
        (RIDE, [FLIGHT, FLIGHT], ["transferDetails"]),
        (RIDE, [{**FLIGHT, "code": "TOO4LONG"}], ["transferDetails code"]),
        (RIDE, [{**FLIGHT, "code": ""}], ["transferDetails code"]),
        (RIDE, [{**FLIGHT, "company": ""}], ["transferDetails company"]),
        (TO_STATION, [FLIGHT, TRAIN], []),
        (TO_STATION, [FLIGHT], ["transferDetails"]),
        (TO_STATION, [TRAIN, FLIGHT], ["transferDetails"]),
        (TO_PORT, [FLIGHT, SHIP], []),
        (TO_PORT, [FLIGHT, TRAIN], ["transferDetails"]),
        (TO_PORT, [FLIGHT, {**SHIP, "companyName": None}], ["transferDetails companyName"]),
    ],
)
def test_each_terminal_wants_what_goes_from_it(
    stub: HotelbedsStub, ride: str, details: list[dict[str, Any]], missing: list[str]
) -> None:
    body = an_order(stub, ride)
    body["transfers"][0]["transferDetails"] = details
    expected = (400, OTHER, missing) if missing else (200, None, [])
    assert posted(stub, body) == expected


def test_a_list_writes_capitals_and_no_airports(stub: HotelbedsStub) -> None:
    assert posted(stub, {**an_order(stub), "clientReference": "t-lower"})[0] == 200
    listed = requests.get(
        f"{stub.url}/bookings/en?{DAYS.replace('01-01', '01-31').replace('toDate=2027-01-31', 'toDate=2027-02-04')}",
        headers=headers(stub),
        timeout=10,
    ).json()["bookings"]
    (information,) = (one["transfers"][0]["pickupInformation"] for one in listed)
    assert [one["clientReference"] for one in listed] == ["T-LOWER"]
    assert (information["from"]["code"], information["from"]["type"]) == ("null", None)
    assert (information["to"]["code"], information["to"]["type"]) == ("265", "ATLAS")


@pytest.mark.parametrize(
    ("query", "expected"), [("?simulation=True", 400), ("?simulate=true", 400), ("?simulation=false", 200)]
)
def test_only_what_is_documented_cancels(stub: HotelbedsStub, query: str, expected: int) -> None:
    assert posted(stub, an_order(stub))[0] == 200
    (reference,) = stub.bookings
    path = f"{stub.url}/bookings/en/reference/{reference}"
    assert requests.delete(path + query, headers=headers(stub), timeout=10).status_code == expected
    assert (stub.bookings[reference]["status"] == "CANCELLED") is (expected == 200)
