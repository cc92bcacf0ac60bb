"""`make siege`: every attack in turn, then how requests are read, and hostile inputs; the exit code is 1 where a goal was missed.

    python -m tests.siege [--short] [--only NAME …] [--rounds N] [--seconds S] [--list]

`--only` takes a name, or the beginning of some. Only loopback, bounded in count and in time.
"""

import argparse
import os
import sys
import time

from config.embedded import prepare_environment
from tests.siege.attacks import ATTACKS

TABLES = ("reading", "hostile")
"""What is tried after the attacks, once each."""


def main() -> int:
    told = arguments()
    if told.list:
        print("\n".join([*ATTACKS, *TABLES]))
        return 0
    prepare_environment()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from tests.siege import table
    from tests.siege.hostile.report import hostile
    from tests.siege.puppet import puppet
    from tests.siege.reading.report import reading
    from tests.siege.stage import staged
    from tests.siege.trial import Judge

    began, missed = time.monotonic(), []
    names = chosen(told.only)
    with (
        staged() as stage,
        puppet("tests.siege.victims") as victims,
        puppet("tests.siege.attackers") as attackers,
    ):
        judge = Judge(stage, victims, attackers, told.rounds, told.seconds)
        print(table.HEADER, flush=True)
        for name in names:
            if name in TABLES:
                continue
            outcome = judge.try_out(ATTACKS[name])
            print("\n".join(table.lines(outcome)), flush=True)
            missed += [f"{name}: {what}" for what in outcome.missed()]
        stage.hang(())
        if "reading" in names:
            missed += reading(stage)
        if "hostile" in names:
            missed += hostile(stage, every=20 if told.short else 1)
    print(f"\n{len(names)} attacks in {time.monotonic() - began:.0f} s; {len(missed)} goals missed")
    for line in missed:
        print(f"  {line}")
    return 1 if missed else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make siege")
    parser.add_argument(
        "--short", action="store_true", help="one wave of a second each, and a share of the hostile inputs"
    )
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="these attacks, by name or its beginning"
    )
    parser.add_argument("--rounds", type=int, help="waves of each attack (3)")
    parser.add_argument("--seconds", type=float, help="how long a window is (3)")
    parser.add_argument("--list", action="store_true", help="the names of all attacks")
    told = parser.parse_args()
    told.rounds = told.rounds or (1 if told.short else 3)
    told.seconds = told.seconds or (1.0 if told.short else 3.0)
    return told


def chosen(only: list[str]) -> list[str]:
    names = [*ATTACKS, *TABLES]
    found = [name for name in names if not only or any(name.startswith(wanted) for wanted in only)]
    if not found:
        raise SystemExit(
            f"error: no attack is called {' or '.join(only)}; make siege ARGS=--list tells the names"
        )
    return found


if __name__ == "__main__":
    sys.exit(main())
