"""`make contract`: does the live document keep what was released, and would the comparison notice if it did not?"""

import argparse
import sys
from random import Random

import django

from config.embedded import prepare_environment

ADDITIONS = 1_000


def main() -> None:
    arguments = _arguments()
    prepare_environment()
    django.setup()
    faults = [_kept(), _breaks(arguments.one_in), _additions(arguments.additions)]
    sys.exit(1 if any(faults) else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make contract", description=__doc__)
    parser.add_argument(
        "--one-in", type=int, default=1, metavar="N", help="plant each kind at every Nth place only"
    )
    parser.add_argument(
        "--additions", type=int, default=ADDITIONS, metavar="N", help="how many changes that only add"
    )
    return parser.parse_args()


def _kept() -> int:
    from tests.contract.ratchet.releases import broken, live, released

    lines = broken(live())
    for version in released():
        print(f"{version}: {'kept' if version not in lines else f'{len(lines[version])} things broken'}")
        for line in lines.get(version, []):
            print(f"  {line}")
    return len(lines)


def _breaks(one_in: int) -> int:
    from tests.contract.ratchet.everything import EVERYTHING
    from tests.contract.ratchet.planting import Tried, tried
    from tests.contract.ratchet.releases import released

    newest = list(released().values())[-1]
    small, whole = tried(EVERYTHING), tried(newest, one_in=one_in)
    print(f"\n{'kind of break':48} planted  not noticed")
    unnoticed = 0
    for kind in {**whole, **small}:
        both = [whole.get(kind, Tried()), small.get(kind, Tried())]
        missed = [where for each in both for where in each.unnoticed]
        unnoticed += bool(missed)
        print(f"{kind:48} {sum(each.planted for each in both):7}  {len(missed):11} {', '.join(missed[:3])}")
    planted = sum(each.planted for each in (*whole.values(), *small.values()))
    print(
        f"{len({**whole, **small})} kinds, planted {planted} times; {unnoticed} kinds were not noticed everywhere"
    )
    return unnoticed


def _additions(number: int) -> int:
    from tests.contract.ratchet.additions import grown
    from tests.contract.ratchet.documents import Released
    from tests.contract.ratchet.releases import released

    newest = list(released().values())[-1]
    ratchet, refused = Released(newest), 0
    for seed in range(number):
        document, made = grown(newest, Random(seed))
        if lines := ratchet.broken_by(document):
            refused += 1
            print(f"  refused: {', '.join(made)}: {lines[0]}")
    print(f"\n{number} changes that only add: {refused} refused")
    return refused


if __name__ == "__main__":
    main()
