"""From a database of the last release to today's, with a row that it wrote; and it can still write afterwards."""

import json
import os
import subprocess
import sys
from urllib.parse import urlsplit

import psycopg

from tests.support.databases import drop_database
from tests.support.stack import ROOT


def test_a_database_of_the_last_release_is_migrated_and_that_release_writes_on(django_db_setup: None) -> None:
    name = "upgraded" + os.environ.get("PYTEST_XDIST_WORKER", "")
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as admin:
        drop_database(admin, name)
        admin.execute(f'CREATE DATABASE "{name}"')
        try:
            url = urlsplit(server)._replace(path=f"/{name}").geturl()
            told = subprocess.run(
                [sys.executable, "-m", "tests.migrations.upgrade"],
                cwd=ROOT,
                env={**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"},
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout
        finally:
            drop_database(admin, name)
    assert json.loads(told) == {"traces": ["scope 360;body 1000 invalid_request", ""], "unproven": []}
