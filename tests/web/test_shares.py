"""Who gets a thread, who waits, who is refused; eight threads as by default."""

import re
import time

import pytest

from config.web.shares import WAIT_SECONDS, Costs, Holder, Kind, KnownKeys, Refused, Shares, Ticket, holder_of
from tests.support.stack import ROOT


def of(kind: Kind, name: str = "one", *, dear: bool = False) -> Ticket:
    return Ticket(Holder(kind, name), job=name, dear=dear)


def entered(shares: Shares, kind: Kind, count: int, name: str = "one") -> int:
    """How many of `count` calls run at once; each waits for a supplier as soon as it runs."""
    return sum(asks_supplier(shares, of(kind, name)) for _ in range(count))


def asks_supplier(shares: Shares, ticket: Ticket) -> bool:
    """Whether it runs."""
    runs = shares.enter(ticket)
    if runs:
        assert shares.relieve(ticket) is None
    return runs


def ended(kind: Kind, name: str = "one") -> Ticket:
    """Like one of those that `entered`."""
    return Ticket(Holder(kind, name), job=name, computes=False)


@pytest.mark.parametrize(
    ("kind", "one", "several"),
    [(Kind.LIVE, 4, 8), (Kind.TEST, 4, 6), (Kind.UNKNOWN, 1, 2), (Kind.PAGE, 2, 4), (Kind.PROBE, 1, 3)],
)
def test_shares_of_one_holder_and_of_a_kind(kind: Kind, one: int, several: int) -> None:
    assert entered(Shares(8), kind, 10) == one
    shares = Shares(8)
    assert sum(entered(shares, kind, 3, f"holder {number}") for number in range(10)) == several


def test_two_calls_of_a_holder_compute_at_once_in_a_process_and_others_when_these_wait_for_suppliers() -> (
    None
):
    shares = Shares(8)
    computing = [of(Kind.LIVE) for _ in range(3)]
    assert [shares.enter(ticket) for ticket in computing] == [True, True, False]
    assert shares.enter(of(Kind.LIVE, "another"))
    assert shares.relieve(computing[0]) is computing[2]
    assert [shares.enter(ticket) for ticket in (computing[2], of(Kind.LIVE))] == [True, False]


def test_test_keys_leave_threads_to_live_ones() -> None:
    shares = Shares(8)
    running = sum(entered(shares, Kind.TEST, 4, f"account {number}") for number in range(5))
    assert (running, entered(shares, Kind.LIVE, 1)) == (6, 1)


def test_pages_and_probes_have_threads_of_their_own() -> None:
    shares = Shares(8)
    assert sum(entered(shares, Kind.LIVE, 4, f"account {number}") for number in range(3)) == 8
    assert entered(shares, Kind.PAGE, 1) == entered(shares, Kind.PROBE, 1, "/health") == 1
    assert shares.all_threads == 8 + shares.pages + shares.probes + shares.spare == 16


@pytest.mark.parametrize("threads", [4, 5, 8, 16])
def test_the_connections_that_the_guide_reckons_with_are_enough(threads: int) -> None:
    """Each thread keeps one to PostgreSQL, whatever it served; so does the reader of changed keys, and the watch over the
    periodic tasks opens one now and then.
    """
    factor, more = re.findall(
        r"`WEB_WORKERS` × \(([0-9.]+) × `WEB_THREADS` \+ ([0-9]+)\)", (ROOT / "docs/deploy.md").read_text()
    )[0]
    needed = Shares(threads).all_threads + 2
    assert needed <= float(factor) * threads + int(more) < needed + 1


def test_who_waits_gets_the_place_of_who_leaves_live_first_then_who_holds_least() -> None:
    shares = Shares(8)
    assert entered(shares, Kind.LIVE, 6, "greedy") == 4
    assert entered(shares, Kind.TEST, 4, "tester") == 4
    assert entered(shares, Kind.TEST, 1, "another tester") == entered(shares, Kind.LIVE, 1, "modest") == 0
    left = ended(Kind.TEST, "tester")
    turns = [shares.leave(ended(Kind.LIVE, "greedy")), *(shares.leave(left) for _ in range(3))]
    assert [turn.job if turn else None for turn in turns] == ["modest", "greedy", "another tester", None]


def test_too_many_of_one_holder_are_refused_at_once_and_others_are_not() -> None:
    shares = Shares(8)
    assert entered(shares, Kind.TEST, 4 + 32) == 4
    with pytest.raises(Refused) as refused:
        shares.enter(of(Kind.TEST))
    assert not refused.value.whole_process
    assert shares.enter(of(Kind.TEST, "another"))


def test_too_many_of_everybody_are_refused_at_once() -> None:
    shares = Shares(8)
    for number in range(8 + 256):
        shares.enter(of(Kind.LIVE, f"account {number}"))
    with pytest.raises(Refused) as refused:
        shares.enter(of(Kind.LIVE, "one more"))
    assert refused.value.whole_process


def test_nobody_waits_for_ever() -> None:
    shares = Shares(8)
    entered(shares, Kind.PAGE, 4)
    assert shares.expired(time.monotonic()) == []
    assert len(shares.expired(time.monotonic() + WAIT_SECONDS + 1)) == 2
    for _ in range(2):
        assert not shares.idle
        assert shares.leave(ended(Kind.PAGE)) is None
    assert shares.idle


def test_dear_calls_run_one_at_a_time_and_others_pass_them() -> None:
    shares = Shares(8)
    first, second = of(Kind.LIVE, "large", dear=True), of(Kind.LIVE, "large too", dear=True)
    assert (shares.enter(first), shares.enter(second)) == (True, False)
    assert entered(shares, Kind.LIVE, 1, "small") == 1
    assert shares.leave(ended(Kind.LIVE, "small")) is None
    assert shares.leave(first) is second
    assert shares.leave(second) is None
    assert shares.enter(first)


def test_a_holders_dear_calls_do_not_keep_its_other_calls_waiting() -> None:
    shares = Shares(8)
    assert [shares.enter(of(Kind.LIVE, dear=True)) for _ in range(3)] == [True, False, False]
    assert entered(shares, Kind.LIVE, 2) == 2


def test_dear_calls_of_several_holders_take_turns() -> None:
    shares = Shares(8)
    turn: Ticket | None = of(Kind.LIVE, "greedy", dear=True)
    assert turn is not None
    assert shares.enter(turn)
    for name in ("greedy", "greedy", "greedy", "modest"):
        assert not shares.enter(of(Kind.LIVE, name, dear=True))
    turns = []
    while (turn := shares.leave(turn)) is not None:
        turns.append(turn.job)
    assert turns == ["greedy", "modest", "greedy", "greedy"]


def test_a_dear_call_that_waits_for_a_supplier_lets_the_next_one_compute() -> None:
    shares = Shares(8)
    first, second, third = (of(Kind.LIVE, dear=True) for _ in range(3))
    assert [shares.enter(ticket) for ticket in (first, second, third)] == [True, False, False]

    assert shares.relieve(first) is second
    assert shares.relieve(first) is None, "it has told so before"
    second.called = True
    assert shares.enter(second)
    assert [shares.leave(first), shares.leave(second)] == [None, third]
    assert shares.leave(third) is None
    assert shares.idle


def test_a_call_whose_place_another_has_taken_waits_in_front_of_its_line_as_long_as_it_did() -> None:
    shares = Shares(8)
    first, second, third = (of(Kind.LIVE, dear=True) for _ in range(3))
    assert [shares.enter(ticket) for ticket in (first, second, third)] == [True, False, False]
    assert shares.relieve(first) is second
    another = of(Kind.LIVE, "another", dear=True)
    assert shares.enter(another)
    waiting = [of(Kind.LIVE, dear=True) for _ in range(4 * 8 - 1)]
    assert [shares.enter(ticket) for ticket in waiting] == [False] * len(waiting)

    second.called = True
    assert not shares.enter(second), "and is not refused where too many wait by now"
    with pytest.raises(Refused):
        shares.enter(of(Kind.LIVE, dear=True))
    assert shares.leave(another) is second
    assert shares.leave(second) is third


def test_what_has_been_dear_is_dear_and_is_forgotten_when_it_is_cheap_again() -> None:
    costs, search = Costs(most=2), ("acct_1", "POST", "/v1/hotels/searches")
    assert not costs.is_dear(search)
    costs.note(search, 0.1)
    assert costs.is_dear(search)
    assert not costs.is_dear(("acct_2", "POST", "/v1/hotels/searches"))
    for _ in range(4):
        costs.note(search, 0.001)
    assert not costs.is_dear(search)
    costs.note(search, 0.5)
    for path in ("/v1/account", "/v1/ping"):
        costs.note(("acct_1", "GET", path), 0.001)
    assert not costs.is_dear(search), "the oldest goes where too many are known"


def test_what_waits_under_a_key_that_became_known_is_recalled() -> None:
    shares = Shares(8)
    one, other = (Ticket(Holder(Kind.UNKNOWN, "192.0.2.1"), job=None, token=token) for token in (1, 2))
    assert (shares.enter(of(Kind.UNKNOWN, "192.0.2.1")), shares.enter(one), shares.enter(other)) == (
        True,
        False,
        False,
    )
    assert shares.recalled(1) == [one]
    assert shares.recalled(1) == []
    assert shares.leave(ended(Kind.UNKNOWN, "192.0.2.1")) is other


def test_whose_call_it_is_is_learned_from_the_key_that_was_accepted() -> None:
    known = KnownKeys(most=2)
    stranger, token = holder_of("/v1/account", "Bearer a", "192.0.2.1", known)
    assert stranger == Holder(Kind.UNKNOWN, "192.0.2.1")
    assert token is not None
    known.learn(token, ("acc_1", "live"))
    assert holder_of("/v1/account", "Bearer a", "192.0.2.9", known) == (Holder(Kind.LIVE, "acc_1"), token)
    known.learn(token, ("acc_1", "test"))
    assert holder_of("/v1/x", "Bearer a", "192.0.2.9", known)[0] == Holder(Kind.TEST, "acc_1")
    for other in ("Bearer b", "Bearer c"):
        known.learn(hash(other), ("acc_2", "test"))
    assert holder_of("/v1/x", "Bearer a", "192.0.2.9", known)[0].kind is Kind.UNKNOWN


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/health", Kind.PROBE),
        ("/v1/ping", Kind.PROBE),
        ("/portal/", Kind.PAGE),
        ("/v1x", Kind.PAGE),
        ("/v1/x", Kind.UNKNOWN),
        ("/%76%31/x", Kind.UNKNOWN),
        ("/%76%31/ping", Kind.PROBE),
    ],
)
def test_kinds_by_path(path: str, kind: Kind) -> None:
    assert holder_of(path, "", "192.0.2.1", KnownKeys())[0].kind is kind
