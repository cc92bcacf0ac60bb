"""Counts what is logged as critical: what staff must see to, and nobody else can."""

import logging

from apps.common.metrics.counting import Counter

CRITICALS = Counter("criticals", "Log lines that staff must see to, by logger.", ("logger",))


class CountCriticals(logging.Handler):
    """Beside the handler that writes them."""

    def emit(self, record: logging.LogRecord) -> None:
        CRITICALS.add(record.name)
