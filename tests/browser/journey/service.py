"""All processes of production on the tests' database: web server, worker, dispatcher, beat, and a broker."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.crew import working
from tests.support.private_redis import PrivateRedis
from tests.support.stack import serving, test_database_url

QUICK = {
    "WEBHOOK_SWEEP_SECONDS": 1,  # beat's table knows whole seconds: of a part of one it makes 0, and beat never rests
    "WORKER_PROCESSES": 1,
    "DISPATCHER_PROCESSES": 1,
    "REDIS_TIMEOUT_SECONDS": 2,
    "DATABASE_STATEMENT_TIMEOUT_MS": 60_000,
}
"""Production settings, with shorter waits, and with longer timeouts for a busy machine."""


@contextmanager
def whole_service(directory: Path) -> Iterator[str]:
    """Yields the address. Logs, mail and the broker's socket are in `directory`."""
    broker = PrivateRedis(directory)
    environment = {
        **QUICK,
        "DATABASE_URL": test_database_url(),
        "REDIS_URL": broker.url,
        "PORTAL_REQUIRE_TWO_FACTOR": "true",
        "SECURE_COOKIES": "false",  # the browser comes without TLS
        "EMAIL_URL": "dummymail://",
    }
    try:
        with working(environment, directory / "crew.log") as crew:
            crew.set_beats(1)
            with serving(environment, workers=2, threads=4) as url:
                yield url
    finally:
        broker.kill()
