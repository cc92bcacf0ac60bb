"""Processor time of other processes, as Linux tells it."""

import os
from pathlib import Path


def seconds_of(stat: Path) -> float:
    """What the process of this `/proc/…/stat` has used so far; 0 where it cannot be seen, as on another machine."""
    try:
        fields = stat.read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
