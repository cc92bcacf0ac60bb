"""What the environment leaves unset: servers of our own, and the values that suit them."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import environ
from redis import ConnectionPool

from config.embedded.private import kept_secret, private_directory
from config.embedded.servers import ServerError
from config.embedded.sharing import BASE_DIR, join

VAR = BASE_DIR / "var"


def prepare_environment(var: Path = VAR) -> None:
    """Fill in what the environment (and a `.env` file beside manage.py) leaves unset.

    A server that is not named is started, or joined where another command has started it, and stays up until
    this process ends. Only with the embedded database come values for development: a deployment that forgets
    its secrets gets an error, not ours.
    """
    if (BASE_DIR / ".env").exists():
        environ.Env.read_env(BASE_DIR / ".env")
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        private_directory(var)
    try:
        if not os.environ.get("DATABASE_URL"):
            os.environ["DATABASE_URL"] = join("postgres", var / "postgres")
            _set_development_defaults(var)
        if not os.environ.get("REDIS_URL"):
            os.environ["REDIS_URL"] = join("redis", var / "redis")
    except ServerError as error:
        raise SystemExit(f"error: {error}") from None


def prepare_test_environment() -> None:
    """The same, and a Redis database of the tests' own: one for each worker of pytest-xdist (gw0, gw1 …)."""
    prepare_environment()
    first = os.environ.setdefault("TEST_REDIS_URL", with_database(os.environ["REDIS_URL"], 1))
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    number: int = ConnectionPool.from_url(first).connection_kwargs.get("db", 0)
    if worker:
        number += 1 + int(worker.removeprefix("gw"))
    os.environ["REDIS_URL"] = with_database(first, number)


def with_database(redis_url: str, number: int) -> str:
    """`redis_url` with another database number."""
    address = redis_url.partition("?")[0]
    if address.startswith("unix:"):
        return f"{address}?db={number}"
    return urlsplit(address)._replace(path=f"/{number}").geturl()


def _set_development_defaults(var: Path) -> None:
    port = os.environ.get("PORT", "8000")
    defaults = {
        "SECRET_KEY": kept_secret(var / "secret_key"),
        "FIELD_ENCRYPTION_KEYS": kept_secret(var / "field_encryption_keys"),
        "SEAL_TRAVELLERS": "true",
        "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
        "SIMULATE_LIVE_KEYS": "true",
        "SECURE_COOKIES": "false",
        "DOCS_BASE_URL": f"http://127.0.0.1:{port}/docs",
        "RECONCILIATION_SECONDS": "5",
        "STATIC_FROM_SOURCE": "true",
        "PORTAL_REQUIRE_TWO_FACTOR": "false",
    }
    for name, value in defaults.items():
        os.environ.setdefault(name, value)
