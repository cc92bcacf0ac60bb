"""What a reader of the feed is told of events that were deleted before it came to them."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from apps.accounts.models import Account
from apps.accounts.services.move_clock import move_clock
from apps.common import clock
from apps.common.errors import EventForgotten
from apps.webhooks import feed as reading
from apps.webhooks.feed import place
from apps.webhooks.models import Event, EventFeed
from apps.webhooks.services import prune as pruning
from apps.webhooks.services.prune import prune
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.webhooks.services.feeds import events, ids, page

pytestmark = pytest.mark.django_db


@pytest.fixture
def account(db: None) -> Account:
    return AccountFactory()


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


def test_also_where_the_clock_of_another_sandbox_alone_was_moved(account: Account) -> None:
    start = page(account).next_after
    SandboxFactory(account=account, is_first=True)
    events(account, created_at=clock.now() - timedelta(days=31))
    move_clock(account_id=AccountFactory().pk, by=timedelta(hours=1))
    prune()
    with pytest.raises(EventForgotten):
        page(account, after=start)


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


def test_nor_where_a_clock_is_moved_once_more_while_what_ends_is_deleted(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    (read,) = events(account, created_at=clock.now() - timedelta(days=29))
    page(account)
    written = events(account, 2)
    move_clock(account_id=account.pk, by=timedelta(days=2))
    numbered_before(lambda: move_clock(account_id=account.pk, by=timedelta(days=31)), monkeypatch)
    prune()
    assert ids(page(account, after=read)) == written


def test_a_quiet_feed_is_resumed_after_its_last_event_is_gone(account: Account) -> None:
    (last,) = events(account, created_at=clock.now() - timedelta(days=31))
    page(account)
    prune()
    assert Event.objects.count() == 0
    assert page(account, after=last).next_after == last
    written = events(account)
    assert ids(page(account, after=last)) == written


def test_an_event_that_outlives_its_successors_leads_nobody_past_them(account: Account) -> None:
    """It waits for its endpoint; the next one is gone."""
    waiting = DeliveryFactory(
        endpoint=EndpointFactory(account=account),
        event__created_at=clock.now() - timedelta(days=40),
        created_at=clock.now() - timedelta(days=40),
    )
    events(account, created_at=clock.now() - timedelta(days=35))
    (young,) = events(account)
    page(account)
    prune()
    assert Event.objects.filter(pk=waiting.event_id).exists()
    with pytest.raises(EventForgotten):
        page(account, after=waiting.event_id)
    assert ids(page(account)) == [young]


def test_what_is_forgotten_later_does_not_make_the_newest_forgotten_one_older(account: Account) -> None:
    """An event that waited for its endpoint goes after its successors have gone."""
    first, second = events(account, 2, created_at=clock.now() - timedelta(days=31))
    waiting = DeliveryFactory(
        endpoint=EndpointFactory(account=account), event_id=first, event=None, event_type="x"
    )
    page(account)
    prune()
    assert EventFeed.objects.get().forgotten_event_id == second
    waiting.delete()
    prune()
    assert Event.objects.count() == 0
    assert EventFeed.objects.get().forgotten_event_id == second


def test_no_more_is_numbered_than_ends(account: Account) -> None:
    """Who reads that far numbers the rest."""
    quiet, another = AccountFactory(), AccountFactory()
    for owner, environment in ((account, "test"), (account, "live"), (quiet, "test"), (another, "test")):
        EventFeed.objects.create(account=owner, environment=environment)
    for number in (1, 2):
        events(account, id=f"evt_{number}", created_at=clock.now() - timedelta(days=31))
    events(account, id="evt_3")
    events(account, id="evt_4", environment="live")
    events(quiet, id="evt_5")
    events(another, id="evt_6", created_at=clock.now() - timedelta(days=31))
    events(another, id="evt_7")
    prune(batch=1)
    unplaced = Event.objects.filter(feed_position=None).values_list("pk", flat=True)
    assert sorted(unplaced) == ["evt_3", "evt_4", "evt_5", "evt_7"]
    assert EventFeed.objects.get(account=account, environment="test").forgotten_position == 2


def test_an_old_event_that_was_never_numbered_is_no_place_to_begin(account: Account) -> None:
    (old,) = events(account, created_at=clock.now() - timedelta(days=31))
    with pytest.raises(EventForgotten):
        page(account, after=old)


def test_one_that_is_exactly_30_days_old_is_a_place_to_begin_until_the_next_instant(
    account: Account, stopped_clock: Callable[..., None]
) -> None:
    slow, month = AccountFactory(), clock.now() - timedelta(days=30)
    [[old], [unread]] = (events(owner, created_at=month) for owner in (account, slow))
    (young,) = events(account)
    assert ids(page(account, after=old)) == [young]
    stopped_clock(microseconds=1)
    with pytest.raises(EventForgotten):
        page(slow, after=unread)


def test_what_is_exactly_30_days_old_is_not_numbered_yet(
    account: Account, stopped_clock: Callable[..., None]
) -> None:
    EventFeed.objects.create(account=account, environment="test")
    events(account, created_at=clock.now() - timedelta(days=30))
    prune()
    assert Event.objects.get().feed_position is None
    stopped_clock(microseconds=1)
    prune()
    assert EventFeed.objects.get().forgotten_position == 1


def test_a_feed_forgets_nothing_of_another(account: Account) -> None:
    start = page(account, environment="live").next_after
    events(account, created_at=clock.now() - timedelta(days=31))
    page(account)
    prune()
    assert page(account, environment="live", after=start).payloads == []
