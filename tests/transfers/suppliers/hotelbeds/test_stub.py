"""The stand-in is as strict as what it stands for."""

import json
from typing import Any

import pytest
import requests

from apps.transfers.suppliers.hotelbeds.signature import signature
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


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (RIDE, 200),
        (RIDE.removesuffix("/0"), 404),
        (RIDE.replace("IATA/PMI", "IATA/pmi"), 400),
        (RIDE.replace("265", "NH-7"), 400),
        (RIDE.replace("ATLAS/265", "GPS/39.57,2.65"), 400),
        (RIDE.replace("ATLAS/265", "GPS/39.570,2.650"), 200),
        (RIDE.replace("ATLAS/265", "IATA/BCN"), 400),
        (RIDE.replace("T14:30:00", "T14:30"), 400),
        (RIDE.replace("2027", "2020"), 400),
        (RIDE.replace("/2/0/0", "/0/1/0"), 400),
        ("/bookings/en", 400),
        ("/bookings/en?fromDate=2027-01-01&toDate=2027-03-01&dateType=FROM_DATE&limit=10", 400),
        ("/bookings/en?fromDate=2027-01-01&toDate=2027-01-31&dateType=FROM_DATE&limit=10", 200),
    ],
)
def test_each_part_of_a_path_is_looked_at(stub: HotelbedsStub, path: str, expected: int) -> None:
    assert status(stub, path) == expected


def an_order(stub: HotelbedsStub) -> dict[str, Any]:
    answer = requests.get(stub.url + RIDE, headers=headers(stub), timeout=10).json()
    details = [{"type": "FLIGHT", "direction": "ARRIVAL", "code": "ZZ417", "companyName": None}]
    return {
        "language": "en",
        "holder": {
            "name": "Ines",
            "surname": "Prado",
            "email": "ines@example.org",
            "phone": "+351210000000",
        },
        "transfers": [{"rateKey": answer["services"][0]["rateKey"], "transferDetails": details}],
        "clientReference": "T-7KQ2M9XD",
        "remark": "",
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, 200),
        (
            {"holder": {"name": "Ines", "surname": "Prado", "email": "i@example.org", "phone": "210000000"}},
            400,
        ),
        (
            {"holder": {"name": "", "surname": "Prado", "email": "i@example.org", "phone": "+351210000000"}},
            400,
        ),
        ({"transfers": []}, 400),
        ({"transfers": [{"rateKey": "unknown", "transferDetails": []}]}, 500),
        ({"remark": "x" * 2001}, 400),
        ({"clientReference": "x" * 21}, 400),
        ({"unknown": 1}, 400),
    ],
)
def test_each_field_of_an_order_is_looked_at(
    stub: HotelbedsStub, change: dict[str, Any], expected: int
) -> None:
    body = {**an_order(stub), **change}
    reply = requests.post(f"{stub.url}/bookings", json.dumps(body), headers=headers(stub), timeout=10)
    assert (reply.status_code, len(stub.bookings)) == (expected, expected == 200)


@pytest.mark.parametrize(
    ("detail", "expected"),
    [
        ({}, 200),
        ({"direction": "DEPARTURE"}, 400),
        ({"type": "TRAIN"}, 400),
        ({"code": "TOO4LONG"}, 400),
        ({"code": ""}, 400),
    ],
)
def test_the_flight_is_looked_at(stub: HotelbedsStub, detail: dict[str, Any], expected: int) -> None:
    body = an_order(stub)
    body["transfers"][0]["transferDetails"][0].update(detail)
    reply = requests.post(f"{stub.url}/bookings", json.dumps(body), headers=headers(stub), timeout=10)
    assert reply.status_code == expected
