"""The portal's lists and files from a real streaming standby, and from the primary where that cannot serve."""

import subprocess
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.conf import settings as configured
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.models import Model
from django.test import Client
from psycopg.errors import QueryCanceled, SerializationFailure

from apps.accounts.models import Account, Role
from apps.bookings.models import Booking
from apps.common import clock, replica
from apps.gateway.models import LoggedCall
from apps.keys.models import ApiKey
from apps.ledger.models import LedgerTransaction, Wallet
from apps.portal.freshness import COOKIE
from config.embedded.servers.programs import binary
from tests.bookings.rows import a_booking
from tests.embedded.support import eventually
from tests.factories.accounts import AccountFactory
from tests.factories.keys import stored_key
from tests.portal.person import member_of
from tests.support.standby import Primary, Standby, primary_and_standby

LIST = "/portal/test/bookings/"
Pair = tuple[Primary, Standby]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with primary_and_standby(tmp_path_factory.mktemp("replica")) as pair:
        yield pair


@pytest.fixture
def pair(servers: Pair, transactional_db: None, settings) -> Iterator[Pair]:
    """The primary is the default database for the length of a test, with the tables of the suite's own."""
    primary, standby = servers
    if not has_tables(primary):
        copy_tables(primary)
    kept, ours = connections[DEFAULT_DB_ALIAS], dict(connections.settings)
    connections[DEFAULT_DB_ALIAS] = opened(DEFAULT_DB_ALIAS, primary)
    connections[replica.ALIAS] = opened(
        "standby", standby
    )  # by its other name, which Django's guard over tests does not know
    connections.settings[replica.ALIAS] = database_of(standby)
    settings.DATABASE_ROUTERS = ["apps.common.replica.ReplicaRouter"]
    settings.DATABASE_REPLICA_MAX_LAG_SECONDS = 600
    replica.forget()
    try:
        yield primary, standby
    finally:
        for alias in (replica.ALIAS, DEFAULT_DB_ALIAS):
            connections[alias].close()
        del connections[replica.ALIAS]
        connections[DEFAULT_DB_ALIAS] = kept
        connections.settings.clear()
        connections.settings.update(ours)
        replica.forget()


def has_tables(primary: Primary) -> bool:
    with psycopg.connect(primary.url) as asked:
        return bool(asked.execute("SELECT to_regclass('bookings_booking') IS NOT NULL").fetchone()[0])


def copy_tables(primary: Primary) -> None:
    connection.ensure_connection()
    test = connection.connection.info
    source = [f"--host={test.host}", f"--username={test.user}", f"--port={test.port}", test.dbname]
    dump = [binary("pg_dump"), "--schema-only", "--no-owner", "--clean", "--if-exists", *source]
    tables = subprocess.run(dump, check=True, capture_output=True).stdout
    subprocess.run([binary("psql"), "--quiet", "--output=/dev/null", primary.url], input=tables, check=True)


def database_of(server: Primary | Standby) -> dict[str, object]:
    options = {"options": "-c statement_timeout=10000", "connect_timeout": 2}
    return {
        **connections.settings[DEFAULT_DB_ALIAS],
        "HOST": str(server.sockets),
        "USER": "service",
        "NAME": "travel_partner",
        "PORT": "5432",
        "OPTIONS": options,
    }


def opened(alias: str, server: Primary | Standby) -> BaseDatabaseWrapper:
    return DatabaseWrapper(database_of(server), alias)


@pytest.fixture
def key(pair: Pair) -> ApiKey:
    key, _ = stored_key(environment="test")
    return key


@pytest.fixture
def client(key: ApiKey) -> Client:
    return member_of(key.account, Role.OWNER).client


def shown(client: Client, *bookings: Booking) -> list[bool]:
    """Which of them the list shows, to somebody who looks at the replica anew."""
    replica.forget()
    page = client.get(LIST)
    assert page.status_code == 200
    return [booking.reference in page.content.decode() for booking in bookings]


def in_the_file(client: Client, booking: Booking) -> bool:
    replica.forget()
    answer: Any = client.get(f"{LIST}bookings.csv")
    return booking.reference.encode() in b"".join(answer.streaming_content)


def follow(standby: Standby) -> None:
    assert eventually(standby.follows)


@pytest.mark.stack
def test_lists_and_files_come_from_the_standby_and_whoever_changed_something_reads_the_primary(
    pair: Pair, key: ApiKey, client: Client
) -> None:
    old = a_booking(key)
    follow(pair[1])
    pair[1].carry_out("SELECT pg_wal_replay_pause()")
    try:
        new = a_booking(key)
        assert shown(client, old, new) == [True, False]
        assert in_the_file(client, old) is True
        assert in_the_file(client, new) is False
        client.cookies[COOKIE] = "1"
        assert shown(client, old, new) == [True, True]
        assert in_the_file(client, new) is True
    finally:
        pair[1].carry_out("SELECT pg_wal_replay_resume()")
    del client.cookies[COOKIE]
    follow(pair[1])
    assert shown(client, new) == [True]


@pytest.mark.stack
def test_one_that_is_too_far_behind_serves_nobody(pair: Pair, key: ApiKey, client: Client, settings) -> None:
    follow(pair[1])
    assert replica.lag_seconds() == 0.0
    pair[1].carry_out("SELECT pg_wal_replay_pause()")
    try:
        new = a_booking(key)
        assert 0.0 < replica.lag_seconds() < 600
        assert replica.health()["status"] == "ok"
        settings.DATABASE_REPLICA_MAX_LAG_SECONDS = 0.0
        assert shown(client, new) == [True]
        assert replica.health()["status"] == "degraded"
    finally:
        pair[1].carry_out("SELECT pg_wal_replay_resume()")
        follow(pair[1])


@pytest.mark.stack
def test_while_it_is_away_the_primary_answers_and_it_serves_again_when_it_is_back(
    pair: Pair, key: ApiKey, client: Client
) -> None:
    booking = a_booking(key)
    follow(pair[1])
    assert shown(client, booking) == [True]
    pair[1].kill()
    page = client.get(LIST)  # believed to serve: found out within the request
    assert (page.status_code, booking.reference in page.content.decode()) == (200, True)
    assert shown(client, booking) == [True]
    assert replica.health() == {"status": "degraded", "lagSeconds": None}
    pair[1].start()
    follow(pair[1])
    assert replica.health() == {"status": "ok", "lagSeconds": 0.0}


@pytest.mark.stack
def test_money_rights_and_transactions_stay_with_the_primary(pair: Pair, key: ApiKey) -> None:
    follow(pair[1])

    def asked(*models: type[Model]) -> list[str]:
        return [router.db_for_read(model) for model in models]

    def inside() -> tuple[list[str], list[str], list[str], str]:
        with transaction.atomic():
            booking = asked(Booking)
        others = asked(Wallet, LedgerTransaction, Account, ApiKey)
        return asked(Booking, LoggedCall), others, booking, router.db_for_write(Booking)

    primary = DEFAULT_DB_ALIAS
    assert replica.read(inside) == (["replica"] * 2, [primary] * 4, [primary], primary)
    assert asked(Booking) == [primary]
    with replica.fresh():
        assert replica.read(lambda: asked(Booking)) == [primary]


@pytest.mark.stack
def test_what_the_standby_gives_is_saved_at_the_primary(pair: Pair, key: ApiKey) -> None:
    made = a_booking(key)
    follow(pair[1])
    booking = replica.read(lambda: Booking.objects.get(pk=made.pk))
    assert booking._state.db == replica.ALIAS
    booking.external_reference = "changed"
    booking.save()
    assert Booking.objects.get(pk=made.pk).external_reference == "changed"
    assert booking.key == key


@pytest.mark.stack
def test_a_standby_that_was_promoted_is_none(pair: Pair) -> None:
    """The last of these tests: there is no way back."""
    pair[1].carry_out("SELECT pg_promote()")
    assert replica.lag_seconds() is None
    replica.forget()
    assert replica.read(lambda: router.db_for_read(Booking)) == DEFAULT_DB_ALIAS


@pytest.fixture
def serving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica, "configured", lambda: True)
    monkeypatch.setattr(replica, "lag_seconds", lambda: 0.0)
    monkeypatch.setattr(
        connections, "settings", {**connections.settings, replica.ALIAS: connection.settings_dict}
    )
    replica.forget()


@pytest.mark.django_db
@pytest.mark.usefixtures("serving")
def test_a_read_that_the_standby_cancels_is_done_again_and_one_that_is_too_slow_is_not() -> None:
    said: list[bool] = []

    def cancelled_by(cause: Exception) -> str:
        said.append(replica._reading.get())
        if replica._reading.get():
            raise OperationalError from cause
        return "read"

    assert replica.read(lambda: cancelled_by(SerializationFailure())) == "read"
    assert said == [True, False]
    replica.forget()
    with pytest.raises(OperationalError):
        replica.read(lambda: cancelled_by(QueryCanceled()))
    assert said == [True, False, True]


@pytest.mark.django_db
def test_what_was_committed_longer_ago_than_the_bound_is_surely_there(settings, clock_stands_still) -> None:
    settings.DATABASE_REPLICA_MAX_LAG_SECONDS = 5
    now = clock.now()
    assert [replica.surely_has(now - timedelta(seconds=age)) for age in (0, 7, 7.5)] == [False, False, True]


def test_without_a_replica_nothing_is_asked() -> None:
    assert configured.DATABASE_ROUTERS == []
    assert replica.configured() is False
    assert replica.read(lambda: replica._reading.get()) is False


@pytest.mark.django_db
def test_pages_that_change_something_leave_a_cookie_where_there_is_a_replica(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = member_of(AccountFactory(), Role.OWNER).client
    answer = client.post("/portal/test/keys/new/", {})
    assert COOKIE not in answer.cookies
    monkeypatch.setattr(replica, "configured", lambda: True)
    answer = client.post("/portal/test/keys/new/", {})
    assert answer.cookies[COOKIE]["max-age"] == 7
