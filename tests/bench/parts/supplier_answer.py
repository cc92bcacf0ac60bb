"""`python -m tests.bench.parts.supplier_answer`: what a large answer of a supplier of flights costs us, from its bytes to offers.

Nothing real is recorded, so the answer is made of the stand-in's offers, with what a real one has beside and nobody reads: 229
offers, 1.5 MB, packed as theirs are. The processor time is that of the thread that asks. `json.loads` of the same text is the
measure beside it, which moves with the machine as well.
"""

import json
import os
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import Any

import django

OFFERS = 229
LIMIT = 20
ROUNDS, WARM_UP = 15, 3

Data = dict[str, Any]


def main() -> None:
    from tests.flights.suppliers.duffel import paths
    from tests.flights.suppliers.duffel.stub import DuffelStub
    from tests.flights.suppliers.duffel.travel import connector
    from tests.flights.suppliers.requests import DEPARTURE, a_search
    from tests.support.supplier_stub import Trouble, serving

    request = a_search(return_date=DEPARTURE + timedelta(days=7), limit=LIMIT)
    with serving(DuffelStub()) as stub:
        answer = answer_of(stub)
        text = json.dumps(answer)
        stub.trouble("POST", paths.OFFER_REQUESTS, Trouble(accept=False, status=201, body=answer, times=-1))
        adapter = connector(stub)
        found = len(adapter.search(request))
        times = [
            (spent(lambda: adapter.search(request)), spent(lambda: json.loads(text)))
            for _ in range(ROUNDS + WARM_UP)
        ]
    ours, theirs = (median(side) for side in zip(*times[WARM_UP:], strict=True))
    print(
        f"A supplier's answer of {len(text) / 1e6:.1f} MB and {len(answer['data']['offers'])} offers, of which {found} are taken:"
        f" {ours:.1f} ms of processor, {ours / theirs:.2f} times json.loads ({theirs:.1f} ms)."
    )


def spent(act: Callable[[], object]) -> float:
    """Milliseconds of this thread's processor time."""
    began = time.thread_time()
    act()
    return 1000 * (time.thread_time() - began)


# --- The answer -----------------------------------------------------------------------------------------------------
def answer_of(stub: Any) -> Data:
    """There and back for one adult, at all hours, every fourth with a stop, at three fares."""
    from tests.flights.suppliers.duffel.selling import FARES
    from tests.flights.suppliers.requests import DEPARTURE

    days = [("LIS", "BER", DEPARTURE), ("BER", "LIS", DEPARTURE + timedelta(days=7))]
    slices = [{"origin": a, "destination": b, "departure_date": day.isoformat()} for a, b, day in days]
    asked = {"slices": slices, "cabin_class": "economy"}
    travellers = [{"id": "pas_0000Stub0001", "type": "adult", "age": None, "loyalty_programme_accounts": []}]
    fares = list(FARES)
    offers = [
        stub._offer(
            "orq_0000Stub0001", asked, travellers, 5 + number % 17, number % 4 // 3, fares[number % 3]
        )
        for number in range(OFFERS)
    ]
    return {"data": {"id": "orq_0000Stub0001", "offers": [whole(offer) for offer in offers]}}


def whole(offer: Data) -> Data:
    """With the fields that the stand-in leaves out, as Duffel's documentation has them."""
    more = {
        "total_emissions_kg": "188",
        "available_services": None,
        "supported_loyalty_programmes": ["ZZ"],
        "supported_passenger_identity_document_types": ["passport"],
        "private_fares": [],
        "owner": carrier(offer["owner"]),
        "slices": [whole_slice(one) for one in offer["slices"]],
    }
    return {**offer, **more}


def whole_slice(one: Data) -> Data:
    return {
        **one,
        "comparison_key": "BmlZDw==",
        "ngs_shelf": 1,
        "conditions": {"priority_check_in": None, "priority_boarding": None, "advance_seat_selection": None},
        "origin_type": "airport",
        "destination_type": "airport",
        "origin": place(one["origin"]),
        "destination": place(one["destination"]),
        "segments": [segment(part) for part in one["segments"]],
    }


def segment(part: Data) -> Data:
    cabin = {
        "name": "economy",
        "marketing_name": "Economy",
        "amenities": {"wifi": None, "seat": {"pitch": "30"}},
    }
    seat = {
        **part["passengers"][0],
        "passenger_id": "pas_0000Stub0001",
        "cabin_class_marketing_name": "Economy Basic",
        "fare_basis_code": "OXZ0RO",
        "baggages": [{"type": "carry_on", "quantity": 1}, {"type": "checked", "quantity": 0}],
        "cabin": cabin,
    }
    return {
        **part,
        "distance": "2312.5",
        "aircraft": {"id": "arc_0000Stub0320", "iata_code": "320", "name": "Airbus A320"},
        "origin_terminal": "1",
        "destination_terminal": None,
        "stops": [],
        "origin": place(part["origin"]),
        "destination": place(part["destination"]),
        "marketing_carrier": carrier(part["marketing_carrier"]),
        "operating_carrier_flight_number": part["marketing_carrier_flight_number"],
        "passengers": [seat],
    }


def place(told: Data) -> Data:
    code = told["iata_code"]
    return {
        **told,
        "id": f"arp_{code.lower()}_zz",
        "iata_country_code": "ZZ",
        "iata_city_code": code,
        "city": None,
        "latitude": 38.774167,
        "longitude": -9.134167,
    }


def carrier(told: Data) -> Data:
    return {
        **told,
        "id": "arl_0000Stub0001",
        "logo_symbol_url": "https://assets.duffel.com/img/airlines/for-light-background/full-color-logo/ZZ.svg",
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.bench.parts.settings")
    django.setup()
    main()
