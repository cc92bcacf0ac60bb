"""`python -m tests.bench.parts.supplier_answer`: what a large answer of a supplier of flights costs us, from its bytes to offers.

Nothing real is recorded, so the answer is made of the stand-in's offers, which have all that a real one has: 229 offers, 1.9 MB,
packed as theirs are. The processor time is that of the thread that asks. `json.loads` of the same text is the
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
    return {"data": {"id": "orq_0000Stub0001", "offers": offers}}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.bench.parts.settings")
    django.setup()
    main()
