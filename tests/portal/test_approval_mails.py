"""The mails to owners and approvers about bookings that await approval."""

import re

import pytest
from django.core import mail

from apps.accounts.models import Role
from apps.gateway.periodic import Tally
from apps.portal.models import NotificationChoice, ToldTrouble
from apps.portal.notifications.tell import tell_troubles
from tests.contract.goods import Goods
from tests.factories.accounts import AccountFactory
from tests.portal.awaiting import page, price
from tests.portal.person import Person, member_of

pytestmark = pytest.mark.django_db


def mailed() -> list[tuple[str, str]]:
    """Whom the next sweep mails what."""
    mail.outbox.clear()
    tally = Tally()
    assert tell_troubles(tally=tally) == len(mail.outbox)
    assert tally.failures == {}
    return sorted((each.to[0], each.subject) for each in mail.outbox)


def test_owners_and_approvers_are_mailed_once_of_each_booking(portal, portal_as, account, limited, order):
    approver, others = portal_as(Role.APPROVER), [portal_as(Role.FINANCE), portal_as(Role.VIEWER)]
    member_of(AccountFactory(), Role.OWNER)
    subject = f"Aurora Travel, test: A booking awaits approval: {price(order)}"
    assert mailed() == sorted((person.user.email, subject) for person in (portal, approver))
    body = mail.outbox[0].body
    for shown in (order["reference"], "Junior desk", f"/portal/test/bookings/{order['id']}/", "UTC"):
        assert shown in body
    assert "Lovelace" not in body
    assert mailed() == []

    stay = Goods(limited).hotel_booking
    assert [address for address, _ in mailed()] == sorted([portal.user.email, approver.user.email])
    for each in (order, stay):
        portal.post(page(each, "decline/"), {})
    assert (mailed(), ToldTrouble.objects.count()) == ([], 0)
    assert not NotificationChoice.objects.filter(
        membership__in=[person.membership for person in others]
    ).exists()


def test_the_mail_is_switched_off_and_on_as_any_other(portal, portal_as, order):
    finance, settings = portal_as(Role.FINANCE), "/portal/test/notifications/"

    def is_on(person: Person) -> bool:
        box = re.search(r'<input[^>]*value="approval"[^>]*>', person.get(settings).content.decode())
        assert box is not None
        return "checked" in box[0]

    assert (is_on(portal), is_on(finance)) == (True, False)
    portal.post(settings, {"kinds": []})
    finance.post(settings, {"kinds": ["approval"]})
    assert (is_on(portal), is_on(finance)) == (False, True)
    assert [address for address, _ in mailed()] == [finance.user.email]
    portal.post(settings, {"kinds": ["approval", "keys"]})
    assert [address for address, _ in mailed()] == [portal.user.email]
    portal.post(settings, {"kinds": ["approval"]})
    assert mailed() == []


def test_who_becomes_an_approver_is_mailed_though_they_chose_before(portal, portal_as, order):
    person = portal_as(Role.VIEWER)
    person.post("/portal/test/notifications/", {"kinds": ["keys"]})
    person.membership.role = Role.APPROVER
    person.membership.save()
    assert person.user.email in [address for address, _ in mailed()]
