from datetime import timedelta

import pytest

from apps.accounts.live_approval import approve_live, refuse_live
from apps.accounts.models import Account
from apps.common import clock
from apps.keys.services import revoke_key
from apps.portal.production_access import next_step, steps_of
from tests.factories.accounts import UserFactory
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db
PATH = "/portal/production-access/"


def test_an_owner_asks_and_says_what_for(portal):
    answer = portal.post(PATH, {"note": "City breaks for readers of a newspaper."}, follow=True)
    account = Account.objects.get(pk=portal.account.pk)
    assert account.live_request_note == "City breaks for readers of a newspaper."
    assert "We are looking at your request" in answer.content.decode()


def test_a_refusal_is_told_with_its_reason_until_one_asks_again(portal):
    portal.post(PATH, {"note": "First"})
    staff = UserFactory(is_staff=True)
    refuse_live(account=Account.objects.get(pk=portal.account.pk), refused_by=staff, reason="<No> licence")
    page = portal.get(PATH).content.decode()
    assert ("Your request was declined" in page, "“&lt;No&gt; licence”. Ask again" in page) == (True, True)
    assert ("You have not asked yet" in page, "<textarea" in page) == (False, True)
    asked_again = portal.post(PATH, {"note": "Second"}, follow=True).content.decode()
    assert "refused" not in asked_again


@pytest.mark.parametrize(
    ("days", "says", "form"),
    [
        (300, "300 days left", False),
        (31, "Ask for the renewal now", True),
        (-1, "Your approval has expired", True),
    ],
)
def test_what_is_left_of_an_approval_decides_whether_to_renew(portal, days, says, form):
    portal.account.live_approved_until = clock.now() + timedelta(days=days, hours=1)
    portal.account.save()
    text = portal.get(PATH).content.decode()
    assert (says in text, "<textarea" in text) == (True, form)


def test_a_lapse_leaves_existing_live_keys_working_and_says_so(portal):
    approve_live(account=portal.account, approved_by=None)
    issued_key(portal.account, environment="live")
    portal.account.live_approved_until = clock.now() - timedelta(days=1)
    portal.account.save()
    assert "Your 1 live key keeps working" in " ".join(portal.get(PATH).content.decode().split())


def test_the_way_to_live_goes_step_by_step(account):
    def undone() -> list[str]:
        return [
            step.name for step in steps_of(Account.objects.get(pk=account.pk), clock.now()) if not step.done
        ]

    everything = ["test_key", "first_call", "first_booking", "webhook", "approval", "live_key"]
    assert undone() == everything
    key, _ = issued_key(account)
    assert undone() == everything[1:]
    revoke_key(key=key)
    assert undone() == everything[1:], "What is done stays done"
    approve_live(account=account, approved_by=None)
    key, _ = issued_key(account, environment="live")
    revoke_key(key=key)
    assert undone() == everything[1:4]
    assert next_step(steps_of(account, clock.now())).name == "first_call"
