"""`migrate` that is interrupted while it builds an index on a table in use."""

import os
import signal
import subprocess
import sys
import time
from typing import Any

import psycopg
import pytest

from tests.support.own_service import own_database
from tests.support.stack import ROOT, manage, variables

pytestmark = pytest.mark.slow

INDEX = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('traveller_last_names')"


def test_an_index_that_was_left_invalid_is_built_again() -> None:
    with own_database("migrate_interrupted") as url, psycopg.connect(url, autocommit=True) as database:
        environment = {"DATABASE_URL": url, "DATABASE_STATEMENT_TIMEOUT_MS": 0}
        manage(environment, "migrate", "bookings", "0011", "--verbosity", "0")
        assert database.execute(INDEX).fetchone() is None
        with psycopg.connect(url) as busy:
            busy.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            busy.execute("SELECT count(*) FROM bookings_booking")  # an index waits for every older snapshot
            process = subprocess.Popen(
                [sys.executable, "manage.py", "migrate", "--skip-checks"],
                cwd=ROOT,
                env={**os.environ, **variables(environment)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            wait_for(database, "SELECT 1 FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting%'")
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=30)
        assert (process.returncode, said.splitlines()[-1]) == (
            143,
            "Interrupted. Run it again: what was applied stays applied.",
        )
        left = "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid"
        (invalid,) = [name for (name,) in database.execute(left)]
        assert f"Dropped {invalid}, which an interrupted migration left invalid." in manage(
            environment, "migrate"
        )
        assert database.execute(left).fetchall() == []
        assert database.execute(INDEX).fetchone() == (True,)


def wait_for(database: psycopg.Connection[Any], query: str) -> None:
    give_up = time.monotonic() + 20
    while database.execute(query).fetchone() is None:
        assert time.monotonic() < give_up
        time.sleep(0.1)
