"""The largest bodies that are refused: as many bytes as a body may have, spent on one thing each."""

import json
from dataclasses import replace

from apps.gateway.json_body import MAX_DEPTH, MAX_ITEMS, MAX_NAMES
from tests.bench.costs.partner import Asks, Partner
from tests.support.flight_shop import CONTACT

BYTES = 256 * 1024


def filled(before: str, unit: str, after: str) -> bytes:
    """`unit` again and again, apart by commas, until the body is full."""
    times = (BYTES - len(before) - len(after) + 1) // (len(unit) + 1)
    return f"{before}{','.join([unit] * times)}{after}".encode()


def bodies() -> dict[tuple[str, str], bytes]:
    values = [[1] * MAX_ITEMS] * 9
    names = {f"n{number}": [1] * 8 for number in range(MAX_NAMES)}
    long = {"firstName": "é" * 300, "lastName": 1, "type": "x", "age": -1}
    return {
        ("createFlightOrder", "passengers: {} by the thousand"): filled('{"passengers":[', "{}", "]}"),
        ("searchHotels", "hotelIds: 1 by the thousand"): filled('{"hotelIds":[', "1", "]}"),
        ("searchHotels", "lists by the thousand"): filled('{"hotelIds":[', "[]", "]}"),
        ("searchHotels", "a number as long as the body"): f'{{"limit":{"9" * (BYTES - 20)}}}'.encode(),
        ("searchHotels", f"nested deeper than {MAX_DEPTH}"): b"[" * BYTES,
        ("searchHotels", "10,000 values"): json.dumps({"hotelIds": values}).encode(),
        ("searchHotels", "1,000 unknown names"): json.dumps(names).encode(),
        ("searchHotels", "a name as long as the body"): f'{{"{"x" * (BYTES - 20)}":1}}'.encode(),
        ("createHotelBooking", "80 guests, everything wrong"): json.dumps({"guests": [long] * 80}).encode(),
        ("createHotelBooking", "one long text"): json.dumps({"specialRequests": "x" * (BYTES - 50)}).encode(),
        ("createTransferOrder", "a long address"): json.dumps(
            {"leadPassenger": {**CONTACT, "email": "a@" + "a." * (BYTES // 2 - 100)}}
        ).encode(),
    }


def asks(partner: Partner) -> Asks:
    for (operation, what), body in bodies().items():
        yield replace(partner.ask(operation, what, lambda body=body: body), status=400)  # type: ignore[misc]
