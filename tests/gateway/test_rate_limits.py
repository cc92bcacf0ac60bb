"""Promise R1: a fixed window a minute, exact under threads; without Redis a clean 503 for searches and bookings, reads go on."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis as redis_py

from apps.accounts.models import Account
from apps.common import clock, redis
from apps.gateway import throttling
from apps.gateway.models import IdempotencyRecord
from apps.gateway.operations import RateClass
from apps.keys import secrets
from apps.ledger.models import Hold
from tests.embedded.support import eventually
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.api import Api, Reply
from tests.support.private_redis import PrivateRedis
from tests.support.threads import all_at_once
from tests.support.trips import counted_redis_attempts

SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}


@pytest.fixture
def at_the_start_of_a_minute(monkeypatch) -> datetime:
    """All calls fall into one window, a minute of the far future that no other test counts in."""
    instant = datetime(2090, 1, 1, 12, 0, tzinfo=UTC) + timedelta(minutes=int(time.time()) % 10**6)
    monkeypatch.setattr(clock, "_database_now", lambda: instant)
    return instant


def window_of(reply) -> tuple[int, int]:
    return int(reply.headers["X-RateLimit-Limit"]), int(reply.headers["X-RateLimit-Remaining"])


@pytest.mark.django_db
def test_each_call_takes_one_of_the_window_and_the_next_minute_starts_anew(
    at_the_start_of_a_minute, move_clock
):
    api = api_of_new_partner()
    Account.objects.update(rate_read=3)
    move_clock(seconds=23)

    replies = [api.get("/v1/account") for _ in range(5)]

    assert [reply.status for reply in replies] == [200, 200, 200, 429, 429]
    assert [window_of(reply) for reply in replies] == [(3, 2), (3, 1), (3, 0), (3, 0), (3, 0)]
    refused = replies[-1]
    reset = at_the_start_of_a_minute + timedelta(minutes=1)
    assert int(refused.headers["X-RateLimit-Reset"]) == reset.timestamp()
    assert (int(refused.headers["Retry-After"]), refused.error["retryAfter"]) == (37, 37)
    move_clock(seconds=36)
    assert api.get("/v1/account").status == 429
    move_clock(seconds=1)
    assert window_of(api.get("/v1/account")) == (3, 2)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "ask"),
    [
        (403, lambda api: api.get("/v1/account/ledger")),
        (403, lambda api: Api(api.secret, address="198.51.100.8").get("/v1/account")),
        (405, lambda api: api.delete("/v1/account")),
    ],
    ids=["scope", "address", "method"],
)
def test_a_known_key_is_not_counted_where_an_earlier_check_refuses(
    at_the_start_of_a_minute, status: int, ask: Callable[[Api], Reply]
):
    api = api_of_new_partner(scopes=["account:read"], allowed_ips=["198.51.100.7"])
    api.address = "198.51.100.7"
    assert [window_of(api.get("/v1/account")) for _ in range(2)] == [(300, 299), (300, 298)]

    refused = ask(api)

    assert (refused.status, window_of(refused)) == (status, (300, 298))
    assert window_of(api.get("/v1/account")) == (300, 297)


@pytest.mark.django_db
def test_classes_and_keys_have_windows_of_their_own(noon):
    api = api_of_new_partner()
    account = Account.objects.get()
    Account.objects.update(rate_read=1, rate_booking=1)
    sibling = api_of_new_partner(account=account)

    assert [api.get("/v1/account").status for _ in range(2)] == [200, 429]
    assert api.post("/v1/flights/orders/x/cancel", {}).status == 404
    assert api.post("/v1/flights/orders/x/cancel", {}).status == 429
    assert api.post("/v1/flights/searches", SEARCH).status == 201
    assert sibling.get("/v1/account").status == 200


@pytest.mark.django_db
def test_an_override_of_the_account_replaces_the_deployments_limit(settings):
    settings.RATE_LIMITS = {"SEARCH": 7, "BOOKING": 8, "READ": 9}
    api = api_of_new_partner()
    assert window_of(api.get("/v1/account"))[0] == 9

    Account.objects.update(rate_read=0)
    other = api_of_new_partner(account=Account.objects.get())
    assert other.get("/v1/account").status == 429


@pytest.mark.django_db(transaction=True)
def test_sixty_four_threads_are_admitted_exactly_to_the_limit(at_the_start_of_a_minute):
    partner = partner_of(api_of_new_partner())

    def calls() -> list[bool]:
        return [throttling.count_call(partner, RateClass.SEARCH).admitted for _ in range(5)]

    admitted = [one for many in all_at_once([calls] * 64) for one in many]

    assert Counter(admitted) == {True: 60, False: 260}
    assert throttling.window_of(throttling.counter_of(partner, RateClass.SEARCH)).used == 60, (
        "what is refused is not counted"
    )


@pytest.mark.django_db
def test_failed_authentications_are_counted_for_each_address_and_class(at_the_start_of_a_minute, settings):
    settings.RATE_LIMITS = {"SEARCH": 2, "BOOKING": 2, "READ": 3}
    guesser = Api("svc_test_guess")

    answers = [guesser.get("/v1/account") for _ in range(5)]

    assert [(reply.status, reply.error_type) for reply in answers] == [
        *[(401, "invalid_api_key")] * 3,
        *[(429, "rate_limit_exceeded")] * 2,
    ]
    assert [window_of(reply) for reply in answers] == [(3, 2), (3, 1), (3, 0), (3, 0), (3, 0)]
    assert answers[-1].error["retryAfter"] == int(answers[-1].headers["Retry-After"]) == 60
    assert "X-Environment" not in answers[-1].headers
    assert guesser.post("/v1/flights/searches", {}).status == 401, "another class"
    assert Api("svc_test_guess").get("/v1/account").status == 401, "another address"


@pytest.mark.django_db
def test_failed_authentications_never_refuse_a_valid_key_of_the_same_address(at_the_start_of_a_minute):
    api = api_of_new_partner()
    guesser = Api(secrets.make("test"), address=api.address)

    assert Counter(guesser.get("/v1/account").status for _ in range(302)) == {401: 300, 429: 2}
    reply = api.get("/v1/account")
    assert (reply.status, window_of(reply)) == (200, (300, 299))


@pytest.mark.parametrize(
    ("address", "owner"),
    [
        ("192.0.2.1", "ip:192.0.2.1"),
        ("::ffff:192.0.2.1", "ip:192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "ip:2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "ip:2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "ip:2001:db8:1:3::/64"),
        ("", "ip:unknown"),
        ("x" * 8_000, "ip:unknown"),
    ],
)
def test_who_guesses_is_known_by_the_network_that_is_theirs(address: str, owner: str):
    assert throttling.window_owner(address) == owner


# --- Without Redis --------------------------------------------------------------------------------------------------
@pytest.fixture
def private_redis(tmp_path: Path, settings):
    """A Redis of the test's own."""
    server = PrivateRedis(tmp_path)
    settings.REDIS_URL = server.url
    yield server
    server.kill()


@pytest.fixture
def lasting_trouble(settings, monkeypatch) -> None:
    """What a request, or the process, has learnt of Redis is true as long as the test lasts."""
    settings.REDIS_BREAKER_SECONDS = 60.0
    monkeypatch.setattr(redis, "PATIENCE_RESTORED_SECONDS", 60.0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("trouble", "tries"), [("kill", 2), ("freeze", 6)])
def test_without_redis_reads_are_served_and_the_rest_is_refused_cleanly(
    trouble: str, tries: int, private_redis, lasting_trouble, supplier_calls, settings
):
    """Nobody waits for long: a request tries twice, and after three that tried in vain nobody tries for a while."""
    api = api_of_new_partner(cents=1_000_000)
    assert api.post("/v1/flights/searches", SEARCH).status == 201
    del supplier_calls[:]
    getattr(private_redis, trouble)()
    settings.REDIS_TIMEOUT_SECONDS = 0.1

    with counted_redis_attempts() as tried:
        reads = [api.get("/v1/account"), api.get("/v1/flights/orders"), api.get("/v1/flights/orders/x")]
        writes = [
            api.post("/v1/flights/searches", SEARCH),
            api.get("/v1/flights/offers/x"),
            api.post("/v1/flights/orders", {}),
            api.post("/v1/flights/orders/x/cancel", {}),
        ]
        unknown = Api("junk").get("/v1/account")

    assert [reply.status for reply in reads] == [200, 200, 404]
    assert {window_of(reply) for reply in reads} == {(300, 300)}
    assert [(reply.status, reply.error_type) for reply in writes] == [(503, "upstream_unavailable")] * 4
    assert unknown.status == 401
    assert len(tried) == tries
    assert supplier_calls == []
    assert (IdempotencyRecord.objects.count(), Hold.objects.count()) == (1, 0), "nothing was claimed or held"


@pytest.mark.django_db(transaction=True)
def test_a_late_answer_of_redis_refuses_the_call_it_was_for_and_no_other(
    private_redis, lasting_trouble, monkeypatch
):
    api = api_of_new_partner()

    def late(*_: object, **__: object) -> None:
        raise redis_py.TimeoutError("late")

    with monkeypatch.context() as patched:
        patched.setattr(redis_py.Redis, "execute_command", late)
        refused = api.post("/v1/flights/searches", SEARCH)
        read = Api(api.secret).get("/v1/account")

    assert (refused.status, refused.error_type) == (503, "upstream_unavailable")
    assert read.status == 200
    assert api.post("/v1/flights/searches", SEARCH).status == 201


@pytest.mark.django_db(transaction=True)
def test_the_service_is_itself_again_once_redis_is_back(private_redis, settings):
    settings.REDIS_BREAKER_SECONDS = 0.2
    api = api_of_new_partner()
    private_redis.kill()
    assert api.post("/v1/flights/searches", SEARCH, key="same-key-again").status == 503
    private_redis.start()
    assert eventually(lambda: not redis.guarded().is_open)

    reply = api.post("/v1/flights/searches", SEARCH, key="same-key-again")
    assert (reply.status, reply.headers.get("Idempotent-Replayed")) == (201, None)
