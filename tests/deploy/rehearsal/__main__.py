"""`deploy/rehearse NAME …`. The exit code is 1 where anything went wrong.

    path      the commands of docs/deploy.md, as they stand, in a clean directory
    upgrade   the release before and this one serve together through `migrate`, under load
    primary   PostgreSQL's primary is killed, its synchronous standby promoted
    redis     Redis' master is killed, Sentinel promotes its replica
    web       one of two groups of web processes is killed
    restore   PostgreSQL is restored to a second in time
    faults    twelve faults, one after the other, under the eyes of Prometheus; --fault NAME for one of them
    all       all of them

Everything but `path` needs what `make test` installs, and Debian's packages. Only loopback; what is written goes at the end.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.deploy.rehearsal import path

if TYPE_CHECKING:
    from tests.deploy.rehearsal.failures import Outcome

TIMES = {"upgrade": 1, "primary": 10, "redis": 3, "web": 4, "restore": 5}
"""How often each is done unless `--times` says so."""


def main() -> int:
    told = arguments()
    names = ["path", *TIMES, "faults"] if "all" in told.names else told.names
    status = path.walk(keep=told.keep) if "path" in names else 0
    rest = [name for name in names if name != "path"]
    return max(status, rehearse(rest, told) if rest else 0)


def rehearse(names: list[str], told: argparse.Namespace) -> int:
    from config.embedded import prepare_environment
    from tests.deploy.rehearsal.programs import missing

    if packages := missing(watched="faults" in names):
        sys.stderr.write(f"Packages of Debian's are missing: apt-get install {' '.join(packages)}\n")
        return 2
    prepare_environment()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from tests.deploy.rehearsal.failures import HEADER

    began, wrong = time.monotonic(), False
    if set(names) & TIMES.keys():
        print(HEADER, flush=True)
    for outcome in rehearsed(names, told):
        print(outcome.line, flush=True)
        for note in outcome.notes:
            print(f"  {note}", file=sys.stderr, flush=True)
        wrong = wrong or bool(outcome.wrong)
    if "faults" in names:
        from tests.deploy.rehearsal.faults import rehearse_faults

        wrong = bool(rehearse_faults(told.fault)) or wrong
    print(f"\n{time.monotonic() - began:.0f} s", flush=True)
    return int(wrong)


def rehearsed(names: list[str], told: argparse.Namespace) -> Iterator["Outcome"]:
    """The upgrade on a site of the release before, all else on one of this release."""
    from tests.deploy.rehearsal.failures import FAILURES
    from tests.deploy.rehearsal.restore import restored
    from tests.deploy.rehearsal.site import Release, running
    from tests.deploy.rehearsal.upgrade import upgraded

    for _ in range(told.times or TIMES["upgrade"] if "upgrade" in names else 0):
        yield upgraded(told.before)
    if not set(names) & TIMES.keys() - {"upgrade"}:
        return
    with running(Release()) as site:
        for name in names:
            if name in FAILURES:
                yield FAILURES[name](site, told.times or TIMES[name])
        if "restore" in names:
            yield restored(site, told.times or TIMES["restore"])


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="deploy/rehearse", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = ["path", *TIMES, "faults", "all"]
    parser.add_argument("names", nargs="+", choices=names, metavar="NAME")
    parser.add_argument("--times", type=int, help="how often, but for path and faults")
    parser.add_argument("--fault", action="append", default=[], help="faults: this one; may be repeated")
    parser.add_argument("--before", default="", help="upgrade: the release before's commit")
    parser.add_argument("--keep", action="store_true", help="path: leave the directory, to look at its logs")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
