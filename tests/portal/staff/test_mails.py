"""Mails to our own staff: chosen by each, sent to those who may see what they tell of."""

import pytest
from django.core import mail
from django.urls import reverse

from apps.accounts.live_approval import request_live_approval
from apps.accounts.models import StaffMailChoice
from tests.factories.accounts import AccountFactory
from tests.support.back_office import Desk, faults_of, told

pytestmark = pytest.mark.django_db
PAGE = "/admin/mails/"
BOTH = ["live_requests", "reviews"]


def chooses(desk: Desk, *kinds: str) -> Desk:
    assert told(desk.post(PAGE, {"kinds": kinds}, follow=True)) == [f"Saved. Mails go to {desk.user.email}."]
    return desk


def test_each_chooses_their_own() -> None:
    ann, bob = chooses(Desk(), "live_requests"), chooses(Desk(), *BOTH)
    chooses(ann)
    kept = dict(StaffMailChoice.objects.values_list("person", "kinds"))
    assert kept == {ann.user.pk: [], bob.user.pk: BOTH}
    page = bob.get(PAGE).content.decode()
    assert page.count("checked") == 2
    assert faults_of(bob, PAGE) == []
    assert bob.post(PAGE, {"kinds": ["everything"]}).status_code == 200
    assert StaffMailChoice.objects.get(person=bob.user).kinds == BOTH


def test_a_request_for_live_keys_is_mailed_to_those_who_chose_it(
    django_capture_on_commit_callbacks,
) -> None:
    reader = chooses(Desk("portal.view_livekeyrequest"), "live_requests")
    blind = chooses(Desk("accounts.view_account"), "live_requests")
    gone, silent = chooses(Desk(), "live_requests"), chooses(Desk(), "reviews")
    gone.user.is_active = False
    gone.user.save()
    account = AccountFactory(name="Aurora Travel")
    with django_capture_on_commit_callbacks(execute=True):
        request_live_approval(account=account, note="Flights for schools")
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == ([reader.user.email], "Aurora Travel asks for live keys")
    assert "Flights for schools" in letter.body
    assert reverse("admin:portal_livekeyrequest_change", args=[account.pk]) in letter.body
    assert {blind.user.email, gone.user.email, silent.user.email}.isdisjoint(letter.to)
