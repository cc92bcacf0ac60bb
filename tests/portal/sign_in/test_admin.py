"""Second factors in the back office."""

import pytest
from allauth.mfa.models import Authenticator

from apps.accounts.models import AccountAuditEntry, User
from apps.portal.audit_sentences import sentences_of
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.portal.person import TOTP_SECRET, set_up_two_factor
from tests.support.back_office import Desk, faults_of

pytestmark = pytest.mark.django_db
LIST = "/admin/mfa/authenticator/"


def test_secrets_are_neither_shown_nor_edited() -> None:
    person = UserFactory()
    set_up_two_factor(person)
    one, desk = Authenticator.objects.get(user=person, type="totp"), Desk()
    page = f"{LIST}{one.pk}/change/"
    assert [fault for path in (LIST, page) for fault in faults_of(desk, path)] == []
    stored = str(one.data["secret"])
    shown = desk.get(page).content.decode()
    assert person.email in shown
    assert stored not in shown
    assert TOTP_SECRET not in shown
    assert desk.post(page, {"data": "{}"}).status_code == 403
    assert desk.get(f"{LIST}add/").status_code == 403


def test_who_lost_the_app_loses_the_recovery_codes_with_it() -> None:
    person, other = UserFactory(), UserFactory()
    for one in (person, other):
        set_up_two_factor(one)
    authenticator = Authenticator.objects.get(user=person, type="totp")
    Desk().post(f"{LIST}{authenticator.pk}/delete/", {"post": "yes"})
    assert not Authenticator.objects.filter(user=person).exists()
    assert Authenticator.objects.filter(user=other).count() == 2


def test_looking_is_not_removing() -> None:
    person = UserFactory()
    set_up_two_factor(person)
    authenticator = Authenticator.objects.get(user=person, type="totp")
    desk = Desk("mfa.view_authenticator")
    assert desk.post(f"{LIST}{authenticator.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Authenticator.objects.filter(user=person).count() == 2


@pytest.mark.parametrize("in_bulk", [False, True])
def test_only_a_superuser_removes_that_of_a_colleague(in_bulk: bool) -> None:
    """Whoever helps partners' people may not for that weaken the sign-in of our own."""
    person, colleague = UserFactory(), UserFactory(is_staff=True)  # who has it set up
    set_up_two_factor(person)

    def remove(desk: Desk, of: User) -> int:
        keys = list(Authenticator.objects.filter(user=of).values_list("pk", flat=True))
        if in_bulk:
            form = {"action": "delete_selected", "_selected_action": keys, "post": "yes"}
            return int(desk.post(LIST, form).status_code)
        return int(desk.post(f"{LIST}{keys[0]}/delete/", {"post": "yes"}).status_code)

    helper = Desk("mfa.view_authenticator", "mfa.delete_authenticator")
    assert remove(helper, colleague) == 403
    assert Authenticator.objects.filter(user=colleague).exists()
    assert [remove(helper, person), remove(Desk(), colleague)] == [302, 302]
    assert not Authenticator.objects.filter(user__in=[person, colleague]).exists()


@pytest.mark.parametrize("in_bulk", [False, True])
def test_the_person_and_their_accounts_are_told(
    mailoutbox, django_capture_on_commit_callbacks, in_bulk
) -> None:
    membership = MembershipFactory(user__email="ada@partner.example")
    set_up_two_factor(membership.user)
    both, desk = Authenticator.objects.filter(user=membership.user), Desk()
    with django_capture_on_commit_callbacks(execute=True):
        if in_bulk:
            desk.post(
                LIST,
                {"action": "delete_selected", "_selected_action": [each.pk for each in both], "post": "yes"},
            )
        else:
            desk.post(f"{LIST}{both[0].pk}/delete/", {"post": "yes"})
    assert [(message.subject, message.to) for message in mailoutbox] == [
        ("Your two-factor was removed", ["ada@partner.example"])
    ]
    [line] = sentences_of(AccountAuditEntry.objects.filter(account=membership.account))
    assert (line.who, line.verb, line.ending) == ("Support", "removed two-factor", " of ada@partner.example")
