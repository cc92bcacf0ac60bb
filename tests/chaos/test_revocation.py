"""A revoked key is refused within a second by every process of the service, under traffic (reliability K1)."""

import threading
import time
from collections.abc import Callable

import pytest

from apps.keys.services import issue_key, revoke_key
from apps.onboarding.partners import Onboarded
from tests.chaos.beat import wait_until_none
from tests.support.stack import HttpApi

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

CALLERS = 8
ACROSS_SECONDS = 1.5


def test_no_process_accepts_a_key_a_second_after_its_revocation(
    web: str, partner: Onboarded, chaos_runs: int, figure: Callable[[str], None]
) -> None:
    latest = 0.0
    keys = 5 * chaos_runs or 2
    assert keys > 0
    for number in range(keys):
        accepted, refused = revoke_under_traffic(web, partner, after=0.2 + (number * 7 % 10) / 20)
        assert refused > 0
        latest = max(latest, accepted)
        assert accepted < 1.0, f"key {number} was accepted {accepted:.3f} s after the revocation"
    figure(f"revocation: {keys} keys, last acceptance {1000 * latest:.0f} ms after it")


def revoke_under_traffic(web: str, partner: Onboarded, after: float) -> tuple[float, int]:
    """How long after the revocation a call that was accepted had begun, and how many were refused."""
    key, secret = issue_key(
        account=partner.account, environment="test", name="Soon gone", scopes=["account:read"]
    )
    stop = threading.Event()
    accepted: list[float] = []
    refused: list[str | None] = []

    def call() -> None:
        api = HttpApi(web, secret)
        while not stop.is_set():
            began = time.monotonic()
            reply = api.get("/v1/account")
            if reply.status == 200:
                accepted.append(began)
            elif reply.status != 503:  # which a busy machine may answer: nobody was accepted, nor refused
                refused.append(reply.error_type)

    callers = [threading.Thread(target=call) for _ in range(CALLERS)]
    for caller in callers:
        caller.start()
    wait_until_none(lambda: CALLERS - min(len(accepted), CALLERS))  # traffic flows, on however busy a machine
    time.sleep(after)
    revoke_key(key=key)
    revoked = time.monotonic()
    time.sleep(ACROSS_SECONDS)
    stop.set()
    for caller in callers:
        caller.join()
    # So many refusals in a row count against the address, too.
    assert set(refused) <= {"api_key_revoked", "rate_limit_exceeded"}
    assert any(began < revoked for began in accepted)
    return max(accepted) - revoked, len(refused)
