from datetime import timedelta

import pytest

from apps.accounts.clocks import move_clock
from apps.accounts.models import AccountAuditEntry, Sandbox
from apps.common import clock
from tests.factories.webhooks import DeliveryFactory, EndpointFactory

pytestmark = pytest.mark.django_db
PATH = "/portal/test/sandbox/"


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_the_page_tells_the_time_and_has_the_buttons(portal):
    text = text_of(portal.get(PATH))
    assert "real time" in text
    for button in ("+20 min", "+24 h", "+32 h", "+30 days", "+365 days", "To midnight UTC"):
        assert button in text
    assert "This sandbox is" not in text


@pytest.mark.parametrize(
    ("step", "ahead"),
    [
        ("20min", timedelta(minutes=20)),
        ("24h", timedelta(hours=24)),
        ("32h", timedelta(hours=32)),
        ("30d", timedelta(days=30)),
        ("365d", timedelta(days=365)),
    ],
)
def test_a_button_moves_the_clock(portal, step, ahead):
    assert portal.post(PATH, {"advance": step}).status_code == 302
    assert Sandbox.objects.get().clock_offset == ahead


def test_the_button_to_midnight_leads_to_the_next_day_there(portal):
    move_clock(account_id=portal.account.pk, by=timedelta(days=5))
    before = clock.today(Sandbox.objects.get())
    portal.post(PATH, {"advance": "midnight"})
    there = clock.now(Sandbox.objects.get())
    assert there.date() == before + timedelta(days=1)
    assert (there.hour, there.minute) == (0, 0)


def test_who_moved_it_is_in_the_trail(portal):
    portal.post(PATH, {"advance": "24h"})
    entry = AccountAuditEntry.objects.get(action="sandbox.clock_moved")
    assert entry.actor_id == portal.user.pk
    trail = text_of(portal.get("/portal/audit/"))
    assert "moved the clock of the sandbox" in trail
    assert "by 1 day; it is 1 day ahead now" in trail


def test_every_page_of_the_environment_says_how_far_ahead_it_is(portal):
    move_clock(account_id=portal.account.pk, by=timedelta(days=3))
    assert "This sandbox is 3 days ahead." in text_of(portal.get(PATH))
    assert "This sandbox is 3 days ahead." in text_of(portal.get("/portal/test/webhooks/"))
    assert "3 days ahead; the times of calls are real ones" in text_of(portal.get("/portal/test/requests/"))
    assert "This sandbox is" not in text_of(portal.get("/portal/live/"))


def test_times_on_the_pages_are_those_of_the_sandbox(portal):
    move_clock(account_id=portal.account.pk, by=timedelta(days=3))
    endpoint = EndpointFactory(account=portal.account)
    there = clock.now(Sandbox.objects.get())
    delivery = DeliveryFactory(
        endpoint=endpoint,
        created_at=there,
        next_attempt_at=clock.now() + timedelta(hours=5),
        status="RETRYING",
    )
    text = text_of(portal.get("/portal/test/webhooks/deliveries/"))
    assert clock.rfc3339(delivery.next_attempt_shown_at) in text
    assert ("in 4 h" in text, "in 3 days" in text) == (True, False)


def test_a_clock_that_would_be_too_far_ahead_stays_and_says_why(portal):
    move_clock(account_id=portal.account.pk, by=timedelta(days=390))
    text = text_of(portal.post(PATH, {"advance": "30d"}, follow=True))
    assert "at most 400 days ahead of the real time" in text
    assert Sandbox.objects.get().clock_offset == timedelta(days=390)


def test_live_has_no_such_page(portal):
    assert portal.get("/portal/live/sandbox/").status_code == 404
    assert 'href="/portal/test/sandbox/"' not in portal.get("/portal/live/").content.decode()
    assert 'href="/portal/test/sandbox/"' in portal.get("/portal/test/").content.decode()


def test_an_unknown_step_is_not_found(portal):
    assert portal.post(PATH, {"advance": "-1"}).status_code == 404
    assert not Sandbox.objects.exists()


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("finance", 403), ("developer", 302)])
def test_owners_and_developers_move_it(portal_as, role, status):
    person = portal_as(role)
    assert person.get(PATH).status_code == 200
    assert person.post(PATH, {"advance": "24h"}).status_code == status
    assert ("+24 h" in text_of(person.get(PATH))) is (status == 302)
