"""The command `travel-partner`."""

from __future__ import annotations

import argparse
import sys

import httpx

from travel_partner._version import __version__
from travel_partner.mcp import Bridge
from travel_partner.retries import PATIENT, REAL_TIME
from travel_partner.settings import Settings


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="travel-partner")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    mcp = commands.add_parser(
        "mcp",
        help="the service's tools for an assistant, over standard input and output",
        description="The service's tools for an assistant, over standard input and output. Read-only by default. "
        "The API key is read from TRAVEL_PARTNER_API_KEY.",
    )
    mcp.add_argument("--base-url", help="the service's address; or TRAVEL_PARTNER_BASE_URL")
    mcp.add_argument("--allow-booking", action="store_true", help="also book and cancel, with --max-total")
    mcp.add_argument(
        "--max-total",
        type=int,
        metavar="CENTS",
        help="the most that one booking or cancellation may cost, in minor units of the account's currency",
    )
    given = parser.parse_args(arguments)
    if given.allow_booking != (given.max_total is not None):
        mcp.error("--allow-booking and --max-total belong together.")
    try:
        settings = Settings(None, given.base_url, PATIENT, REAL_TIME)
    except ValueError as error:
        mcp.error(str(error))
    with httpx.Client() as http:
        for answer in Bridge(settings, http, max_total=given.max_total).answers(sys.stdin.buffer):
            sys.stdout.buffer.write(answer)
            sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
