"""Everything together: two PostgreSQL servers, two Redis servers, nginx, two web groups, and all workers."""

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from honcho.environ import parse_procfile

from tests.deploy.rehearsal.front import Front
from tests.deploy.rehearsal.postgres import Pair
from tests.deploy.rehearsal.programs import Program, run
from tests.deploy.rehearsal.redis_pair import RedisPair
from tests.judge.process import Judge, start_judge
from tests.support.ports import free_port
from tests.support.stack import ROOT, SHORT_WAITS, variables, wait_until_ready

RATES = "SEARCH=1000000,BOOKING=1000000,READ=1000000"
SCOPES = (
    "account:read,ledger:read,hotels:search,hotels:book,flights:search,flights:book,"
    "transfers:search,transfers:book,esim:read,esim:book,webhooks:manage"
)
ENDED_SECONDS = 45
WEB = {"WEB_WORKERS": "2", "WEB_THREADS": "8", "HOST": "127.0.0.1"}


@dataclass(frozen=True)
class Release:
    """A checkout, with the Python that has its packages."""

    root: Path = ROOT
    python: Path = Path(sys.executable)

    def environment(self, **ours: object) -> dict[str, str]:
        """The variables of its processes. The tests' own settings replace the simulators by the judge."""
        path = f"{self.python.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        around = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "WEB_"))
        }
        return {**around, "PATH": path, **variables(ours), **WEB}

    def lines(self) -> Mapping[str, str]:
        lines: Mapping[str, str] = parse_procfile((self.root / "Procfile").read_text()).processes
        return lines

    def start(self, line: str, log: Path, environment: Mapping[str, str]) -> Program:
        words = ["sh", "-c", f"exec {self.lines()[line]}"]
        return Program(words, log, cwd=self.root, environment=environment)

    def manage(self, environment: Mapping[str, str], *words: str) -> str:
        told = ["env", "-C", self.root, self.python, "manage.py", *words]
        return run(told, **environment)


@dataclass
class Group:
    """Web processes at one port, of one release."""

    port: int
    log: Path
    release: Release
    environment: dict[str, str]
    process: Program = field(init=False)

    def __post_init__(self) -> None:
        self.start(self.release, self.environment)

    def start(self, release: Release, environment: dict[str, str]) -> None:
        """Returns once it is ready."""
        self.release, self.environment = release, environment
        self.process = release.start("web", self.log, {**environment, "PORT": str(self.port)})
        wait_until_ready(f"http://127.0.0.1:{self.port}")

    def end(self) -> None:
        """What is under way is answered first."""
        self.process.end(seconds=ENDED_SECONDS)


@dataclass
class Site:
    """What runs. `secret` is a test key whose limits are out of the way."""

    directory: Path
    release: Release
    postgres: Pair
    redis: RedisPair
    judge: Judge | None
    """The supplier that keeps books of its own; None where the simulator sells."""
    front: Front
    groups: tuple[Group, Group]
    workers: dict[str, Program]
    partner: dict[str, str]
    """What `create_partner --json` answered."""
    more: Mapping[str, str]
    """Variables of this site's own."""

    @property
    def secret(self) -> str:
        return self.partner["testKey"]

    def environment(self, release: Release) -> dict[str, str]:
        return {**environment_of(release, self.postgres.url, self.redis.url, self.judge), **self.more}

    def start_workers(self, release: Release) -> None:
        environment = self.environment(release)
        for line in release.lines():
            if line != "web":
                self.workers[line] = release.start(line, self.directory / f"{line}.log", environment)

    def end_workers(self) -> None:
        for process in self.workers.values():
            process.tell(signal.SIGTERM)
        for process in self.workers.values():
            process.end(seconds=ENDED_SECONDS)
        self.workers.clear()

    def verdict(self) -> list[str]:
        """What the checker finds once recovery has been run: none where every promise was kept."""
        assert self.judge is not None
        words = ["env", "-C", ROOT, sys.executable, "-m", "tests.support.verdict", self.judge.url]
        found: list[str] = json.loads(run(words, **self.environment(Release())))
        return found


def environment_of(release: Release, database: str, redis: str, judge: Judge | None) -> dict[str, str]:
    return release.environment(
        DATABASE_URL=database,
        REDIS_URL=redis,
        SECRET_KEY="rehearsal" * 6,
        FIELD_ENCRYPTION_KEYS="Wk9fUU5zV0R3bGJmZ2h1dGVzdHNvbmx5a2V5MDAwMDA=",
        ALLOWED_HOSTS="127.0.0.1",
        PUBLIC_BASE_URL="http://127.0.0.1",
        TRUSTED_PROXY_COUNT="1",
        SECURE_COOKIES="false",
        PORTAL_REQUIRE_TWO_FACTOR="false",
        **(judge.environment if judge else {}),
        **SHORT_WAITS,
    )


@contextmanager
def running(
    release: Release,
    *,
    judged: bool = True,
    tries_another: bool = True,
    live: bool = False,
    more: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Site]:
    """The whole site, with this release, in a directory that goes with it. Without a judge it sells the simulator's.

    `more` are variables of its processes. `live`: the partner has a live key as well.
    """
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rehearsal-")))
        directory.chmod(0o755)
        judge = stack.enter_context(start_judge()) if judged else None
        postgres = Pair(directory / "postgres")
        stack.callback(postgres.end)
        owner = environment_of(release, postgres.owner_url, "redis://127.0.0.1:1/0", judge)
        release.manage(owner, "migrate", "--no-input", "--verbosity", "0")
        postgres.grant()
        redis = RedisPair(directory / "redis")
        stack.callback(redis.end)
        environment = {**environment_of(release, postgres.url, redis.url, judge), **more}
        terms = ["--name", "Acme", "--currency", "EUR", "--balance-cents", "100000000000", "--json"]
        terms += ["--rate", RATES, "--scopes", SCOPES, *(["--live"] if live else [])]
        partner = json.loads(release.manage(environment, "create_partner", *terms))
        groups = (_group(directory, "1", release, environment), _group(directory, "2", release, environment))
        for group in groups:
            stack.callback(group.end)
        ports = (groups[0].port, groups[1].port)
        front = Front(directory / "nginx", ports, tries_another=tries_another)
        stack.callback(front.end)
        site = Site(directory, release, postgres, redis, judge, front, groups, {}, partner, more)
        stack.callback(site.end_workers)
        site.start_workers(release)
        yield site


def _group(directory: Path, name: str, release: Release, environment: dict[str, str]) -> Group:
    return Group(free_port(), directory / f"web-{name}.log", release, environment)
