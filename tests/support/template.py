"""A database with all migrations in it, which those of the tests are copies of: migrating takes seconds, copying does not.

It stays on the server until a migration or a library changes; the name says of which state it is.
"""

import hashlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from urllib.parse import urlsplit

import psycopg

from tests.support.databases import drop_database
from tests.support.private_servers import binary
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
                drop_database(admin, former)
    return name


def make(name: str, admin: "psycopg.Connection[tuple[str]]") -> None:
    """Under its name once it is whole."""
    drop_database(admin, f"{PREFIX}unfinished")
    admin.execute(f'CREATE DATABASE "{PREFIX}unfinished"')
    migrate(url_of(f"{PREFIX}unfinished"))
    admin.execute(f'ALTER DATABASE "{PREFIX}unfinished" RENAME TO "{name}"')


def copy_to(url: str) -> None:
    """The same into the empty database at `url`, on another server."""
    options = ["--no-owner", "--no-privileges", "--no-comments"]
    with copied() as source:
        dumped = subprocess.run([binary("pg_dump"), *options, source], stdout=subprocess.PIPE)
    if dumped.returncode:  # it refuses a server that is newer than itself
        migrate(url)
        return
    told = [
        "--quiet",
        "--no-psqlrc",
        "--single-transaction",
        "--set",
        "ON_ERROR_STOP=1",
        "--output",
        os.devnull,
    ]
    subprocess.run([binary("psql"), *told, url], input=dumped.stdout, check=True)


@contextmanager
def copied() -> Iterator[str]:
    """The URL of a copy to be read at leisure: nobody can copy the template while somebody is connected to it."""
    name = f"template_copied_{os.getpid()}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE {template()}")
        try:
            yield url_of(name)
        finally:
            drop_database(admin, name)


def migrate(url: str) -> None:
    manage({"DATABASE_URL": url}, "migrate", "--no-input", "--verbosity", "0")


def url_of(database: str) -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}").geturl()


def state() -> str:
    """Of our migrations, and of the libraries that bring their own."""
    files = [ROOT / "requirements/runtime.lock", *sorted(ROOT.glob("apps/*/migrations/*.py"))]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]
