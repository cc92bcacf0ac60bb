"""The feed: order, pages, what is deleted, and readers beside writers."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import orjson
import pytest
from django.db import connection, transaction

from apps.accounts.clocks import move_clock
from apps.accounts.models import Account
from apps.common import clock
from apps.common.errors import EventForgotten
from apps.webhooks import feed as placing
from apps.webhooks import feed as reading
from apps.webhooks.events import Fact, emit_many
from apps.webhooks.feed import place
from apps.webhooks.models import Event, EventFeed
from apps.webhooks.services import prune as pruning
from apps.webhooks.services.prune import prune
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import EventFactory
from tests.support.locks import locked, until_somebody_waits
from tests.webhooks.feeds import events, ids, page

pytestmark = pytest.mark.django_db


@pytest.fixture
def account(db: None) -> Account:
    return AccountFactory()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches and looks of two events."""
    monkeypatch.setattr(reading, "SCANNED", 2)
    monkeypatch.setattr(reading, "place", lambda *feed: place(*feed, batch=2))


def test_events_come_in_the_order_in_which_they_were_written_each_once(account: Account) -> None:
    written = events(account, 5)
    first = page(account, limit=2)
    second = page(account, limit=2, after=first.next_after)
    third = page(account, limit=2, after=second.next_after)
    assert ids(first) + ids(second) + ids(third) == written
    assert [first.has_more, second.has_more, third.has_more] == [True, True, False]
    assert third.next_after == written[-1]


def test_only_events_of_the_account_and_environment(account: Account) -> None:
    EventFactory()
    events(account, environment="live")
    (own,) = events(account)
    read = page(account)
    assert (ids(read), read.has_more) == ([own], False)
    assert Event.objects.filter(feed_position=None).count() == 2


def test_an_empty_feed_can_be_resumed_and_misses_nothing(account: Account) -> None:
    empty = page(account)
    assert (empty.payloads, empty.has_more) == ([], False)
    assert page(account, after=empty.next_after).next_after == empty.next_after
    written = events(account, 2)
    assert ids(page(account, after=empty.next_after)) == written


@pytest.mark.parametrize(
    "unknown", ["evt_01kb2c0000000000000000000a", "nonsense", "", "\x00", "x" * 500, "whd_1"]
)
def test_an_unknown_event_is_refused_with_the_oldest(account: Account, unknown: str) -> None:
    oldest, _ = events(account, 2)
    with pytest.raises(EventForgotten) as refused:
        page(account, after=unknown)
    assert refused.value.extras == {"oldest": oldest}


def test_an_event_of_another_account_or_environment_is_unknown(account: Account) -> None:
    other = AccountFactory()
    foreign, live = events(other)[0], events(account, environment="live")[0]
    page(account)
    assert set(Event.objects.values_list("feed_position", flat=True)) == {None}
    for _ in range(2):
        for after in (foreign, live):
            with pytest.raises(EventForgotten):
                page(account, after=after)
        assert ids(page(other)) + ids(page(account, environment="live")) == [foreign, live]


def test_types(account: Account) -> None:
    events(account, 2)
    cancelled = events(account, type="booking.cancelled")
    refunded = events(account, type="payment.refunded")
    (last,) = events(account)
    found = page(account, types=["booking.cancelled", "payment.refunded"])
    assert (ids(found), found.next_after) == (cancelled + refunded, last)


@pytest.mark.usefixtures("small")
def test_rare_types_take_several_pages_of_the_same_cost(account: Account) -> None:
    events(account, 5)
    rare = events(account, type="payment.refunded")
    found, after, pages = [], None, 0
    while True:
        read = page(account, after=after, types=["payment.refunded"])
        found, after, pages = found + ids(read), read.next_after, pages + 1
        if not read.has_more:
            break
    assert (found, pages) == (rare, 4)


def test_a_booking(account: Account) -> None:
    (first,) = events(account, booking_reference="H-1")
    events(account, booking_reference="H-2")
    (second,) = events(account, booking_reference="H-1", type="payment.refunded")
    (last,) = events(account)
    found = page(account, booking_reference="H-1")
    assert (ids(found), found.has_more, found.next_after) == ([first, second], False, last)
    assert ids(page(account, booking_reference="H-1", types=["payment.refunded"])) == [second]
    part = page(account, booking_reference="H-1", limit=1)
    assert (ids(part), part.has_more, part.next_after) == ([first], True, first)
    assert ids(page(account, booking_reference="H-1", after=first)) == [second]
    assert page(account, booking_reference="H-1", after=last).next_after == last


def test_a_booking_of_the_account_and_environment_alone(account: Account) -> None:
    """References are unique, but a feed asks nobody else's rows all the same."""
    other = AccountFactory()
    for owner, environment in ((other, "test"), (account, "live")):
        events(owner, 2, environment=environment)
    for number, (owner, environment) in enumerate(((other, "test"), (account, "live"), (account, "test"))):
        events(owner, booking_reference="H-1", environment=environment, sequence=number + 1)
        page(owner, environment=environment)
    (mine,) = Event.objects.filter(account=account, environment="test").values_list("pk", flat=True)
    found = page(account, booking_reference="H-1")
    assert (ids(found), found.next_after) == ([mine], mine)


@pytest.mark.django_db(transaction=True)
class TestConcurrently:
    def test_what_is_committed_late_comes_late_and_is_not_missed(self) -> None:
        account = AccountFactory()
        open_, may_commit = threading.Event(), threading.Event()

        def write_slowly() -> None:
            with transaction.atomic():
                slow.extend(events(account))
                open_.set()
                may_commit.wait(30)
            connection.close()

        slow: list[str] = []
        writer = threading.Thread(target=write_slowly)
        writer.start()
        assert open_.wait(30)
        (quick,) = events(account)
        first = page(account)
        assert ids(first) == [quick]
        may_commit.set()
        writer.join()
        assert Event.objects.get(pk=slow[0]).arrival < Event.objects.get(pk=quick).arrival
        assert ids(page(account, after=first.next_after)) == slow
        assert ids(page(account)) == [quick, *slow]

    def test_many_readers_number_each_event_once(self) -> None:
        account = AccountFactory()
        written = events(account, 50)
        seen: list[list[str]] = []

        def read() -> None:
            seen.append(ids(page(account)))
            connection.close()

        readers = [threading.Thread(target=read) for _ in range(6)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        assert seen == [written] * 6
        positions = Event.objects.filter(account=account).values_list("feed_position", flat=True)
        assert sorted(positions) == list(range(1, 51))

    def test_who_waited_goes_on_behind_what_was_numbered_meanwhile(self) -> None:
        account = AccountFactory()
        events(account, 2)
        EventFeed.objects.create(account=account, environment="test")

        def number() -> None:
            try:
                placing.place(account.pk, "test")
            finally:
                connection.close()

        thread = threading.Thread(target=number)
        with transaction.atomic():
            placing.place(account.pk, "test", batch=1)
            thread.start()
            until_somebody_waits()
        thread.join(30)
        positions = Event.objects.order_by("arrival").values_list("feed_position", flat=True)
        assert list(positions) == [1, 2]

    @pytest.mark.parametrize("held", [0, 1, 2])
    def test_what_follows_a_locked_event_of_its_booking_waits_for_it(self, held: int) -> None:
        account = AccountFactory()
        own = [events(account, booking_reference="H-1", sequence=number)[0] for number in (1, 2, 3)]
        (other,) = events(account, booking_reference="H-2", sequence=2)
        with locked(Event.objects.filter(pk=own[held]), "NO KEY UPDATE"):
            read = page(account)
            assert (ids(read), read.has_more) == ([*own[:held], other], True)
        assert ids(page(account)) == [*own[:held], other, *own[held:]]

    def test_a_row_that_is_being_deleted_is_not_waited_for(self) -> None:
        account = AccountFactory()
        gone, kept = events(account, 2)
        EventFeed.objects.create(account=account, environment="test")
        with transaction.atomic():
            Event.objects.select_for_update().get(pk=gone)
            found: list[int] = []

            def number() -> None:
                found.append(placing.place(account.pk, "test"))
                connection.close()

            thread = threading.Thread(target=number)
            thread.start()
            thread.join(30)
            assert found == [1]
        assert Event.objects.get(pk=kept).feed_position == 1
        assert Event.objects.get(pk=gone).feed_position is None


def test_several_events_of_a_booking_have_their_sequence(account: Account) -> None:
    facts = [Fact("booking.cancelled", {"note": "}"}), Fact("payment.refunded", {"sequence": 99})]
    with transaction.atomic():
        written = emit_many(
            account_id=account.pk,
            environment="test",
            facts=facts,
            booking_id="hbk_1",
            booking_reference="H-1",
            counted=5,
        )
    told = [orjson.loads(payload) for payload in page(account).payloads]
    assert [(event["id"], event["sequence"], event["data"]) for event in told] == [
        (written[0], 4, {"note": "}"}),
        (written[1], 5, {"sequence": 99}),
    ]
    assert list(Event.objects.order_by("sequence").values_list("sequence", flat=True)) == [4, 5]


def test_who_has_read_what_was_deleted_goes_on(account: Account) -> None:
    old = events(account, 3, created_at=clock.now() - timedelta(days=31))
    young = events(account, 2)
    page(account)
    prune()
    assert ids(page(account)) == young
    assert ids(page(account, after=old[-1])) == young


def test_who_has_not_is_told(account: Account) -> None:
    start = page(account).next_after
    old = events(account, 3, created_at=clock.now() - timedelta(days=31))
    (young,) = events(account)
    page(account)
    prune()
    for after in (start, *old[:-1]):
        with pytest.raises(EventForgotten) as refused:
            page(account, after=after)
        assert refused.value.extras == {"oldest": young}


def test_also_where_they_are_deleted_while_a_page_is_read(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = events(account, 2, created_at=clock.now() - timedelta(days=31))
    page(account)
    (young,) = events(account)

    def place_after_pruning(*feed: str) -> int:
        prune()
        return place(*feed)

    monkeypatch.setattr(reading, "place", place_after_pruning)
    with pytest.raises(EventForgotten) as refused:
        page(account, after=old[0])
    assert refused.value.extras == {"oldest": young}


def test_also_where_nobody_had_read_them(account: Account) -> None:
    (read,) = events(account, created_at=clock.now() - timedelta(days=40))
    page(account)
    events(account, 3, created_at=clock.now() - timedelta(days=31))
    (young,) = events(account)
    prune()
    with pytest.raises(EventForgotten):
        page(account, after=read)
    assert ids(page(account)) == [young]


def numbered_before(late: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """The next pruning meets what `late` does after it has given the events that end their places."""
    number = pruning._place_what_ends_there

    def number_before_it(before: datetime) -> None:
        number(before)
        late()

    monkeypatch.setattr(pruning, "_place_what_ends_there", number_before_it)


def test_one_that_has_no_place_yet_is_not_deleted_with_the_others(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was written before the clock was moved, and committed after the others had been numbered."""
    start = page(account).next_after
    (read,) = events(account)
    page(account)
    move_clock(account_id=account.pk, by=timedelta(days=31))
    late: list[str] = []
    numbered_before(lambda: late.extend(events(account)), monkeypatch)
    prune()
    assert list(Event.objects.values_list("pk", flat=True)) == late
    assert ids(page(account, after=read)) == late
    with pytest.raises(EventForgotten):
        page(account, after=start)
    monkeypatch.undo()
    prune()
    assert not Event.objects.exists()
    with pytest.raises(EventForgotten):
        page(account, after=read)


def test_a_quiet_feed_is_resumed_after_its_last_event_is_gone(account: Account) -> None:
    (last,) = events(account, created_at=clock.now() - timedelta(days=31))
    page(account)
    prune()
    assert Event.objects.count() == 0
    assert page(account, after=last).next_after == last
    written = events(account)
    assert ids(page(account, after=last)) == written


def test_a_feed_forgets_nothing_of_another(account: Account) -> None:
    start = page(account, environment="live").next_after
    events(account, created_at=clock.now() - timedelta(days=31))
    page(account)
    prune()
    assert page(account, environment="live", after=start).payloads == []
