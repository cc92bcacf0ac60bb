"""`make bench`: ratios of one run. Single figures are this machine's and this minute's; only the ratios say something."""

import argparse

from config.embedded import prepare_environment

PARTS = ("peer", "webhooks")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description="Ratios of one run.")
    parser.add_argument("part", nargs="?", choices=PARTS, help="only this one")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured, in turns")
    arguments = parser.parse_args()
    prepare_environment()
    from tests.bench import beside_peer, webhooks  # they read the settings as they are imported

    for name, module in zip(PARTS, (beside_peer, webhooks), strict=True):
        if arguments.part in (None, name):
            module.main(arguments.rounds)


if __name__ == "__main__":
    main()
