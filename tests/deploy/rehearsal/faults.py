"""Faults are planted in a watched site, one after the other: each raises the alert that is meant and no other, until it ends."""

import json
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.deploy.rehearsal.planted import FAULTS, Fault, Stand
from tests.deploy.rehearsal.prometheus import Prometheus
from tests.deploy.rehearsal.site import Release, running
from tests.deploy.rehearsal.stand_ins import stand_ins
from tests.deploy.rehearsal.traffic import Traffic
from tests.support.receiver import receiving

TOKEN = "only-for-the-rehearsal"
RAISED_SECONDS, ENDED_SECONDS, CALM_SECONDS = 120.0, 150.0, 180.0
STAYS_SECONDS, AFTERWARDS_SECONDS = 60.0, 10.0
"""How long a fault stays at least, and after its alert was raised: longer than any alert that might follow needs to be raised."""
HEADER = """| fault | alert meant | raised after, s | others | ended after, s | wrong |
|---|---|---:|---|---:|---|"""


@dataclass
class Shown:
    """What one fault showed, in shortened time."""

    fault: Fault
    raised_after: float | None = None
    ended_after: float | None = None
    others: set[str] = field(default_factory=set)
    calm: bool = True

    @property
    def wrong(self) -> list[str]:
        undeclared = sorted(self.others - self.fault.consequences.keys())
        return [
            *([] if self.calm else ["other alerts were raised before"]),
            *([] if self.raised_after is not None else ["never raised"]),
            *([] if self.ended_after is not None else ["did not end"]),
            *(f"{name} is not meant" for name in undeclared),
        ]

    @property
    def line(self) -> str:
        others = ", ".join(
            f"{name}: {self.fault.consequences.get(name, '?')}" for name in sorted(self.others)
        )
        cells = [self.fault.name, f"`{self.fault.alert}`", told(self.raised_after), others or "none"]
        return f"| {' | '.join([*cells, told(self.ended_after), '; '.join(self.wrong) or 'nothing'])} |"


def told(seconds: float | None) -> str:
    return "never" if seconds is None else f"{seconds:.0f}"


def shown(stand: Stand, fault: Fault) -> Shown:
    found = Shown(fault)
    prometheus = stand.prometheus
    found.calm = prometheus.wait_until_calm(CALM_SECONDS)
    with fault.plant(stand):
        found.raised_after, early = prometheus.watch(RAISED_SECONDS, lambda firing: fault.alert in firing)
        stays = max(AFTERWARDS_SECONDS, STAYS_SECONDS - (found.raised_after or 0))
        _, late = prometheus.watch(stays, lambda firing: False)
    found.ended_after, after = prometheus.watch(ENDED_SECONDS, lambda firing: not firing)
    _, afterwards = prometheus.watch(CALM_SECONDS, lambda firing: not firing | prometheus.raised("pending"))
    found.others = (early | late | after | afterwards) - {fault.alert}
    return found


def rehearse_faults(names: Collection[str] = ()) -> int:
    """Prints the table. `names`: of these faults alone. Returns how many went wrong."""
    chosen = [fault for fault in FAULTS if not names or fault.name in names]
    print(HEADER, flush=True)
    wrong = 0
    with watched() as stand:
        for fault in chosen:
            found = shown(stand, fault)
            print(found.line, flush=True)
            wrong += bool(found.wrong)
        print(f"  answers: {dict(stand.traffic.answers)}", file=sys.stderr, flush=True)
    return wrong


@contextmanager
def watched() -> Iterator[Stand]:
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rehearsal-")))
        suppliers = stack.enter_context(stand_ins(directory))
        more = {
            "DJANGO_SETTINGS_MODULE": "tests.deploy.rehearsal.settings",
            "METRICS_TOKEN": TOKEN,
            "METRICS_DIRECTORY": str(directory / "figures"),
            "RECONCILIATION_SECONDS": "5",
            **suppliers.environment,
        }
        site = stack.enter_context(running(Release(), live=True, more=more))
        terms = ["--name", "Bystander", "--currency", "EUR", "--balance-cents", "100000", "--json"]
        bystander = json.loads(site.release.manage(site.environment(site.release), "create_partner", *terms))
        receiver = stack.enter_context(receiving())
        keys = site.partner["testKey"], site.partner["liveKey"]
        traffic = stack.enter_context(Traffic(site.front.url, *keys, receiver.url))
        prometheus = Prometheus(directory / "prometheus", [group.port for group in site.groups], TOKEN)
        stack.callback(prometheus.process.end)
        yield Stand(site, prometheus, suppliers, traffic, bystander["accountId"])
