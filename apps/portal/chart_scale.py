"""Where an axis ends."""

from math import floor, log10


def rounded_up(highest: float) -> float:
    """The next number that reads well, and whose half does: 1, 2, 4, 6, 8 or 10 times a power of ten. 2 for less than that."""
    power = 10.0 ** floor(log10(highest)) if highest > 0 else 1.0
    top = next(step * power for step in (1, 2, 4, 6, 8, 10) if step * power >= highest * (1 - 1e-9))
    return max(2, top)
