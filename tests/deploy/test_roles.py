"""deploy/postgresql: the service runs under a role that can read and write rows, and alter nothing."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest
from psycopg import sql

from config.embedded.servers import Postgres
from config.embedded.servers.programs import binary
from tests.support.flight_shop import FlightShop
from tests.support.forked import output
from tests.support.stack import ROOT, HttpApi, manage, serving, variables
from tests.support.template import copy_to

pytestmark = pytest.mark.stack

OWNER, SERVICE = "travel_partner_owner", "travel_partner_service"
SQL = ROOT / "deploy/postgresql"
BACKGROUND = ("recover_operations", "settle_owed", "deliver_webhooks", "poll_suppliers", "sync_esim_plans")


@dataclass(frozen=True)
class Cluster:
    """A PostgreSQL server on which the roles were made, and the service's tables with them."""

    server: Postgres

    def url(self, role: str) -> str:
        return self.server.superuser_url.replace("postgres://postgres@", f"postgres://{role}@")

    def environment(self, role: str) -> dict[str, object]:
        return {"DATABASE_URL": self.url(role)}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    server = Postgres(tmp_path_factory.mktemp("roles") / "postgres")
    server.start()
    try:
        cluster = Cluster(server)
        let_in(server, OWNER, SERVICE)
        with psycopg.connect(cluster.url("postgres"), dbname="postgres", autocommit=True) as superuser:
            superuser.execute("DROP DATABASE travel_partner")  # the embedded one's
        run(cluster.url("postgres").replace("/travel_partner", "/postgres"), "roles.sql", "owner", "service")
        copy_to(cluster.url(OWNER))
        run(cluster.url(OWNER), "grants.sql")
        yield cluster
    finally:
        server.stop("immediate")


def let_in(server: Postgres, *roles: str) -> None:
    """Whoever runs these tests may come as these roles, without passwords."""
    identities = server.data / "pg_ident.conf"
    ours = identities.read_text().splitlines()[0].split()[1]
    with identities.open("a") as file:
        file.writelines(f"keeper {ours} {role}\n" for role in roles)
    with psycopg.connect(server.superuser_url, autocommit=True) as superuser:
        superuser.execute("SELECT pg_reload_conf()")


def run(url: str, file: str, *passwords: str) -> None:
    variables = [
        f"--set={name}_password={password}"
        for name, password in zip(("owner", "service"), passwords, strict=False)
    ]
    subprocess.run(
        [binary("psql"), "--no-psqlrc", "--quiet", *variables, "--file", SQL / file, url], check=True
    )


def test_the_service_sells_under_its_role(cluster: Cluster) -> None:
    environment = cluster.environment(SERVICE)
    terms = ["--name", "Acme", "--currency", "EUR", "--balance-cents", "100000000", "--json"]
    secret = json.loads(manage(environment, "create_partner", *terms))["testKey"]
    with serving(environment, workers=1, threads=2) as url:
        api = HttpApi(url, secret)
        shop = FlightShop(api)
        order = shop.order(shop.offer())
        assert order.status == 201
        assert api.post(f"/v1/flights/orders/{order.body['id']}/cancel", {}).status == 200
        assert api.get("/health/ready").body == {"status": "ok"}
    commands = [*BACKGROUND, "check_ledger"]  # in one process: to start one takes longer than all of them
    calls = f"from django.core.management import call_command\nfor name in {commands}: call_command(name)"
    output(["manage.py", "shell", "-c", calls], {**os.environ, **variables(environment)})


def test_it_cannot_alter_empty_or_drop_a_table(cluster: Cluster) -> None:
    with psycopg.connect(cluster.url(SERVICE), autocommit=True) as service:
        tables = [
            row[0]
            for row in service.execute(
                "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p')"
                " AND relnamespace = 'public'::regnamespace"
            )
        ]
        assert len(tables) > 40
        for statement in (
            "ALTER TABLE {} ADD COLUMN odd integer",
            "DROP TABLE {}",
            "TRUNCATE {} CASCADE",
            "ALTER TABLE {} DISABLE TRIGGER ALL",
            "CREATE INDEX ON {} ((1))",
        ):
            for table in tables:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    service.execute(sql.SQL(statement).format(sql.Identifier(table)))


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE public.odd (id integer)",
        "CREATE SCHEMA odd",
        "CREATE TEMPORARY TABLE odd (id integer)",
        "CREATE FUNCTION odd() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        "CREATE ROLE odd",
        "CREATE DATABASE odd",
        "SET session_replication_role = replica",
        "UPDATE ledger_entry SET amount_cents = 0",
        "DELETE FROM ledger_transaction",
        "DELETE FROM django_migrations",
    ],
)
def test_it_cannot(cluster: Cluster, statement: str) -> None:
    with (
        psycopg.connect(cluster.url(SERVICE), autocommit=True) as service,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        service.execute(statement)


def test_what_migrations_make_later_is_the_services_to_use_at_once(cluster: Cluster) -> None:
    with psycopg.connect(cluster.url(OWNER), autocommit=True) as owner:
        owner.execute("CREATE TABLE later (id bigint GENERATED BY DEFAULT AS IDENTITY, told text)")
        try:
            with psycopg.connect(cluster.url(SERVICE), autocommit=True) as service:
                service.execute("INSERT INTO later (told) VALUES ('something')")
                assert service.execute("SELECT told FROM later").fetchall() == [("something",)]
        finally:
            owner.execute("DROP TABLE later")


def test_the_role_brings_the_timeouts_that_a_pooler_does_not_hand_on(cluster: Cluster) -> None:
    settings = (ROOT / "config/settings.py").read_text()
    wanted = {
        name: f"{default.replace('_', '')}ms"
        for name, default in re.findall(r'"(\w+)": env\.int\("DATABASE_\w+_MS", default=([\d_]+)\)', settings)
    }
    assert set(wanted) == {"lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"}
    asking = " ".join(f"-c {name}={value}" for name, value in wanted.items())
    with (
        psycopg.connect(cluster.url(SERVICE)) as plain,
        psycopg.connect(cluster.url(SERVICE), options=asking) as asked,
    ):
        for name in wanted:
            show = sql.SQL("SHOW {}").format(sql.Identifier(name))
            assert plain.execute(show).fetchone() == asked.execute(show).fetchone()
