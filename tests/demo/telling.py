"""What the demo writes: a line a step, aligned, ids shortened to what tells them apart."""

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apps.common.money import to_major

LONG_ID = re.compile(r"\b([a-z]+_)\w{16,}(\w{4})\b")
METHOD_WIDTH, PATH_WIDTH = 4, 52


class Failed(Exception):
    """The story did not go as it should; the message says where and why."""


def insist(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Failed(otherwise)


def chapter(title: str) -> None:
    plain = "NO_COLOR" in os.environ or not sys.stdout.isatty()
    print(f"\n{title}" if plain else f"\n\033[1m{title}\033[0m", flush=True)


def line(what: str, where: str, status: object, fact: str) -> None:
    print(f"  {what:<{METHOD_WIDTH}} {short(where):<{PATH_WIDTH}} {status:<4} {short(fact)}", flush=True)


def note(text: str) -> None:
    print(f"  {text}", flush=True)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()) -> None:
    """Columns as wide as they must be; those at the positions `numbers` are flush right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = [
            cell.rjust(width) if at in numbers else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        note("  ".join(cells).rstrip())


def short(text: str) -> str:
    """`ford_01JABCDEFGHJKMNPQRSTVWXYZ4` as `ford_…XYZ4`."""
    return LONG_ID.sub(r"\1…\2", text)


def money(cents: int, currency: str, *, signed: bool = False) -> str:
    """12345 EUR as `123.45 EUR`; signed: `+123.45 EUR`."""
    return f"{to_major(cents, currency):{'+' if signed else ''},} {currency}"


def total(priced: Mapping[str, Any]) -> str:
    return money(priced["totalCents"], priced["currency"])


def least(offers: Iterable[Mapping[str, Any]]) -> str:
    return total(min(offers, key=lambda offer: offer["totalCents"]))


def signed(option: Mapping[str, Any]) -> str:
    return money(option["differenceCents"], option["currency"], signed=True)


def returned(booking: Mapping[str, Any]) -> str:
    """What a cancellation kept and gave back."""
    end = booking["cancellation"]
    kept, back = end["penaltyCents"], end["refundCents"]
    return f"penalty {money(kept, end['currency'])}, back {money(back, end['currency'])}"
