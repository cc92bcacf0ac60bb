import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from uuid import uuid4

import pytest

from apps.common import redis
from apps.suppliers import tokens
from apps.suppliers.errors import Unavailable
from apps.suppliers.http import all_within
from apps.suppliers.tokens import TokenStore

Fetch = Callable[[], tuple[str, float]]


@pytest.fixture
def name() -> str:
    return f"acme-{uuid4()}"


@pytest.fixture
def fetch() -> Fetch:
    """A token call: t1, t2, t3, … good for an hour each."""
    numbers = count(1)
    return lambda: (f"t{next(numbers)}", 3600)


@pytest.fixture
def without_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(work: object, *, insist: bool = False) -> None:
        raise redis.RedisUnavailable

    monkeypatch.setattr(redis, "run", away)


def elsewhere(name: str) -> TokenStore:
    """The store as another process has it."""
    tokens._tokens.pop(name, None)
    return TokenStore(name)


def stored(name: str) -> Iterator[bytes]:
    return redis.run(lambda client: client.get(f"supplier-token:{name}"))


def test_a_token_is_fetched_once_for_all_processes(name: str, fetch: Fetch) -> None:
    assert [TokenStore(name).get(fetch), TokenStore(name).get(fetch), elsewhere(name).get(fetch)] == [
        "t1"
    ] * 3


def test_it_rests_encrypted_until_five_minutes_before_its_end(name: str) -> None:
    TokenStore(name).get(lambda: ("s3cret", 3600))
    assert b"s3cret" not in stored(name)
    assert redis.run(lambda client: client.ttl(f"supplier-token:{name}")) == pytest.approx(3300, abs=60)


def test_a_forgotten_token_is_fetched_anew_by_everybody(name: str, fetch: Fetch) -> None:
    store = TokenStore(name)
    store.get(fetch)
    store.forget("t1")
    assert store.get(fetch) == "t2"
    assert elsewhere(name).get(fetch) == "t2"


def test_a_token_is_doubted_once_in_a_while_whoever_asks(name: str, fetch: Fetch) -> None:
    store = TokenStore(name)
    assert [store.doubt(store.get(fetch)), store.get(fetch)] == [True, "t2"]
    assert [store.doubt("t2"), elsewhere(name).doubt("t2"), elsewhere(name).get(fetch)] == [
        False,
        False,
        "t2",
    ]
    redis.run(lambda client: client.delete(f"supplier-doubted:{name}"))
    assert [elsewhere(name).doubt("t2"), elsewhere(name).get(fetch)] == [True, "t3"]


def test_a_fourth_fetch_within_a_minute_is_refused_whoever_asks(name: str, fetch: Fetch) -> None:
    for expected in ("t1", "t2", "t3"):
        store = elsewhere(name)
        assert store.get(fetch) == expected
        store.forget(expected)
    with pytest.raises(Unavailable, match="3 times within a minute"):
        elsewhere(name).get(fetch)


@pytest.mark.usefixtures("without_redis")
def test_without_redis_a_process_keeps_its_own(name: str, fetch: Fetch) -> None:
    store = TokenStore(name)
    assert [store.get(fetch), store.get(fetch)] == ["t1", "t1"]
    for expected in ("t2", "t3"):
        store.forget(store.get(fetch))
        assert store.get(fetch) == expected
    store.forget("t3")
    with pytest.raises(Unavailable):
        store.get(fetch)


def test_threads_that_want_one_at_once_share_one_call_and_few_wait_for_it(name: str) -> None:
    calling, answer = threading.Event(), threading.Event()

    def slow() -> tuple[str, float]:
        calling.set()
        answer.wait()
        return "t1", 3600.0

    def get() -> str:
        try:
            return TokenStore(name).get(slow)
        except Unavailable:
            return "refused"

    with ThreadPoolExecutor(6) as threads:
        found = [threads.submit(get) for _ in range(6)]
        calling.wait()
        while sum(one.done() for one in found) < 2:
            pass
        answer.set()
    assert sorted(one.result() for one in found) == ["refused"] * 2 + ["t1"] * 4


def test_waiting_for_what_another_process_fetches_ends_with_the_bound_and_leaves_it_its_turn(
    name: str, fetch: Fetch
) -> None:
    turn = f"supplier-turn:{name}"
    redis.run(lambda client: client.set(turn, 1, ex=15))
    began = time.monotonic()
    with all_within(0.3), pytest.raises(Unavailable, match="no time left"):
        TokenStore(name).get(fetch)
    assert 0.3 <= time.monotonic() - began < 10
    assert redis.run(lambda client: client.exists(turn)) == 1
    redis.run(lambda client: client.delete(turn))
    assert TokenStore(name).get(fetch) == "t1"
