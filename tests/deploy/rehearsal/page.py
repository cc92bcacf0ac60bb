"""The commands of docs/deploy.md."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/deploy.md"
HEADING, FENCED = r"^## (?P<heading>[^\n]*)$", r"^```sh ?(?P<who>\w*)\n(?P<commands>.*?)^```$"
BLOCK = re.compile(f"{HEADING}|{FENCED}", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """Commands that stand together. `who`: `root`; `systemd`, which only a host that it has booted can run; or anybody ("")."""

    heading: str
    who: str
    commands: str


def blocks(text: str) -> list[Block]:
    """In the order of the page."""
    found: list[Block] = []
    heading = ""
    for match in BLOCK.finditer(text):
        if match["heading"] is not None:
            heading = match["heading"]
        else:
            found.append(Block(heading, match["who"], match["commands"]))
    return found
