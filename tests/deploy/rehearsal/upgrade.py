"""The release before and this one serve together: `migrate` under load, then one web group after the other, then the workers."""

import subprocess
import sys
import time
from pathlib import Path

from tests.deploy.rehearsal.failures import Outcome, lost
from tests.deploy.rehearsal.load import Load
from tests.deploy.rehearsal.programs import run
from tests.deploy.rehearsal.site import Release, Site, environment_of, running
from tests.support.stack import ROOT

TAG = "v1.2.0"
"""The release before. Move it with each release."""
INITIAL = "apps/*/migrations/0001_initial.py"
REST_SECONDS = 3.0
MIGRATING = {
    "DATABASE_LOCK_TIMEOUT_MS": "250",
    "DATABASE_STATEMENT_TIMEOUT_MS": "0",
    "DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS": "0",
}
"""As in deploy/systemd/travel-partner-migrate.service."""
TRIES = 40


def upgraded(before: str) -> Outcome:
    """No call may fail, and no call is handed to the other group by nginx: that would count as failed."""
    commit, name = (before, before) if before else release_before()
    former, present = checked_out(commit), Release()
    outcome = Outcome(f"{name} → this release, one after the other")
    with running(former, judged=False, tries_another=False) as site:
        with Load(site.front.url, site.secret) as load:
            began = time.monotonic()
            load.go_on(REST_SECONDS)
            migrate(site, present)
            outcome.notes.append(f"migrated in {time.monotonic() - began - REST_SECONDS:.0f} s")
            load.go_on(REST_SECONDS)
            for group in site.groups:
                site.front.leave_out(group.port)
                group.end()
                group.start(present, site.environment(present))
                site.front.leave_out()
                load.go_on(REST_SECONDS)
            site.end_workers()
            site.start_workers(present)
            load.go_on(REST_SECONDS)
        outcome.count(load, 0)
        outcome.acknowledged = len(load.acknowledged)
        longest = max(call.ended - call.began for call in load.calls)
        outcome.notes.append(f"the longest call took {longest:.2f} s")
        outcome.wrong += [
            f"{call.kind} failed after {call.began - began:.1f} s, for {call.ended - call.began:.1f} s: {call.words}"
            for call in load.calls
            if call.failed
        ]
        outcome.wrong += load.unanswered + lost(site.postgres.primary, load)
        outcome.wrong += ledger_of(site, present)
    return outcome


def release_before() -> tuple[str, str]:
    """Its commit and its name. Until it is tagged: the last commit that changed an initial migration."""
    if commit := git("rev-parse", "--verify", "--quiet", f"refs/tags/{TAG}^{{commit}}"):
        return commit, TAG
    commit = git("log", "-1", "--format=%H", "--", INITIAL)
    sys.stderr.write(
        f"There is no tag {TAG} yet: upgrading from {commit[:12]}, whose initial migrations are this release's.\n"
    )
    return commit, commit[:12]


def git(*words: str) -> str:
    return subprocess.run(["git", "-C", ROOT, *words], stdout=subprocess.PIPE, text=True).stdout.strip()


def migrate(site: Site, release: Release) -> None:
    """As the owner of the tables, while the release before serves. Again if a table was busy."""
    owner = environment_of(release, site.postgres.owner_url, site.redis.url, None) | MIGRATING
    for left in reversed(range(TRIES)):
        try:
            release.manage(owner, "migrate", "--no-input", "--verbosity", "0")
            break
        except RuntimeError as error:
            if not left or "lock timeout" not in str(error):
                raise
        time.sleep(0.5)
    site.postgres.grant()


def ledger_of(site: Site, release: Release) -> list[str]:
    try:
        release.manage(site.environment(release), "check_ledger")
    except RuntimeError as differences:
        return [str(differences)]
    return []


def checked_out(commit: str) -> Release:
    """That release in a folder of its own, with the packages that it names; made once."""
    root = ROOT / "var/rehearsal" / commit[:12]
    python = root / ".venv/bin/python"
    if not python.exists():
        root.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "-C", ROOT, "archive", commit], stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x", "-C", root], input=archive.stdout, check=True)
        run([sys.executable, "-m", "venv", root / ".venv"])
        try:
            install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--requirement"]
            run([*install, root / "requirements/runtime.lock"])
        except RuntimeError:
            Path(python).unlink()  # the next run begins anew
            raise
    return Release(root, python)
