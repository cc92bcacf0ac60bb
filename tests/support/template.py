"""A database with all migrations in it, which those of the tests are copies of: migrating takes seconds, copying does not.

It stays on the server until a migration or a library changes; the name says of which state it is.
"""

import hashlib
import os
from functools import cache
from urllib.parse import urlsplit

import psycopg

from tests.support.stack import ROOT, manage

PREFIX = "tests_template_"
LOCK = 0x7470_6C74  # "tplt": several test processes begin at once


@cache
def template() -> str:
    """Its name. Made by whoever needs it first; those of earlier states go."""
    name = PREFIX + state()
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as admin:
        admin.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        kept = {known for (known,) in admin.execute("SELECT datname FROM pg_database")}
        if name not in kept:
            make(name, admin)
        for former in kept - {name}:
            if former.startswith(PREFIX):
                admin.execute(f'DROP DATABASE IF EXISTS "{former}" WITH (FORCE)')
    return name


def make(name: str, admin: "psycopg.Connection[tuple[str]]") -> None:
    """Under its name once it is whole."""
    admin.execute(f'DROP DATABASE IF EXISTS "{PREFIX}unfinished" WITH (FORCE)')
    admin.execute(f'CREATE DATABASE "{PREFIX}unfinished"')
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{PREFIX}unfinished").geturl()
    manage({"DATABASE_URL": url}, "migrate", "--no-input", "--verbosity", "0")
    admin.execute(f'ALTER DATABASE "{PREFIX}unfinished" RENAME TO "{name}"')


def state() -> str:
    """Of our migrations, and of the libraries that bring their own."""
    files = [ROOT / "requirements.lock", *sorted(ROOT.glob("apps/*/migrations/*.py"))]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]
