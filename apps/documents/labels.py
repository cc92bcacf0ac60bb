"""Every text that a document has of its own, by its name: `labels.tsv` has a column for each language.

Braces take values; a bar parts the form for one from the form for others.
"""

import csv
from pathlib import Path

_head, *_lines = csv.reader(
    (Path(__file__).parent / "labels.tsv").read_text().splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE
)
LANGUAGES: tuple[str, ...] = tuple(_head[1:])
LABELS: dict[str, tuple[str, ...]] = {name: tuple(texts) for name, *texts in _lines}
