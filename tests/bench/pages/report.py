"""Asks for each page in this tree and in another one, in turns, and prints the ratios.

Both trees serve the same rows of one database, which this tree's migrations made: an account with 100,000 calls and 10,000
bookings, deliveries and entries of the trail. So the other tree is an earlier one that may serve beside this one, as during an
upgrade. A ratio above 1 means that this tree takes more.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median, quantiles

from tests.bench.pages.side import Asked, Side, serving
from tests.bench.server import DATABASE, another_redis
from tests.support.own_service import own_database

HERE = Path(__file__).resolve().parents[3]
ROUNDS = 60
WARM_UP = 5
OK = 200
PAGES = {
    "Home": "/portal/test/",
    "Requests": "/portal/test/requests/",
    "one request": "/portal/test/requests/{request}/",
    "request of a booking": "/portal/test/requests/{booking_request}/",
    "Bookings": "/portal/test/bookings/",
    "one booking": "/portal/test/bookings/{booking}/",
    "Webhooks": "/portal/test/webhooks/",
    "one endpoint": "/portal/test/webhooks/{endpoint}/",
    "Deliveries": "/portal/test/webhooks/deliveries/",
    "one delivery": "/portal/test/webhooks/deliveries/{exhausted}/",
    "Balance": "/portal/test/balance/",
    "Usage": "/portal/test/balance/usage/",
    "Keys": "/portal/test/keys/",
    "Audit": "/portal/audit/",
}


def main(other: str, rounds: int = ROUNDS) -> None:
    trees = [HERE, checkout(other)]
    with own_database(f"{DATABASE}_pages") as url, ExitStack() as stack:
        environment = {"DATABASE_URL": url, "REDIS_URL": another_redis(), "SEAL_TRAVELLERS": "false"}
        told = prepare(environment)
        ours, theirs = (stack.enter_context(serving(tree, environment, told["cookie"])) for tree in trees)
        paths = {name: path.format(**told["names"]) for name, path in PAGES.items()}
        report({name: measured(ours, theirs, path, rounds) for name, path in paths.items()}, rounds)


def checkout(path: str) -> Path:
    found = Path(path).expanduser().resolve() if path else None
    if found is None or not (found / "config/wsgi.py").exists():
        raise SystemExit(
            "error: --other DIRECTORY must be a checkout of the service, to compare this one with"
        )
    return found


def prepare(environment: dict[str, str]) -> dict[str, dict[str, str]]:
    command = [sys.executable, "-m", "tests.bench.pages.prepared"]
    done = subprocess.run(
        command, cwd=HERE, env={**os.environ, **environment}, check=True, stdout=subprocess.PIPE, text=True
    )
    told: dict[str, dict[str, str]] = json.loads(done.stdout.splitlines()[-1])
    return told


def measured(ours: Side, theirs: Side, path: str, rounds: int) -> tuple["Page", "Page"]:
    """Who is asked first changes with each round, so that what else the machine does meets both."""
    asked: dict[Side, list[Asked]] = {ours: [], theirs: []}
    for number in range(WARM_UP + rounds):
        for side in (ours, theirs) if number % 2 else (theirs, ours):
            asked[side].append(side.ask(path))
    return Page.of(asked[ours][WARM_UP:]), Page.of(asked[theirs][WARM_UP:])


# --- The table ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Page:
    """Medians of a page in milliseconds, its p95, its size in bytes; whether it was ever answered otherwise than with 200."""

    processor: float
    wall: float
    p95: float
    size: int
    wrong: int

    @classmethod
    def of(cls, asked: Sequence[Asked]) -> "Page":
        walls = [each.wall * 1000 for each in asked]
        return cls(
            processor=median(each.processor * 1000 for each in asked),
            wall=median(walls),
            p95=quantiles(walls, n=20)[-1] if len(walls) > 1 else walls[0],
            size=asked[-1].size,
            wrong=next((each.status for each in asked if each.status != OK), 0),
        )


def report(pages: dict[str, tuple[Page, Page]], rounds: int) -> None:
    print(f"\nThis tree beside the other: medians of {rounds} rounds, ms, and their ratio; KB of HTML")
    print(f"{'':22}{'processor':>18}{'wall p50':>22}{'wall p95':>22}{'size':>18}")
    for name, (ours, theirs) in pages.items():
        if wrong := [
            f"{who} answered {page.wrong}"
            for who, page in (("this", ours), ("the other", theirs))
            if page.wrong
        ]:
            print(f"{name:22}{', '.join(wrong)}")
            continue
        print(
            f"{name:22}{pair(ours.processor, theirs.processor)}{pair(ours.wall, theirs.wall)}{pair(ours.p95, theirs.p95)}"
            f"{ours.size / 1000:8.0f}{theirs.size / 1000:6.0f}"
        )
    whole = [both for both in pages.values() if not any(page.wrong for page in both)]
    for what in ("processor", "wall", "p95"):
        ratio = geometric_mean(getattr(ours, what) / getattr(theirs, what) for ours, theirs in whole)
        print(f"all pages, {what}: {ratio:.2f}")


def pair(ours: float, theirs: float) -> str:
    return f"{ours:8.1f}{theirs:8.1f}{ours / theirs:6.2f}"
