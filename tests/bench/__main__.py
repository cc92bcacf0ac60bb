"""`make bench`: ratios of one run. Single figures are this machine's and this minute's; only the ratios say something.

    python -m tests.bench [COMMAND] [--rounds N] …

`--help` tells the commands, `COMMAND --help` the options of one.
"""

import argparse
import sys
from typing import Any, NoReturn

from config.embedded import prepare_environment
from tests.bench.commands import COMMANDS
from tests.bench.parts.meters import CALLGRIND, PERF, TIME

EVERYTHING = "all"


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(f"error: {message}; make bench ARGS=--help tells the commands")


def main(arguments: list[str]) -> None:
    told = parser().parse_args(with_command(arguments))
    prepare_environment()
    COMMANDS[told.command].run(told)


def with_command(arguments: list[str]) -> list[str]:
    """Without a command: all of it; a number alone says over how many rounds."""
    if arguments and arguments[0].isdigit():
        return [EVERYTHING, "--rounds", *arguments]
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help")):
        return [EVERYTHING, *arguments]
    return arguments


def parser() -> Parser:
    made = Parser(prog="make bench", description="Ratios of one run. Without a command: all.")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    for name, command in COMMANDS.items():
        one = commands.add_parser(name, help=command.says, description=f"{command.says.capitalize()}.")
        for option in command.options:
            one.add_argument(f"--{option}", **OPTIONS[option])
    return made


def whole(text: str) -> int:
    """A whole number above zero."""
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is no whole number above zero")
    return int(text)


def some(text: str) -> float:
    """A number above zero."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no number above zero")
    return number


OPTIONS: dict[str, dict[str, Any]] = {
    "rounds": {"type": whole, "metavar": "N", "help": "how often everything is measured, by turns"},
    "seconds": {"type": some, "metavar": "S", "help": "how long a window is"},
    "backlog": {"type": whole, "metavar": "N", "help": "how many settlements are owed"},
    "calls": {"type": whole, "metavar": "N", "help": "calls of each operation in a round"},
    "other": {"metavar": "DIRECTORY", "help": "the checkout that this one is compared with"},
    "meter": {
        "choices": (PERF, CALLGRIND, TIME),
        "help": "what counts: the processor's counter, valgrind, or processor time (the first that there is)",
    },
}

if __name__ == "__main__":
    main(sys.argv[1:])
