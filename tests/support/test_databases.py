import os
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.support.databases import drop_database

NAME = f"to_be_dropped_{os.getpid()}"


def test_a_database_is_dropped_under_whoever_is_connected() -> None:
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {NAME}")
        with psycopg.connect(urlsplit(server)._replace(path=f"/{NAME}").geturl(), autocommit=True) as guest:
            drop_database(admin, NAME)
            with pytest.raises(psycopg.OperationalError):
                guest.execute("SELECT 1")
        found = admin.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [NAME]).fetchone()
        assert found == (0,)


def test_one_that_is_not_there_is_no_error() -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as admin:
        drop_database(admin, NAME)
