"""What has happened at a simulated supplier since its prices were published."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Market:
    """The percentage of the published price that is asked now, and whether everything is sold."""

    percent: int = 100
    sold_out: bool = False
