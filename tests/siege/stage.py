"""The service as it really runs, for a siege: the Procfile's processes on a database and a Redis of their own.

Everything listens on loopback. What the workers and the suppliers' stand-ins do is started only for attacks that need it.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import Any

import urllib3
from honcho.environ import parse_procfile

from tests.siege.goods import CONTACT, FLIGHT, NAMES, TRANSFER, passengers
from tests.siege.proxies.running import in_front
from tests.siege.victims import Call
from tests.support.crew import Member
from tests.support.forked import Forked, output
from tests.support.own_service import own_database
from tests.support.ports import free_port
from tests.support.private_redis import PrivateRedis
from tests.support.processes import children_of
from tests.support.stack import ROOT, HttpApi, wait_until_ready

LOG = ROOT / "var" / "siege.log"
WORKERS, THREADS = 2, 16
SETTLE_SECONDS = 60
PRODUCTS = {"hotels": "HOTELS", "flights": "FLIGHTS", "transfers": "TRANSFERS", "esim": "ESIM"}
CREW = ("worker", "suppliers", "long", "dispatcher", "beat")


class Stage:
    """`variables` beside those that every siege has."""

    def __init__(self, stack: ExitStack, database: str, redis: str, variables: Mapping[str, str]) -> None:
        self._stack = stack
        self.web_port = free_port()
        """Of the web processes themselves. Callers come by the proxy in front of them, at `port`."""
        web_url = f"http://127.0.0.1:{self.web_port}"
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        self.environment = {
            **os.environ,
            "PATH": path,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTEST_VERSION": "",
            "DATABASE_URL": database,
            "REDIS_URL": redis,
            "HOST": "127.0.0.1",
            "PORT": str(self.web_port),
            "PUBLIC_BASE_URL": web_url,
            "TRUSTED_PROXY_COUNT": "1",
            "WEB_WORKERS": str(WORKERS),
            "WEB_THREADS": str(THREADS),
            "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
            "SIMULATE_LIVE_KEYS": "true",
            "PORTAL_REQUIRE_TWO_FACTOR": "false",
            "SECURE_COOKIES": "false",
            "STATIC_FROM_SOURCE": "true",
            "LOG_LEVEL": "WARNING",
            **variables,
        }
        self.commands = dict(parse_procfile((ROOT / "Procfile").read_text()).processes)
        self.partners: dict[str, Any] = json.loads(self.run("tests.siege.partners"))
        self.goods: dict[str, str] = {}
        self.hung: tuple[str, ...] = ()
        self._stand_ins: dict[str, str] = {}
        self._crew: list[Member] = []
        self.web = self._start("web")
        wait_until_ready(web_url)
        self.port = stack.enter_context(in_front("nginx", self.web_port))
        self.url = f"http://127.0.0.1:{self.port}"

    # --- who calls ----------------------------------------------------------------------------------------------

    def api(self, partner: str, environment: str = "live") -> HttpApi:
        return HttpApi(self.url, self.partners[partner][f"{environment}Key"])

    def calls(self, names: tuple[str, ...]) -> list[Call]:
        """What victims do, by name; `health` always among it."""
        return [self._call(name) for name in (*names, "health")]

    def _call(self, name: str) -> Call:  # noqa: C901 - one case a call
        key = {"Authorization": f"Bearer {self.partners['victim']['liveKey']}"}
        post = {**key, "Idempotency-Key": "{unique}", "Content-Type": "application/json"}
        match name:
            case "health":
                return Call(name, "GET", "/health", {})
            case "account":
                return Call(name, "GET", "/v1/account", key)
            case "ledger":
                return Call(name, "GET", "/v1/account/ledger?limit=5", key, every=0.1)
            case "plans":
                return Call(name, "GET", "/v1/esim/plans?pageSize=5", key, every=0.1)
            case "search":
                return Call(name, "POST", "/v1/flights/searches", post, json.dumps(FLIGHT), every=0.1)
            case "transfer search":
                return Call(name, "POST", "/v1/transfers/searches", post, json.dumps(TRANSFER), every=0.1)
            case "booking":
                offer = self._found("/v1/flights/searches", FLIGHT)["offerId"]
                order = {"offerId": offer, "passengers": passengers(), "contact": CONTACT}
                return Call(name, "POST", "/v1/flights/orders", post, json.dumps(order), every=0.2)
            case "transfer booking":
                quote = self._found("/v1/transfers/searches", TRANSFER)["quoteId"]
                order = {"quoteId": quote, "leadPassenger": {**NAMES, **CONTACT}}
                return Call(name, "POST", "/v1/transfers/orders", post, json.dumps(order), every=0.2)
            case "login page":
                return Call(name, "GET", "/account/login/", {}, every=0.1)
            case "sign-in":
                person = self.partners["victim"]
                who = {"login": person["portalEmail"], "password": person["portalPassword"]}
                return Call(name, "POST", "/account/login/", {}, expected=(302,), every=0.5, sign_in=who)
        raise LookupError(name)

    def _found(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """An offer that can be booked for the next twenty minutes."""
        answer = self.api("victim").post(path, body)
        assert answer.status == 201, answer.body
        return dict(answer.body["offers"][0])

    # --- the processes ------------------------------------------------------------------------------------------

    def restart_web(self, **variables: str) -> None:
        """Fresh processes, with other variables from now on where some are given."""
        self.web.end()
        self.environment |= variables
        self.web = self._start("web")
        wait_until_ready(self.url)

    @contextmanager
    def another_web(self, **variables: str) -> Iterator[int]:
        """The port of further web processes on the same data, with these variables beside."""
        port = free_port()
        environment = {**self.environment, "PORT": str(port), "WEB_WORKERS": "1", **variables}
        member = Member(self.commands["web"], environment, LOG)
        try:
            wait_until_ready(f"http://127.0.0.1:{port}")
            yield port
        finally:
            member.end()

    def hang(self, products: tuple[str, ...]) -> None:
        """Live keys are from now on served by stand-ins of these products' suppliers, which never answer, and by simulators."""
        if products == self.hung:
            return
        self.hung = products
        chosen = {
            f"{spelled}_SUPPLIER": "simulator" for name, spelled in PRODUCTS.items() if name not in products
        }
        variables = {**(self._suppliers() if products else {}), **chosen}
        self.restart_web(**variables)
        for url in self._stand_ins.values():
            for method in ("GET", "POST", "DELETE", "PATCH"):
                trouble = {"method": method, "path": ".*", "end": "hang", "accept": False, "times": -1}
                urllib3.request("POST", f"{url}/_control", json=trouble)

    def _suppliers(self) -> dict[str, str]:
        """The variables of four contracts; the first time, while the stand-ins answer, the catalogue is taken from there."""
        from tests.demo.stand_ins import RATES, STAND_INS, settings_for

        first = not self._stand_ins
        for name in STAND_INS if first else ():
            self._stand_ins[name] = self._stack.enter_context(stand_in(STAND_INS[name].__name__))
        variables = settings_for(self._stand_ins)
        if first:
            self.environment |= variables
            self.manage("load_exchange_rates", "-", told=RATES)
            self.manage("sync_esim_plans")
        return variables

    def live_plan(self) -> str:
        """A plan that a live key can order; any id where there is none."""
        plans = self.api("heavy").get("/v1/esim/plans").body["data"]
        return str(plans[0]["id"]) if plans else "plan_none"

    def start_crew(self) -> None:
        """Workers, dispatcher and beat, from now on; returns when they are at work."""
        if not self._crew:
            self._crew = [self._start(name) for name in CREW]
            give_up = time.monotonic() + SETTLE_SECONDS
            while time.monotonic() < give_up:
                if urllib3.request("GET", f"{self.url}/health/full", timeout=10).json().get("status") == "ok":
                    return
                time.sleep(0.5)

    def end_crew(self) -> None:
        for member in self._crew:
            member.end()
        self._crew = []

    def _start(self, name: str) -> Member:
        LOG.parent.mkdir(exist_ok=True)
        return Member(self.commands[name], self.environment, LOG)

    def manage(self, *arguments: str, told: str = "") -> str:
        return output(["manage.py", *arguments], self.environment, told)

    def run(self, module: str) -> str:
        return output(["-m", module], self.environment)

    @staticmethod
    def silent_port() -> int:
        return free_port()

    # --- what is measured ---------------------------------------------------------------------------------------

    def settle(self) -> bool:
        """Wait until three calls in a row are answered well and soon; whether they were within a minute."""
        give_up, well = time.monotonic() + SETTLE_SECONDS, 0
        api = self.api("victim")
        api.timeout = 5
        while well < 3 and time.monotonic() < give_up:
            began = time.monotonic()
            try:
                good = api.get("/v1/account").status == 200 and time.monotonic() - began < 0.5
            except Exception:
                good = False
            well = well + 1 if good else 0
            if not good:
                time.sleep(0.2)
        return well == 3

    def web_memory(self) -> float:
        """MB that the web processes hold, what they share counted once."""
        return sum(held(pid) for pid in family(self.web_pid)) / 1024

    def web_cpu(self) -> float:
        """Seconds of processor time that the web processes have used so far."""
        ticks = 0
        for pid in family(self.web_pid):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    @property
    def web_pid(self) -> int:
        return int(self.web._process.pid)

    def end(self) -> None:
        self.end_crew()
        self.web.end()


def family(pid: int) -> list[int]:
    """A process with all that descend from it."""
    return [pid, *(grandchild for child in children_of(pid) for grandchild in family(child))]


def held(pid: int) -> int:
    """PSS in kB; 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


@contextmanager
def stand_in(module: str) -> Iterator[str]:
    """The address of a supplier's stand-in, without its own prefix of paths."""
    process = Forked(["-m", module], os.environ, stdout=PIPE)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.end()


@contextmanager
def staged(**variables: str) -> Iterator[Stage]:
    """A running service, which goes with its data when the block ends."""
    with ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="siege-"))
        redis = PrivateRedis(Path(directory))
        stack.callback(redis.kill)
        database = stack.enter_context(own_database(f"siege_{os.getpid()}_"))
        stage = Stage(stack, database, redis.url, variables)
        try:
            yield stage
        finally:
            stage.end()
