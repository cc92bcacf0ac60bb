"""What happened at a simulated supplier since prices were published."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Market:
    """The percentage of the published price now asked, and whether all is sold."""

    percent: int = 100
    sold_out: bool = False
