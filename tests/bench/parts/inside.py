"""`python -m tests.bench.parts.inside '{"meter", "calls", "rounds", "secret", "rateId"}'`: the process that is measured.

Prints as JSON {"pieces", "spent"}: by "<round> <operation>/<part>", and "calibration/…" for what measuring itself costs.
"""

import gc
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import django

WARM_UP = 6
CALIBRATION = "calibration"
NEVER_SECONDS = 86_400.0
"""What happens twice a minute would happen to some of the calls of a program that is slow because it is measured."""


def main(told: dict[str, Any]) -> None:
    from apps.gateway.request_log import writer
    from apps.keys import last_use
    from config.wsgi import application
    from tests.bench.parts.attribution import Attribution
    from tests.bench.parts.calls import Connection, requests_of
    from tests.bench.parts.meters import meter
    from tests.bench.parts.spots import HTTP, REQUEST_LOG, REST, attribute_all

    last_use.NOTED_EVERY_SECONDS = NEVER_SECONDS
    attribution = Attribution(meter(told["meter"]))
    attribute_all(attribution)
    connection = Connection(attribution.part(REST, application))
    ask = attribution.part(HTTP, connection.ask)
    hand_over = attribution.part(REQUEST_LOG, lambda: writer.writer.flush())
    requests = requests_of(told["secret"], told["rateId"])

    def make(name: str, calls: int) -> None:
        for request in [requests[name]() for _ in range(calls)]:
            ask(request)
        hand_over()

    for name in requests:
        make(name, WARM_UP)
    measure(attribution, make, list(requests), told["rounds"], told["calls"])


def measure(
    attribution: Any, make: Callable[[str, int], None], names: list[str], rounds: int, calls: int
) -> None:
    gc.collect()
    gc.freeze()  # as the web processes do before they are born
    attribution.begin()
    attribution.calibrate(CALIBRATION)
    for number in range(rounds):
        for name in names:
            attribution.operation(f"{number} {name}")
            make(name, calls)
    attribution.operation("")
    print(json.dumps({"pieces": attribution.pieces, "spent": attribution.spent()}))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.parts.settings"
    django.setup()
    main(json.loads(sys.argv[1]))
