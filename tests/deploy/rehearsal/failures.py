"""A part of the site ends while partners order: what they were answered meanwhile, and what became of what was acknowledged."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg

from tests.deploy.rehearsal.load import Load
from tests.deploy.rehearsal.postgres import DATABASE, Node
from tests.deploy.rehearsal.site import Site

PROBE_SECONDS = 0.5
PROBES = 2
"""So many looks in a row without an answer, and the primary is given up."""
AWAY_SECONDS = 5.0
HEADER = """| what | calls | orders acknowledged | until orders succeed, s | answered meanwhile | wrong |
|---|---:|---:|---|---|---|"""
ORDERS = "SELECT string_agg(id, ' ') FROM bookings_booking WHERE status = 'ticketed'"


@dataclass
class Outcome:
    """One rehearsal: how often, how long until calls succeeded again, how they were answered meanwhile, and what went wrong."""

    name: str
    seconds: list[float] = field(default_factory=list)
    acknowledged: int = 0
    calls: int = 0
    meanwhile: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        """Of the table under HEADER."""
        seconds = sorted(self.seconds)
        waited = "–" if not seconds else f"{seconds[len(seconds) // 2]:.1f} (most {seconds[-1]:.1f})"
        answers = "; ".join(
            f"{kind}s " + ", ".join(f"{times} × {words}" for words, times in counted.most_common())
            for kind, counted in self.meanwhile.items()
            if counted
        )
        wrong = "; ".join(self.wrong[:5]) or "nothing"
        return f"| {self.name} | {self.calls} | {self.acknowledged} | {waited} | {answers or '–'} | {wrong} |"

    def count(self, load: Load, since: float) -> None:
        self.calls += len(load.calls)
        for kind in ("order", "read"):
            self.meanwhile.setdefault(kind, Counter()).update(load.statuses(kind, since))

    def judge(self, site: Site, load: Load) -> None:
        """Every acknowledged order stands, none is doubled, and the checker finds nothing."""
        self.acknowledged += len(load.acknowledged)
        self.wrong += load.unanswered + site.verdict()
        self.wrong += lost(site.postgres.primary, load)


def lost(primary: Node, load: Load) -> list[str]:
    standing = set(str(primary.ask(ORDERS, DATABASE) or "").split())
    ids = Counter(load.acknowledged.values())
    return [f"lost: {order}" for order in ids.keys() - standing] + [
        f"one order for {times} keys: {order}" for order, times in ids.items() if times > 1
    ]


@contextmanager
def trouble(site: Site, outcome: Outcome) -> Iterator[tuple[Load, Callable[[], None]]]:
    """Under load: the block ends a part, and calls what it is given at the moment when that was done."""
    began: list[float] = []
    with Load(site.front.url, site.secret) as load:
        time.sleep(1)
        yield load, lambda: began.append(time.monotonic())
        (since,) = began
        outcome.seconds.append(load.wait_until_served(since) - since)
        time.sleep(1)
    outcome.count(load, since)
    outcome.judge(site, load)


def primary(site: Site, times: int) -> Outcome:
    """The primary is killed, and the standby promoted: DATABASE_URL names both. Then there is a standby again."""
    outcome = Outcome(f"PostgreSQL's primary killed × {times}")
    for _ in range(times):
        with trouble(site, outcome) as (_load, killed):
            killed()
            site.postgres.primary.kill()
            wait_until_given_up(site.postgres.primary)
            site.postgres.fail_over()
        site.postgres.follow()
    return outcome


def wait_until_given_up(node: Node) -> None:
    silent = 0
    while silent < PROBES:
        try:
            node.ask("SELECT 1", timeout=2)
        except psycopg.OperationalError:
            silent += 1
        else:
            silent = 0
        time.sleep(PROBE_SECONDS)


def redis(site: Site, times: int) -> Outcome:
    """The master is killed; Sentinel promotes the replica, and haproxy leads there. The old one comes back as a replica."""
    outcome = Outcome(f"Redis' master killed × {times}")
    for _ in range(times):
        with trouble(site, outcome) as (_load, killed):
            name = site.redis.kill_master()  # looks first who that is, and orders go on meanwhile
            killed()
        site.redis.bring_back(name)
        if refused := {words: n for words, n in outcome.meanwhile["read"].items() if words != "200"}:
            outcome.notes.append(f"reads: {refused}")
    return outcome


def web(site: Site, times: int) -> Outcome:
    """One group of web processes is killed, stays away for some seconds, and is started again."""
    outcome = Outcome(f"a web group killed × {times}")
    for number in range(times):
        group = site.groups[number % 2]
        with trouble(site, outcome) as (load, killed):
            killed()
            group.process.kill()
            load.go_on(AWAY_SECONDS)
            group.start(group.release, group.environment)
    return outcome


FAILURES = {"primary": primary, "redis": redis, "web": web}
