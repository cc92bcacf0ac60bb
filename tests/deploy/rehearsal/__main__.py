"""`deploy/rehearse path`: a stranger's path."""

import argparse
import sys

from tests.deploy.rehearsal import path


def main() -> int:
    parser = argparse.ArgumentParser(prog="deploy/rehearse")
    kinds = parser.add_subparsers(dest="kind", required=True)
    walk = kinds.add_parser(
        "path", help="the commands of docs/deploy.md, as they stand, in a clean directory"
    )
    walk.add_argument("--keep", action="store_true", help="leave the directory, to look at its logs")
    arguments = parser.parse_args()
    return path.walk(keep=arguments.keep)


if __name__ == "__main__":
    sys.exit(main())
