"""One attack: what another partner's calls take before, during and after it. None of them may fail."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import quantiles

from tests.siege.site import Site
from tests.support.api import Reply
from tests.support.flight_shop import CONTACT
from tests.support.stack import ROOT, NoAnswer

EVERY_SECONDS = 0.1
RAMP_SECONDS = 0.5
HEADER = f"p95 in ms\n{'while':18}{'call':10}{'before':>9}{'during':>9}{'after':>9}  failed  attackers"


@dataclass
class Samples:
    """One kind of call, again and again."""

    ms: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def repeat(self, call: Callable[[], Reply], seconds: float) -> None:
        end = time.monotonic() + seconds
        while (began := time.monotonic()) < end:
            try:
                reply = call()
                if reply.status not in (200, 201):
                    self.failures.append(f"{reply.status} {reply.body}")
            except NoAnswer as error:
                self.failures.append(str(error))
            self.ms.append((time.monotonic() - began) * 1000)
            time.sleep(max(0.0, began + EVERY_SECONDS - time.monotonic()))


Measured = dict[str, Samples]


@dataclass(frozen=True)
class Trial:
    name: str
    before: Measured
    during: Measured
    after: Measured
    ends: dict[str, int]
    """How the attackers' calls ended; `held` are those that were open when we gave up."""

    @property
    def failures(self) -> list[str]:
        windows = (self.before, self.during, self.after)
        calls = [(name, samples) for window in windows for name, samples in window.items()]
        return [f"{name}: {failure}" for name, samples in calls for failure in samples.failures]

    @property
    def slowest_seconds(self) -> float:
        return max(max(samples.ms) for samples in self.during.values()) / 1000

    def lines(self) -> list[str]:
        made = []
        for call, samples in self.during.items():
            windows = (self.before[call], samples, self.after[call])
            p95s = "".join(f"{quantiles(window.ms, n=20)[-1]:9.0f}" for window in windows)
            made.append(f"{self.name:18}{call:10}{p95s}{len(samples.failures):8}  {self.ends}")
        return made


def attacked(site: Site, name: str, seconds: float) -> Trial:
    calls = calls_of(site)
    before = measured(calls, seconds / 2)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.siege.attacks", name, str(site.port), json.dumps(site.keys)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        time.sleep(RAMP_SECONDS)
        during = measured(calls, seconds)
        said, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    return Trial(name, before, during, measured(calls, seconds / 2), json.loads(said))


def calls_of(site: Site) -> dict[str, Callable[[], Reply]]:
    """What the partner does meanwhile, and a probe."""
    api = site.api("victim")
    found = api.post("/v1/hotels/searches", {"limit": 1}).body
    rate = found["hotels"][0]["rates"][0]["rateId"]
    guest = {"firstName": "Ada", "lastName": "Byron", "type": "adult"}
    booking = {"rateId": rate, "guests": [guest], "contact": CONTACT}
    return {
        "account": lambda: api.get("/v1/account"),
        "search": lambda: api.post("/v1/hotels/searches", {"limit": 5}),
        "booking": lambda: api.post("/v1/hotels/bookings", booking),
        "health": lambda: api.get("/health"),
    }


def measured(calls: dict[str, Callable[[], Reply]], seconds: float) -> Measured:
    found = {name: Samples() for name in calls}
    threads = [
        threading.Thread(target=found[name].repeat, args=(call, seconds)) for name, call in calls.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found
