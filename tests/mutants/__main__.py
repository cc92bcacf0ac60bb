"""`make mutants`: plant small faults one at a time, and tell which ones the tests do not notice.

    python -m tests.mutants [--only AREA …] [--module PART …] [--change TEXT] [--sample N] [--seed TEXT] [--slower N] [--list]

Without `--sample` every mutant is tried. The exit code is 1 where less than GOAL of an area's mutants were killed.
"""

import argparse
import fcntl
import multiprocessing
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from config.embedded import prepare_environment, prepare_test_environment
from config.embedded.environment import with_database
from tests.mutants.afresh import import_ahead, try_afresh
from tests.mutants.areas import AREAS, ROOT, tests_of, tests_of_app
from tests.mutants.mutant import Mutant, mutants_of, sampled
from tests.mutants.trial import PATIENCE, End, Tests, TestsOf, file_of, try_warm

GOAL = 0.95
REDIS_DATABASE = 15  # the last of those that there are; the suite takes the first
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
LOCK = ROOT / "var" / "mutants.lock"
Ends = dict[Mutant, End]


def main() -> int:
    told = arguments()
    held = None if told.list else only_run(LOCK)
    PATIENCE.grow(told.slower)
    prepare_servers()
    tables: dict[str, Ends] = {}
    for area in told.only or AREAS:
        chosen = chosen_of(area, told)
        if told.list:
            print("\n".join(map(str, chosen)))
            continue
        tables[area] = ends_of(area, chosen, tests_of_app if told.wide else tests_of, where=told.wide)
    if held is not None:
        held.close()
    return 0 if told.list else report(tables)


def only_run(lock: Path) -> IO[str]:
    """Holds `lock` until it is closed. Raises SystemExit where another run has it: two would spoil each other's database."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    held = lock.open("w")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.close()
        raise SystemExit(
            "error: make mutants runs in this checkout already; a second run needs one of its own"
        ) from None
    return held


def prepare_servers() -> None:
    """The suite's servers, with a database and a Redis of our own in them: the suite may run beside this."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings_test"
    os.environ["TEST_DATABASE_NAME"] = "test_mutants"
    prepare_environment()
    os.environ["TEST_REDIS_URL"] = with_database(os.environ["REDIS_URL"], REDIS_DATABASE)
    prepare_test_environment()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument(
        "--only", nargs="+", default=[], choices=list(AREAS), metavar="AREA", help=", ".join(AREAS)
    )
    parser.add_argument(
        "--module", nargs="+", default=[], metavar="PART", help="modules whose path has this in it"
    )
    parser.add_argument(
        "--change", metavar="TEXT", default="", help="changes whose description has this in it"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants of each area, not all")
    parser.add_argument("--seed", default="1", help="which ones; the same seed chooses the same")
    parser.add_argument(
        "--slower",
        type=float,
        default=1.0,
        metavar="N",
        help="how much slower the machine is than a usual one: so much longer may the tests of a mutant take",
    )
    parser.add_argument(
        "--wide",
        action="store_true",
        help="before all the tests of the app, and tell which file noticed what",
    )
    parser.add_argument("--list", action="store_true", help="name the mutants, and try none")
    return parser.parse_args()


def chosen_of(area: str, told: argparse.Namespace) -> list[Mutant]:
    known, same = mutants_of(area), equivalents()
    for name in same - {mutant.name for mutant in known}:
        if any(name[0].startswith(place) for place in AREAS[area]):
            print(f"{EQUIVALENT.name} names a mutant that there is not: {name}", file=sys.stderr)
    mutants = [mutant for mutant in known if mutant.name not in same]
    if told.module:
        mutants = [mutant for mutant in mutants if any(part in mutant.module for part in told.module)]
    mutants = [mutant for mutant in mutants if told.change in mutant.what]
    return mutants if told.sample is None else sampled(mutants, told.sample, told.seed)


def equivalents() -> set[tuple[str, str, str, int]]:
    entries = tomllib.loads(EQUIVALENT.read_text()).get("mutant", [])
    return {(entry["module"], entry["function"], entry["change"], entry.get("nth", 1)) for entry in entries}


def ends_of(area: str, mutants: Sequence[Mutant], tests_of: TestsOf, *, where: bool) -> Ends:
    """What became of each mutant of an area; `where` tells in which file it was noticed."""
    ends, tests = Ends(), Tests()
    forking = multiprocessing.get_context("fork")
    receiving, sending = forking.Pipe(duplex=False)
    warm = forking.Process(target=warmly, args=(mutants, tests_of, receiving, sending))
    warm.start()
    sending.close()
    try:
        while True:
            match receiving.recv():
                case (_, End.SURVIVED, _):
                    continue  # afresh it may be noticed: what cached functions remember has the fault then too
                case (mutant, End() as end, by):
                    ends[mutant] = end
                    tell_of_end(mutant, end, len(ends), len(mutants))
                    if where:
                        print(f"  {file_of(by)} noticed: {mutant}")
                case dict() as tests:
                    tell_of_tests(area, tests)
                case set() as libraries:
                    import_ahead(libraries)
                case text:
                    print(text, file=sys.stderr)
    except EOFError:
        warm.join()
    for mutant in [mutant for mutant in mutants if mutant not in ends]:
        ends[mutant] = try_afresh(mutant, tests_of(mutant.module), tests)
        tell_of_end(mutant, ends[mutant], len(ends), len(mutants))
    print(file=sys.stderr)
    return ends


def tell_of_end(mutant: Mutant, end: End, number: int, total: int) -> None:
    if end == End.SURVIVED:
        print(f"\r  survived: {mutant}", file=sys.stderr)
    print(f"\r  {number} of {total}", end="", file=sys.stderr, flush=True)


def warmly(mutants: Sequence[Mutant], tests_of: TestsOf, receiving: Connection, sending: Connection) -> None:
    receiving.close()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try_warm(mutants, tests_of, sending.send)
    ours = ("apps", "config", "tests", "conftest", "__main__")
    sending.send({name for name in list(sys.modules) if name.partition(".")[0] not in ours})


def tell_of_tests(area: str, tests: Tests) -> None:
    broken = [name for name, test in tests.items() if not test.passed]
    seconds = sum(test.seconds for test in tests.values())
    print(f"{area}: {len(tests)} tests in {seconds:.0f} s", file=sys.stderr, flush=True)
    for name in broken:
        print(f"  fails without any fault, and is left out: {name}", file=sys.stderr)


def report(tables: dict[str, Ends]) -> int:
    print(f"\n{'':12}{'mutants':>9}{'killed':>9}{'timeout':>9}{'survived':>10}{'share':>8}")
    missed = 0
    for area, ends in tables.items():
        counts = Counter(ends.values())
        share = 1 - counts[End.SURVIVED] / max(1, len(ends))
        missed += share < GOAL
        numbers = f"{len(ends):9}{counts[End.KILLED]:9}{counts[End.TIMEOUT]:9}{counts[End.SURVIVED]:10}"
        print(f"{area:12}{numbers}{share:8.1%}")
    for ends in tables.values():
        for mutant in (mutant for mutant, end in ends.items() if end == End.SURVIVED):
            print(f"  {mutant}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
