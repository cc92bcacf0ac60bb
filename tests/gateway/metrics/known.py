"""The names of all figures, as Prometheus spells them."""

from apps.common.metrics.counting import PREFIX, known_names
from apps.common.metrics.readings import known_readings


def known_figures() -> set[str]:
    read = {PREFIX + name for readings in known_readings() for name in readings.texts}
    return {*read, *known_names(), f"{PREFIX}answers"}
