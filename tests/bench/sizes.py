"""What a row of each large table takes on disk, with its indexes: of many copies of rows that one booking left."""

import json
import subprocess
import sys
from pathlib import Path

from tests.bench.webhooks import service

ROOT = Path(__file__).resolve().parents[2]
COUNT = 100_000
MILLION = 1_000_000


def main(count: int = COUNT) -> None:
    with service("bench_sizes") as environment:
        command = [sys.executable, "-m", "tests.bench.sizes_worker", str(count)]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
        )
    report(json.loads(done.stdout), count)


def report(sizes: dict[str, dict[str, int]], count: int) -> None:
    """Bytes a row of `count` rows each, and what ten and a hundred million of them would take."""
    print(f"\n{count:,} rows of each table; bytes a row")
    print(
        f"{'':28}{'table':>8}{'packed':>8}{'indexes':>9}{'together':>10}{'10 million':>12}{'100 million':>13}"
    )
    for table, size in sizes.items():
        parts = [size[part] / count for part in ("heap", "packed", "indexes")]
        whole = sum(parts)
        print(
            f"{table:28}{parts[0]:8.0f}{parts[1]:8.0f}{parts[2]:9.0f}{whole:10.0f}"
            f"{whole * 10 * MILLION / 2**30:9.1f} GiB{whole * 100 * MILLION / 2**30:10.0f} GiB"
        )
