"""Who waits for whose lock: looked at ten times a second in pg_stat_activity, from a connection of its own."""

import threading
from dataclasses import dataclass

import psycopg

from tests.deploy.rehearsal.postgres import DATABASE, SUPERUSER, Node

APART_SECONDS = 0.1
WAITING = """
SELECT waiting.pid, waiting.query_start::text, extract(epoch FROM clock_timestamp() - waiting.query_start)::float,
       waiting.query,
       coalesce(string_agg(DISTINCT CASE other.state WHEN 'active' THEN '' ELSE 'after ' END || other.query, ' and '), '')
  FROM pg_stat_activity waiting
  LEFT JOIN LATERAL unnest(pg_blocking_pids(waiting.pid)) blocking (pid) ON true
  LEFT JOIN pg_stat_activity other ON other.pid = blocking.pid
 WHERE waiting.wait_event_type = 'Lock' AND waiting.state = 'active' AND waiting.pid <> pg_backend_pid()
 GROUP BY 1, 2, 3, 4
"""
WORDS = 90


@dataclass(frozen=True)
class Wait:
    """`behind`: the statements of those who had the lock, or stood before it in the queue; `after` one that had ended."""

    seconds: float
    statement: str
    behind: str

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s: {_short(self.statement)} ← {_short(self.behind)}"


class Waits:
    """Runs from `with` to its end. A wait shorter than the pause between two looks may be missed."""

    def __init__(self, node: Node) -> None:
        self._address = f"host=127.0.0.1 port={node.port} user={SUPERUSER} dbname={DATABASE}"
        self._found: dict[tuple[int, str], Wait] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Waits":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def longest(self, most: int) -> list[Wait]:
        return sorted(self._found.values(), key=lambda wait: -wait.seconds)[:most]

    def _look(self) -> None:
        with psycopg.connect(self._address, autocommit=True) as connection:
            while not self._stop.wait(APART_SECONDS):
                for pid, began, seconds, statement, behind in connection.execute(WAITING):
                    self._found[(pid, began)] = Wait(seconds, statement, behind)


def _short(statement: str) -> str:
    return " ".join(statement.split())[:WORDS]
