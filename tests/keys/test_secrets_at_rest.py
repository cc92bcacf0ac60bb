"""Promise K3: a secret exists in plain text only in the one answer that creates it."""

import logging

import pytest
from django.core import mail
from django.db import connection

from apps.common import redis
from apps.keys import authentication, secrets
from apps.keys.services import revoke_key, rotate_key
from tests.factories.keys import approved_account, issued_key

pytestmark = pytest.mark.django_db


def database_dump() -> str:
    """Every row of every table, as text."""
    with connection.cursor() as cursor:
        rows = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT whole::text FROM "{table}" AS whole')
            rows += [row[0] for row in cursor.fetchall()]
    return "\n".join(rows)


def redis_dump() -> str:
    """Every key and value of the test's Redis, as text."""

    def read(client):
        names = client.keys("*")
        return [
            (name, client.get(name) if client.type(name) == b"string" else client.hgetall(name))
            for name in names
        ]

    return repr(redis.run(read))


def test_a_hundred_issued_secrets_are_found_nowhere(caplog, private_redis, settings):
    settings.KEYS_PER_ACCOUNT = {"live": 50, "test": 50}
    caplog.set_level(logging.DEBUG)
    account = approved_account()
    issued = []
    for number in range(50):
        key, secret = issued_key(account, environment="live" if number % 2 else "test")
        authentication.authenticate(secret)
        issued += [secret, rotate_key(key=key)]
        authentication.authenticate(issued[-1])
    revoke_key(key=key)

    places = {
        "database": database_dump(),
        "cache": redis_dump(),
        "logs": caplog.text,
        "mail": "\n".join(str(message.message()) for message in mail.outbox),
    }

    # The search looks where the secrets would be: their digests are there.
    assert secrets.digest(issued[0]) in places["database"]
    assert f"key:{secrets.digest(issued[0])}" in places["cache"]
    bodies = [secret.removeprefix("svc_live_").removeprefix("svc_test_") for secret in issued]
    assert len(bodies) == 100
    found = [(place, body) for place, text in places.items() for body in bodies if body[8:] in text]
    assert found == []
