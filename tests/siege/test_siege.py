"""`make siege` in short: nobody else's call fails, whatever one caller does, and no input ends in a 500."""

from collections.abc import Iterator

import pytest

from tests.siege import hostile
from tests.siege.attacks import ATTACKS
from tests.siege.site import Site, running
from tests.siege.trial import attacked
from tests.support.tools import needs

pytestmark = [pytest.mark.slow, needs("nginx")]

SLOWEST_SECONDS = 10.0  # other tests run beside
EVERY = 5
ALLOWED = "203.0.113.7"
FORGERIES = {
    "X_Forwarded_For": [ALLOWED, f"{ALLOWED},", f"::ffff:{ALLOWED}"],
    "Forwarded": [f"for={ALLOWED}"],
    "X_Real_IP": [ALLOWED],
    "True_Client_IP": [ALLOWED],
}


@pytest.fixture(scope="module")
def site(django_db_setup: None) -> Iterator[Site]:
    with running() as site:
        yield site


@pytest.mark.parametrize("name", ATTACKS)
def test_others_are_served_meanwhile(name: str, site: Site) -> None:
    trial = attacked(site, name, seconds=2)
    assert trial.failures == []
    assert trial.slowest_seconds < SLOWEST_SECONDS
    assert sum(trial.ends.values()) > 10


def test_no_hostile_input_ends_in_a_500_or_without_the_envelope(site: Site) -> None:
    inputs = hostile.inputs()
    assert len(inputs) >= 2_500
    results = hostile.send_all(site, inputs[::EVERY])
    assert [fault for result in results for fault in result.faults()] == []


@pytest.mark.parametrize("header", FORGERIES)
def test_no_header_makes_a_call_come_from_elsewhere(header: str, site: Site) -> None:
    """The key may be used from one address alone."""
    api = site.api("pinned")
    assert [api.get("/v1/account", **{header: value}).status for value in FORGERIES[header]] == [
        403 for _ in FORGERIES[header]
    ]
