"""The faults that are planted in a site that runs. Each is a context: it plants on entry, and takes the fault away on exit."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

import psycopg

from tests.deploy.rehearsal.postgres import DATABASE, SUPERUSER
from tests.deploy.rehearsal.programs import Program, run
from tests.deploy.rehearsal.prometheus import Prometheus
from tests.deploy.rehearsal.site import Group, Site
from tests.deploy.rehearsal.stand_ins import StandIns
from tests.deploy.rehearsal.traffic import Traffic
from tests.flights.suppliers.duffel import paths
from tests.support.ports import free_port
from tests.support.supplier_stub import Trouble

AHEAD = """
import time
real = time.time
time.time = lambda: real() + 30
"""
"""What Python imports first on that host. libfaketime 0.9.10 would be nearer to a real clock, but Python 3.11 hangs under it."""
RIDES = 5
REFUSE = """
CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '{code}'; END $$;
CREATE TRIGGER planted BEFORE {moment} ON {table} FOR EACH ROW {condition} EXECUTE FUNCTION planted()
"""
UNPLANT = "DROP FUNCTION planted CASCADE"
SETTLED = "WHEN (NEW.settled_at IS NOT NULL)"
DUE_NOW = "UPDATE bookings_settlement SET next_attempt_at = now() WHERE settled_at IS NULL"
STICK = """
SET session_replication_role = replica;
UPDATE ledger_hold SET created_at = created_at - interval '2 days' WHERE id IN (
    SELECT hold_id FROM bookings_settlement WHERE settled_at IS NULL AND action = 'capture');
UPDATE bookings_settlement SET next_attempt_at = now() + interval '1 day' WHERE settled_at IS NULL
"""
ALTER_LEDGER = """
SET session_replication_role = replica;
UPDATE ledger_wallet SET balance_cents = balance_cents {sign} 1 WHERE account_id = '{account}' AND environment = 'test'
"""


@dataclass
class Stand:
    """What a fault may reach."""

    site: Site
    prometheus: Prometheus
    suppliers: StandIns
    traffic: Traffic
    bystander: str
    """Another partner's account, who calls nothing."""

    def carry_out(self, statement: str) -> None:
        """As a superuser, past the service."""
        port = self.site.postgres.primary.port
        address = f"host=127.0.0.1 port={port} user={SUPERUSER} dbname={DATABASE}"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(statement.encode())

    def call_task(self, name: str) -> None:
        release = self.site.release
        celery = ["-m", "celery", "-A", "config", "--quiet", "call", name, "--queue", "long"]
        run(["env", "-C", release.root, release.python, *celery], **self.site.environment(release))


Plant = Callable[[Stand], AbstractContextManager[None]]


@dataclass(frozen=True)
class Fault:
    """`alert` is the one that is meant; `consequences` are others that may fire as well, and why."""

    name: str
    alert: str
    plant: Plant
    consequences: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def dead(line: str) -> Plant:
    """The processes of this line of the Procfile are killed, and not started again."""

    @contextmanager
    def plant(stand: Stand) -> Iterator[None]:
        process = stand.site.workers[line]
        process.kill()
        yield
        process.start()

    return plant


@contextmanager
def supplier_hangs(stand: Stand) -> Iterator[None]:
    stand.suppliers.duffel.trouble("POST", paths.OFFER_REQUESTS, Trouble(end="hang", times=-1))
    yield
    stand.suppliers.duffel.calm()


@contextmanager
def redis_away(stand: Stand) -> Iterator[None]:
    """Both servers are killed; they come back empty."""
    names = stand.site.redis.kill_all()
    yield
    stand.site.redis.start_all(names)


@contextmanager
def stuck_hold(stand: Stand) -> Iterator[None]:
    """Rides whose settlement nobody takes, with holds of two days ago."""
    refuse(stand, "bookings_settlement", "UPDATE", "P0001", SETTLED)
    for _ in range(RIDES):
        stand.traffic.ride()
    stand.carry_out(f"{STICK}; UPDATE bookings_settlement SET failures = 0; {UNPLANT}")
    yield
    stand.carry_out(DUE_NOW)


@contextmanager
def settlement_fails(stand: Stand) -> Iterator[None]:
    refuse(stand, "bookings_settlement", "UPDATE", "P0001", SETTLED)
    stand.traffic.ride()
    yield
    stand.carry_out(f"{UNPLANT}; {DUE_NOW}")


@contextmanager
def deliveries_pile_up(stand: Stand) -> Iterator[None]:
    """A network worker was started that does not serve the deliveries' queue."""
    site = stand.site
    served = site.workers["network"]
    served.kill()
    line = site.release.lines()["network"].replace("suppliers,webhooks,long", "suppliers,long")
    words, log = ["sh", "-c", f"exec {line}"], site.directory / "network-without-webhooks.log"
    other = Program(words, log, cwd=site.release.root, environment=site.environment(site.release))
    yield
    other.kill()
    served.start()


@contextmanager
def quota_used_up(stand: Stand) -> Iterator[None]:
    """The supplier refuses for the rest of the day. Then it is another day, and staff clear the alert."""
    stand.suppliers.hotelbeds.gate.calls_a_day = 0
    yield
    stand.suppliers.hotelbeds.gate.calls_a_day = None
    stand.site.redis.forget("*hotelbeds:quota-used-up:*")
    stand.carry_out("UPDATE suppliers_supplieralert SET cleared_at = now() WHERE cleared_at IS NULL")


@contextmanager
def log_disk_full(stand: Stand) -> Iterator[None]:
    """The request log's table answers as on a disk without room."""
    refuse(stand, "request_log_loggedcall", "INSERT", "53100")
    yield
    stand.carry_out(UNPLANT)


@contextmanager
def clock_wrong(stand: Stand) -> Iterator[None]:
    """A host joins whose clock is half a minute ahead."""
    site, port = stand.site, free_port()
    ahead = site.directory / "ahead/sitecustomize.py"
    ahead.parent.mkdir()
    ahead.write_text(AHEAD)
    environment = site.environment(site.release) | {
        "PYTHONPATH": str(ahead.parent),
        "WEB_WORKERS": "1",
    }
    group = Group(port, site.directory / "web-ahead.log", site.release, environment)
    try:
        stand.prometheus.add(port)
        yield
        stand.prometheus.leave_out(port)
    finally:
        group.end()


@contextmanager
def ledger_altered(stand: Stand) -> Iterator[None]:
    """A wallet's row is changed past the service; the nightly check runs. Then the row is put right, and it runs again."""
    stand.carry_out(ALTER_LEDGER.format(sign="+", account=stand.bystander))
    stand.call_task("apps.ledger.tasks.nightly_check")
    yield
    stand.carry_out(ALTER_LEDGER.format(sign="-", account=stand.bystander))
    stand.call_task("apps.ledger.tasks.nightly_check")


@contextmanager
def certificate_expired(stand: Stand) -> Iterator[None]:
    stand.suppliers.show_certificate(expired=True)
    yield
    stand.suppliers.show_certificate(expired=False)


def refuse(stand: Stand, table: str, moment: str, code: str, condition: str = "") -> None:
    """From now on this table refuses such a change with this error."""
    stand.carry_out(REFUSE.format(table=table, moment=moment, code=code, condition=condition))


FAULTS = (
    Fault("worker dead", "WorkerSilent", dead("worker")),
    Fault("beat dead", "BeatSilent", dead("beat")),
    Fault("supplier hangs", "SupplierFails", supplier_hangs),
    Fault("Redis away", "RedisAway", redis_away),
    Fault("stuck hold", "HoldsOld", stuck_hold),
    Fault("settlement failing", "SettlementsLate", settlement_fails),
    Fault("delivery backlog", "DeliveriesLate", deliveries_pile_up),
    Fault("quota used up", "SupplierNeedsStaff", quota_used_up),
    Fault("disk of the log full", "RequestLogWaits", log_disk_full),
    Fault("clock wrong", "ClockWrong", clock_wrong),
    Fault("ledger altered", "LedgerDiffers", ledger_altered),
    Fault("certificate of a supplier expired", "SupplierCertificateRefused", certificate_expired),
)
