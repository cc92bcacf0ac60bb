"""The pages of recoveries: counting, starting, watching, stopping."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from apps.common import clock
from apps.portal.webhooks.recoveries import RecoverForm
from apps.webhooks.models import Endpoint, ItemState, Recovery
from apps.webhooks.services.advance_recoveries import advance_recoveries
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.portal.reading import text_of

pytestmark = pytest.mark.django_db
HOME = "/portal/test/webhooks/"
ALL = ["exhausted", "failed", "missed"]


@pytest.fixture
def endpoint(account) -> Endpoint:
    """Registered a week ago. In the last day one delivery was exhausted, one failed with 410, one event was missed."""
    endpoint = EndpointFactory(account=account, created_at=clock.now() - timedelta(days=7))
    at = clock.now() - timedelta(hours=2)
    for status in ("EXHAUSTED", "FAILED"):
        DeliveryFactory(
            endpoint=endpoint, status=status, next_attempt_at=None, completed_at=at, created_at=at
        )
    EventFactory(account=account, created_at=at)
    return endpoint


def asked(**changed: object) -> dict[str, object]:
    since = clock.now() - timedelta(hours=24)
    return {"since": f"{since:%Y-%m-%dT%H:%M}", "what": ALL, "per_minute": 60} | changed


def page_of(endpoint: Endpoint) -> str:
    return f"{HOME}{endpoint.pk}/recover/"


def started(portal, endpoint: Endpoint) -> tuple[Recovery, str]:
    answer = portal.post(page_of(endpoint), asked())
    recovery = Recovery.objects.get()
    assert answer["Location"] == f"{HOME}recoveries/{recovery.pk}/"
    return recovery, answer["Location"]


@pytest.mark.parametrize(
    ("since", "until", "from_", "to"),
    [
        ("2026-11-01T01:30", "2026-11-01T01:30", "05:30", "06:30"),  # the clocks were put back at two
        ("2026-11-01T02:30", "2026-11-01T03:00:30", "07:30", "08:00"),
    ],
)
def test_an_hour_that_the_clocks_repeat_begins_with_its_first_and_ends_with_its_second(
    endpoint, monkeypatch, since: str, until: str, from_: str, to: str
):
    """Enabling an endpoint leads here with the local time at which it was disabled."""
    monkeypatch.setattr(clock, "now_here", lambda: datetime(2026, 11, 3, tzinfo=UTC))
    with timezone.override("America/New_York"):
        form = RecoverForm(asked(since=since, until=until), endpoint=endpoint)
        assert form.errors == {}
    chosen = form.selection()
    assert chosen.until is not None
    assert (f"{chosen.since:%H:%M}", f"{chosen.until:%H:%M}") == (from_, to)


def test_it_counts_before_anything_is_sent(portal, endpoint):
    answer = portal.client.get(page_of(endpoint), asked())
    assert (answer.context["preview"].unsuccessful, answer.context["preview"].missed) == (2, 1)
    assert "Send 3 deliveries" in text_of(answer)
    assert not Recovery.objects.exists()
    assert "preview" not in portal.get(page_of(endpoint)).context


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        *(("since", value) for value in ("yesterday", "", "2999-01-01T00:00", "2001-01-01T00:00", "\x00")),
        ("since", "9999-12-31T23:59:59-23:00"),
        *(("until", value) for value in ("soon", "2001-01-01T00:00")),
        *(("per_minute", value) for value in ("0", "6001", "many", "9" * 40)),
        *(("what", value) for value in ([], ["everything"])),
        ("event_types", ["<script>"]),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(portal, endpoint, field, typed):
    answer = portal.post(page_of(endpoint), asked(**{field: typed}))
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [field])
    if "\x00" not in typed:
        assert portal.client.get(page_of(endpoint), asked(**{field: typed})).status_code == 200
    assert not Recovery.objects.exists()


def test_its_page_shows_how_far_it_is_and_looks_again_until_it_is_over(portal, endpoint):
    recovery, page = started(portal, endpoint)
    shown = portal.get(page)
    assert "0 of 3 are done" in text_of(shown)
    assert "One delivery is sent first." in text_of(shown)
    assert 'hx-trigger="every 3s"' in shown.content.decode()
    assert "is in progress" in text_of(portal.get(HOME))

    recovery.items.update(state=ItemState.DELIVERED)
    advance_recoveries()
    over = portal.get(page)
    assert "3 of 3 are done" in text_of(over)
    assert "hx-trigger" not in over.content.decode()


def test_it_is_stopped_and_resumed(portal, endpoint):
    recovery, page = started(portal, endpoint)
    portal.post(f"{page}stop/")
    recovery.refresh_from_db()
    assert recovery.status == "stopped"
    assert "Stopped by a member of your account." in text_of(portal.post(f"{page}stop/", follow=True))
    portal.post(f"{page}resume/")
    recovery.refresh_from_db()
    assert recovery.status == "canary"
    assert "This recovery is canary." in text_of(portal.post(f"{page}resume/", follow=True))
    assert portal.get(f"{page}stop/")["Location"] == page
