"""`python -m tests.rehearsal NAME …`: what `deploy/rehearse` runs. The exit code is 1 where anything went wrong.

    upgrade   the release before and this one serve together through `migrate`, under load
    primary   PostgreSQL's primary is killed, its synchronous standby promoted
    pooler    pgbouncer is killed and started
    redis     Redis' master is killed, Sentinel promotes its replica
    web       one of two groups of web processes is killed
    restore   PostgreSQL is restored to a second in time
    all       each of them

Only loopback; everything lies in a directory that goes with it.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from config.embedded import prepare_environment
from tests.rehearsal.programs import missing

if TYPE_CHECKING:
    from tests.rehearsal.failures import Outcome

TIMES = {"upgrade": 1, "primary": 10, "pooler": 5, "redis": 3, "web": 4, "restore": 5}


def main() -> int:
    told = arguments()
    if packages := missing():
        sys.stderr.write(f"Debian's packages are missing: apt-get install {' '.join(packages)}\n")
        return 2
    prepare_environment()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from tests.rehearsal import table

    began, wrong = time.monotonic(), False
    print(table.HEADER, flush=True)
    for outcome in rehearsed(told):
        print(table.line(outcome), flush=True)
        for note in outcome.notes:
            print(f"  {note}", file=sys.stderr, flush=True)
        wrong = wrong or bool(outcome.wrong)
    print(f"\n{time.monotonic() - began:.0f} s", flush=True)
    return int(wrong)


def rehearsed(told: argparse.Namespace) -> "Iterator[Outcome]":
    from tests.rehearsal.failures import FAILURES
    from tests.rehearsal.restore import restored
    from tests.rehearsal.site import Release, running
    from tests.rehearsal.upgrade import upgraded

    names = list(TIMES) if "all" in told.names else told.names
    if "upgrade" in names:
        yield upgraded(told.before)
    failures = [name for name in names if name in FAILURES]
    if failures or "restore" in names:
        with running(Release()) as site:
            for name in failures:
                yield FAILURES[name](site, told.times or TIMES[name])
            if "restore" in names:
                yield restored(site, told.times or TIMES["restore"])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="deploy/rehearse", description=__doc__)
    parser.add_argument("names", nargs="+", choices=[*TIMES, "all"], metavar="NAME")
    parser.add_argument("--times", type=int, help="how often, in place of " + str(TIMES))
    parser.add_argument(
        "--before", default="", help="the commit of the release before; by default that of 1.1.0"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
