from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from tests.chaos.beat import Beat
from tests.chaos.persistence import PatientShop, wait_until_answered
from tests.judge.client import use_judge
from tests.judge.process import Judge, start_judge
from tests.support.flight_shop import FlightShop
from tests.support.stack import SHORT_WAITS, HttpApi, serving, test_database_url

FIGURES: list[str] = []
LIMITS = {"SEARCH": 10**6, "BOOKING": 10**6, "READ": 10**6}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The attacks that take minutes belong to `make chaos` alone."""
    if not config.getoption("--chaos-runs"):
        items[:] = [item for item in items if "only_in_chaos" not in getattr(item, "fixturenames", ())]


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if FIGURES:
        terminalreporter.section("figures")
        for line in FIGURES:
            terminalreporter.write_line(line)


@pytest.fixture
def figure() -> Callable[[str], None]:
    """Say what was measured, below the results."""
    return FIGURES.append


@pytest.fixture
def chaos_runs(request: pytest.FixtureRequest) -> int:
    """What `make chaos` asks for; 0 in the suite, which has no more than a minute."""
    return int(request.config.getoption("--chaos-runs"))


@pytest.fixture
def runs(chaos_runs: int) -> int:
    """Kills at each point."""
    return chaos_runs or 1


@pytest.fixture
def only_in_chaos(chaos_runs: int) -> None:
    """The long attacks: collected by `make chaos`, left out of the suite (see `pytest_collection_modifyitems`)."""


@pytest.fixture(scope="session")
def running_judge() -> Iterator[Judge]:
    with start_judge() as judge:
        yield judge


@pytest.fixture(scope="session")
def armed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("armed")


@pytest.fixture(scope="session")
def web(django_db_setup: None, running_judge: Judge, armed: Path) -> Iterator[str]:
    """The address of the service: four processes that can be killed at any point, on the tests' database."""
    environment = {
        "DATABASE_URL": test_database_url(),
        **running_judge.environment,
        "CHAOS_ARMED": armed,
        **SHORT_WAITS,
    }
    with serving(environment, workers=4, threads=8, application="tests.chaos.app:application") as url:
        yield url


@pytest.fixture
def judge(running_judge: Judge) -> Judge:
    running_judge.forget()
    return running_judge


@pytest.fixture
def beat(
    transactional_db: None, judge: Judge, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Beat]:
    """The sweeps, run in this process as beat and worker run them."""
    use_judge(judge.url, monkeypatch.setitem)
    for name, value in SHORT_WAITS.items():
        setattr(settings, name, value)
    with Beat() as running:
        yield running


@pytest.fixture
def partner(transactional_db: None) -> Onboarded:
    return onboard_partner(
        Terms(name="Acme", currency="EUR", balance_cents=10**9, scopes=ENFORCED, rates=LIMITS)
    )


@pytest.fixture
def api(web: str, partner: Onboarded, beat: Beat) -> HttpApi:
    """The partner's connection to a service that is there: processes killed by an earlier test are back."""
    api = HttpApi(web, partner.test_secret)
    wait_until_answered(lambda: api.get("/v1/account"), times=5)
    return api


@pytest.fixture
def shop(api: HttpApi) -> FlightShop:
    return PatientShop(api)
