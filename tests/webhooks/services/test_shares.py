from collections import Counter

import pytest

from apps.webhooks.deliveries.claim import Batch
from apps.webhooks.deliveries.dispatch import STUCK_SECONDS, THREADS_PER_PLACE, Shares
from tests.webhooks.services.batches import batches as begun_batches

PLACES, OF_ACCOUNT = 16, 12
NOW = 1000.0


@pytest.fixture(autouse=True)
def _time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch is young until it is exactly as old as a stuck one."""
    monkeypatch.setattr("apps.webhooks.deliveries.claim.monotonic", lambda: NOW)


def batches(account_id: str, count: int, *, stuck: bool = False) -> list[Batch]:
    return begun_batches(account_id, count, begun=NOW - STUCK_SECONDS if stuck else NOW)


@pytest.fixture
def shares(db: None) -> Shares:
    return Shares(PLACES, OF_ACCOUNT)


@pytest.mark.parametrize(
    ("young", "stuck", "room"),
    [
        (0, 0, 12),
        (11, 0, 1),
        (12, 0, 0),
        (0, 1, 3),  # once they are known to be slow
        (0, 3, 3),
        (0, 4, 2),
        (1, 4, 1),
        (0, 9, 1),
        (1, 9, 0),
        (0, 31, 1),
        (0, 32, 0),  # a quarter of the threads
        (4, 9, 0),  # more than it may have since the others are stuck
    ],
)
def test_an_account_has_a_share_that_shrinks_with_what_is_stuck(
    shares: Shares, young: int, stuck: int, room: int
) -> None:
    shares.begin([*batches("acc_1", young), *batches("acc_1", stuck, stuck=True)])
    common = PLACES - young - PLACES // 4
    assert (shares.room("acc_1"), shares.room("acc_2")) == (room, max(1, common))
    claims = shares.claim_filter("test")
    assert (claims.environments, claims.full) == (["test"], [] if room else ["acc_1"])
    assert (claims.room("acc_1", Counter()), claims.room("acc_2", Counter())) == (room, max(1, common))


def test_the_last_threads_are_kept_for_accounts_that_nobody_waits_for(shares: Shares) -> None:
    for number in range(3):
        shares.begin(batches(f"acc_{number}", 31, stuck=True))
    assert [shares.room(f"acc_{number}") for number in range(3)] == [1, 1, 1]
    shares.begin(batches("acc_3", 3, stuck=True))
    assert len(shares) == PLACES * THREADS_PER_PLACE * 3 // 4
    assert [shares.room(f"acc_{number}") for number in range(5)] == [0, 0, 0, 0, OF_ACCOUNT]


def test_what_is_about_to_begin_takes_the_last_threads_too(shares: Shares) -> None:
    for number in range(3):
        shares.begin(batches(f"acc_{number}", 31, stuck=True))
    shares.begin(batches("acc_3", 2, stuck=True))
    assert [shares.room("acc_0", Counter(acc_4=taken)) for taken in (0, 1)] == [1, 0]


@pytest.mark.parametrize(
    ("of_account", "taken", "room"),
    [
        (12, {"acc_1": 3, "acc_2": 2}, 7),  # of the places that are for everybody
        (12, {"acc_2": 12}, 1),  # of the last quarter
        (12, {"acc_1": 1, "acc_2": 11}, 0),
        (4, {"acc_1": 3}, 1),
        (4, {"acc_1": 4}, 0),
        (4, {"acc_2": 4}, 4),
    ],
)
def test_what_is_about_to_begin_has_its_places_already(
    db: None, of_account: int, taken: dict[str, int], room: int
) -> None:
    assert Shares(PLACES, of_account).room("acc_1", Counter(taken)) == room


@pytest.mark.parametrize(("places", "test"), [(7, 7), (8, 7), (14, 13), (15, 14), (16, 14)])
def test_the_eighth_is_rounded_down(db: None, places: int, test: int) -> None:
    assert Shares(places, places).free("test") == test


@pytest.mark.parametrize(
    ("young", "stuck", "live", "test"),
    [
        (0, 0, 16, 14),
        (14, 0, 2, 0),
        (16, 0, 0, -2),
        (0, 100, 16, 12),
        (0, 112, 16, 0),
        (3, 120, 5, -11),
    ],
)
def test_live_has_the_last_eighth_to_itself(
    shares: Shares, young: int, stuck: int, live: int, test: int
) -> None:
    shares.begin([*batches("acc_1", young), *batches("acc_2", stuck, stuck=True)])
    assert (shares.free("live"), shares.free("test")) == (live, test)


def test_a_slow_account_stays_one_for_the_run(shares: Shares) -> None:
    [stuck] = batches("acc_1", 1, stuck=True)
    shares.begin([stuck])
    shares.room("acc_1")
    shares.end(stuck)
    assert (shares.room("acc_1"), shares.room("acc_2")) == (4, 12)


def test_the_last_quarter_of_the_places_is_for_accounts_that_have_none(shares: Shares) -> None:
    shares.begin([*batches("acc_1", 8), *batches("acc_2", 4)])
    assert [shares.room(f"acc_{n}") for n in (1, 2, 3)] == [0, 0, 1]
    shares.begin(batches("acc_3", 1))
    assert [shares.room(f"acc_{n}") for n in (3, 4)] == [0, 1]


def test_endpoints_of_a_full_account_take_turns(shares: Shares) -> None:
    first = batches("acc_1", 12)
    shares.begin(first)
    assert shares.note_turns(first) is False
    assert sorted(shares.claim_filter("test").passed_over) == sorted(f"we_{n}" for n in range(12))
    shares.end(first[0])
    assert shares.note_turns([]) is True  # nothing else of the account is due: from the beginning again
    assert shares.claim_filter("test").passed_over == []


def test_an_account_has_its_turn_as_long_as_something_of_it_is_found_or_it_is_full(shares: Shares) -> None:
    first = batches("acc_1", 12)
    shares.begin(first)
    assert (shares.note_turns(first), shares.note_turns([])) == (False, False)
    for batch in first[:2]:
        shares.end(batch)
    [another] = begun_batches("acc_1", 1, begun=NOW)
    shares.begin([another])
    assert (shares.note_turns([another]), shares.room("acc_1")) == (False, 1)
    assert len(shares.claim_filter("test").passed_over) == 12
    assert shares.note_turns([]) is True
