"""PostgreSQL is restored to a second in time, from a base backup and the archived log, and recovery goes over it once."""

import json
import random
import shutil
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tests.deploy.rehearsal.failures import Outcome, lost
from tests.deploy.rehearsal.load import Load
from tests.deploy.rehearsal.postgres import DATABASE, SERVICE, Node
from tests.deploy.rehearsal.programs import own, postgres_program, run, unprivileged
from tests.deploy.rehearsal.site import Release, Site, environment_of
from tests.support.ports import free_port
from tests.support.stack import ROOT

LONGEST_APART_SECONDS = 4.0


@dataclass(frozen=True)
class Instant:
    """A second to come back to, and our references of all that the supplier had made by then."""

    at: datetime
    made: frozenset[str]


def restored(site: Site, times: int) -> Outcome:
    outcome = Outcome(f"restored to a second × {times}")
    backup = backed_up(site)
    with Load(site.front.url, site.secret) as load:
        instants = [instant(site, load) for _ in range(times)]
    site.postgres.primary.archive_all()
    outcome.calls, outcome.acknowledged = len(load.calls), len(load.acknowledged)
    outcome.wrong += load.unanswered + site.verdict() + lost(site.postgres.primary, load)
    for number, chosen in enumerate(instants):
        outcome.wrong += come_back(site, backup, chosen, number, outcome)
    return outcome


def backed_up(site: Site) -> Path:
    """Of the primary, as any day's backup is taken."""
    backup = site.directory / "postgres/backup"
    own(site.directory / "postgres/archive")
    source = f"host=127.0.0.1 port={site.postgres.primary.port} user=rehearsal"
    backup.mkdir()
    own(backup)
    run(
        [postgres_program("pg_basebackup"), "--dbname", source, "--checkpoint=fast", "-D", backup],
        user=unprivileged(),
    )
    return backup


def instant(site: Site, load: Load) -> Instant:
    load.go_on(random.uniform(1.0, LONGEST_APART_SECONDS))
    made = made_by_now(site)
    at = site.postgres.primary.ask("SELECT clock_timestamp()")
    assert isinstance(at, datetime)
    return Instant(at, made)


def made_by_now(site: Site) -> frozenset[str]:
    """Our references of all that the supplier has made."""
    assert site.judge is not None
    return frozenset(write["clientRef"] for write in site.judge.report()["writes"])


def come_back(site: Site, backup: Path, chosen: Instant, number: int, outcome: Outcome) -> list[str]:
    """What is wrong with the database of that second after one recovery pass."""
    archive = site.directory / "postgres/archive"
    node = Node(site.directory / f"postgres/restored-{number}", archive, free_port())
    node.directory.mkdir()
    shutil.copytree(backup, node.data, symlinks=True)
    node.data.chmod(0o700)
    with (node.data / "postgresql.auto.conf").open("a") as file:
        file.write(
            f"restore_command = 'cp {archive}/%f %p'\nrecovery_target_time = '{chosen.at.isoformat()}'\n"
            "recovery_target_action = 'promote'\nsynchronous_standby_names = ''\narchive_mode = off\n"
            f"unix_socket_directories = '{node.directory}'\n"
        )
    (node.data / "recovery.signal").touch()
    own(node.directory)
    node.start()
    try:
        node.wait_until_promoted()
        found = recovered(site, node)
    finally:
        node.end()
    unknown = chosen.made - set(found["known"])
    later = made_by_now(site) - chosen.made - set(found["known"])
    outcome.notes.append(f"{chosen.at:%H:%M:%S}: {len(chosen.made)} known, {len(later)} were booked later")
    return [
        *(f"unknown: {client_ref}" for client_ref in unknown),
        *(f"ledger: {difference}" for difference in found["ledger"]),
        *([f"{found['open']} operations open"] if found["open"] else []),
    ]


def recovered(site: Site, node: Node) -> dict[str, list[str]]:
    url = f"postgres://{SERVICE}@127.0.0.1:{node.port}/{DATABASE}"
    environment = environment_of(Release(), url, site.redis.url, site.judge)
    words = ["env", "-C", ROOT, sys.executable, "-m", "tests.deploy.rehearsal.recovered"]
    found: dict[str, list[str]] = json.loads(run(words, **environment))
    return found
