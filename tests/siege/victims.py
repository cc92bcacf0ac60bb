"""`python -m tests.siege.victims`: partners and people who mean no harm, in a process of their own. Measures what they pay.

Each kind of call is made by one thread, one call at a time, each over a connection of its own, at an even pace. An order is
`{"port", "seconds", "calls": [Call as JSON]}`, its answer `{name: {"ms": [...], "errors": {what: times}, "slowest": seconds}}`.
"""

import json
import re
import sys
import threading
import time
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from tests.siege.wire import Answer, call, request

PATIENCE = 10.0  # seconds that a call is waited for


@dataclass(frozen=True)
class Call:
    """`{unique}` in the headers is another each time. `every`: seconds from one call's beginning to the next one's."""

    name: str
    method: str
    path: str
    headers: dict[str, str]
    body: str = ""
    expected: tuple[int, ...] = (200, 201)
    every: float = 0.05
    sign_in: dict[str, str] | None = None
    """E-mail address and password: the call is then opening the form and signing in with it."""


class Victim:
    """One kind of call, again and again."""

    def __init__(self, port: int, told: Call) -> None:
        self.port, self.call = port, told
        self.ms: list[float] = []
        self.errors: Counter[str] = Counter()

    def run(self, seconds: float) -> None:
        began = time.monotonic()
        number = 0
        while (now := time.monotonic()) < began + seconds:
            answer = self.sign_in(number) if self.call.sign_in else self.once(number)
            self.ms.append(answer.seconds * 1000)
            if answer.status not in self.call.expected:
                self.errors[str(answer.status or answer.end)] += 1
            number += 1
            time.sleep(max(0.0, now + self.call.every - time.monotonic()))

    def once(self, number: int) -> Answer:
        unique = f"{self.call.name}-{time.monotonic_ns()}-{number}"
        headers = {name: value.replace("{unique}", unique) for name, value in self.call.headers.items()}
        raw = request(
            self.call.method, self.call.path, {**headers, "Connection": "close"}, self.call.body.encode()
        )
        return call(self.port, raw, seconds=PATIENCE)

    def sign_in(self, number: int) -> Answer:
        """From an address of its own each time: nobody signs in twice a second."""
        assert self.call.sign_in is not None
        source = f"127.0.{1 + time.monotonic_ns() % 250}.{1 + number % 250}"
        form = call(
            self.port,
            request("GET", self.call.path, {"Connection": "close"}),
            source=source,
            seconds=PATIENCE,
        )
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', form.body)
        if form.status != 200 or token is None:
            return form
        fields = {"csrfmiddlewaretoken": token[1].decode(), **self.call.sign_in}
        headers = {
            "Cookie": form.headers.get("set-cookie", "").partition(";")[0],
            "Content-Type": "application/x-www-form-urlencoded",
            "Connection": "close",
        }
        signed = call(
            self.port,
            request("POST", self.call.path, headers, urlencode(fields).encode()),
            source=source,
            seconds=PATIENCE,
        )
        return Answer(signed.status, end=signed.end, seconds=form.seconds + signed.seconds)


def measure(port: int, seconds: float, calls: list[Call]) -> dict[str, Any]:
    victims = [Victim(port, told) for told in calls]
    threads = [threading.Thread(target=victim.run, args=(seconds,)) for victim in victims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {
        victim.call.name: {
            "ms": victim.ms,
            "errors": victim.errors,
            "slowest": max(victim.ms) / 1000,
        }
        for victim in victims
    }


def as_json(told: Call) -> dict[str, Any]:
    return asdict(told)


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        calls = [Call(**{**told, "expected": tuple(told["expected"])}) for told in order["calls"]]
        print(json.dumps(measure(order["port"], order["seconds"], calls)), flush=True)


if __name__ == "__main__":
    main()
