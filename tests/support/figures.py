"""What this process counts, and the names of all figures as Prometheus spells them."""

from prometheus_client import REGISTRY

from apps.common.metrics import PREFIX, known_readings

PARTS = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}


def known_figures() -> set[str]:
    read = {PREFIX + name for readings in known_readings() for name in readings.texts}
    counted = {metric.name + part for metric in REGISTRY.collect() for part in PARTS.get(metric.type, ())}
    return read | {name for name in counted if name.startswith(PREFIX)}


class Counted:
    """How the counters, and the counts of the histograms, have grown since this was made."""

    def __init__(self) -> None:
        self._before = _samples()

    def __call__(self, name: str) -> dict[tuple[str, ...], float]:
        """By the values of the labels: of `travel_partner_` and `name`."""
        grown = {
            labels: value - self._before.get((PREFIX + name, labels), 0)
            for (of, labels), value in _samples().items()
            if of == PREFIX + name
        }
        return {labels: value for labels, value in grown.items() if value}


def _samples() -> dict[tuple[str, tuple[str, ...]], float]:
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for metric in REGISTRY.collect()
        for sample in metric.samples
    }
