"""Promise K1, in short: revocation under traffic on several threads, with cache fills in flight."""

import random
import time

import pytest

from apps.keys.services import revoke_key
from tests.factories.keys import issued_key
from tests.keys.traffic import Traffic

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("seed", range(12))
def test_no_call_that_begins_after_the_revocation_is_accepted(seed):
    key, secret = issued_key()
    pause = random.Random(seed).uniform(0, 0.03)

    with Traffic(secret, threads=4) as traffic:
        time.sleep(pause)
        revoke_key(key=key)
        revoked_at = time.monotonic()
        traffic.until_refused(100)

    assert [began for began in traffic.accepted if began > revoked_at] == []
    assert traffic.errors == []
