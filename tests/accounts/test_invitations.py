"""Inviting, sending again, withdrawing; and what the link in the mail opens."""

import re
from datetime import timedelta

import pytest
from django.core import mail

from apps.accounts import invitations
from apps.accounts.actors import Actor, actor_of
from apps.accounts.invitations import (
    accept_as,
    accept_with_password,
    invitation_of,
    invite,
    resend_invitation,
    withdraw_invitation,
)
from apps.accounts.models import AccountAuditEntry, Invitation, Membership, User
from apps.common.errors import Conflict, InvalidRequest, NotFound
from tests.factories.accounts import AccountFactory, MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db

ADDRESS = "new@partner.example"


@pytest.fixture
def account():
    return AccountFactory(name="Aurora Travel")


@pytest.fixture
def owner(account) -> Actor:
    return actor_of(MembershipFactory(account=account, user__email="ana@partner.example").user)


@pytest.fixture
def invited(account, owner) -> Invitation:
    return invite(account=account, email=ADDRESS, role="developer", actor=owner)


def mailed_token() -> str:
    """What the last mail's link carries."""
    found = re.search(r"/account/invitation/(\S+)/", mail.outbox[-1].body)
    assert found is not None
    return found[1]


def test_an_address_is_invited_once_however_its_letters_are_written(invited, account, owner):
    """The KELVIN SIGN is a k in small letters, and no K in large ones."""
    invite(account=account, email="kim@partner.example", role="viewer", actor=owner)
    for alike in ("KIM@partner.example", "\N{KELVIN SIGN}im@partner.example"):
        with pytest.raises(InvalidRequest) as refused:
            invite(account=account, email=alike, role="viewer", actor=owner)
        assert "is invited already" in str(refused.value.extras["details"])
    assert account.invitations.count() == 2


def test_who_is_invited_gets_a_link_for_72_hours(invited):
    (message,) = mail.outbox
    assert (message.to, message.subject) == ([ADDRESS], "You are invited to Aurora Travel")
    assert "ana@partner.example invited you" in message.body
    assert invited.expires_at == invited.sent_at + timedelta(hours=72)
    assert f"It works once, for 72 hours, until {invited.expires_at:%d %b %Y, %H:%M} UTC:" in message.body
    assert invitation_of(mailed_token()) == invited


def test_a_new_person_joins_with_a_password_of_their_own(invited, account):
    user = accept_with_password(token=mailed_token(), password="a long and odd one", name="New Person")
    membership = Membership.objects.get(account=account, user=user)
    assert (user.email, user.get_full_name(), membership.role) == (ADDRESS, "New Person", "developer")
    assert user.check_password("a long and odd one")


def test_somebody_with_a_sign_in_joins_with_it(invited, account):
    user = UserFactory(email=ADDRESS.upper())
    assert accept_as(token=mailed_token(), user=user).role == "developer"


def test_somebody_else_cannot_use_the_link(invited, account):
    with pytest.raises(NotFound):
        accept_as(token=mailed_token(), user=UserFactory())
    assert account.memberships.count() == 1


@pytest.mark.parametrize("state", [{"password": "theirs"}, {"is_active": False}])
def test_the_link_changes_no_sign_in_that_stands(invited, state):
    person = UserFactory(email=ADDRESS, **state)
    before = person.password
    with pytest.raises(Conflict):
        accept_with_password(token=mailed_token(), password="a long and odd one")
    person.refresh_from_db()
    assert (person.password, person.memberships.count()) == (before, 0)


def test_somebody_who_was_added_without_a_password_chooses_one(invited):
    person = User.objects.create_user(ADDRESS)
    assert accept_with_password(token=mailed_token(), password="a long and odd one") == person


def test_a_link_works_once(invited):
    token = mailed_token()
    user = accept_with_password(token=token, password="a long and odd one")
    with pytest.raises(NotFound):
        accept_as(token=token, user=user)


def test_a_link_ends_after_72_hours(invited, move_clock):
    token = mailed_token()
    move_clock(hours=71, minutes=59)
    assert invitation_of(token) == invited
    move_clock(minutes=1)
    with pytest.raises(NotFound):
        accept_with_password(token=token, password="a long and odd one")


def test_a_link_that_was_mailed_keeps_the_time_that_it_was_told(account, owner, settings, move_clock):
    settings.INVITATION_HOURS = 7 * 24
    invitation = invite(account=account, email=ADDRESS, role="viewer", actor=owner)
    settings.INVITATION_HOURS = 1
    move_clock(days=6)
    assert invitation_of(mailed_token()) == invitation


def test_another_link_ends_the_one_before_and_brings_another_72_hours(invited, owner, move_clock):
    first = mailed_token()
    move_clock(days=8)
    resend_invitation(invitation=invited, actor=owner)
    with pytest.raises(NotFound):
        invitation_of(first)
    assert invitation_of(mailed_token()) == invited


def test_a_withdrawn_invitation_opens_nothing_and_is_sent_no_more(invited, owner):
    withdraw_invitation(invitation=invited, actor=owner)
    with pytest.raises(NotFound):
        invitation_of(mailed_token())
    with pytest.raises(Conflict):
        resend_invitation(invitation=invited, actor=owner)
    with pytest.raises(Conflict):
        withdraw_invitation(invitation=invited, actor=owner)


@pytest.mark.parametrize("token", ["", "x", "inv_1:1:x", "inv_1:1", "\x00", "é" * 50])
def test_a_forged_link_opens_nothing(invited, token):
    with pytest.raises(NotFound):
        invitation_of(token)


@pytest.mark.parametrize(
    ("email", "role", "field"),
    [
        ("", "viewer", "email"),
        ("ana", "viewer", "email"),
        ("a@b.example\nBcc: all@b.example", "viewer", "email"),
        ("x" * 250 + "@b.example", "viewer", "email"),
        ("new@partner.example", "boss", "role"),
        ("ANA@partner.example", "viewer", "email"),
    ],
)
def test_what_cannot_be_invited_is_named_and_nothing_is_mailed(account, owner, email, role, field):
    with pytest.raises(InvalidRequest) as refusal:
        invite(account=account, email=email, role=role, actor=owner)
    assert refusal.value.extras["details"][0]["field"] == field
    assert (mail.outbox, Invitation.objects.count()) == ([], 0)


def test_an_open_invitation_is_not_doubled_and_one_that_ran_out_is_renewed(
    invited, account, owner, move_clock
):
    with pytest.raises(InvalidRequest):
        invite(account=account, email=ADDRESS.upper(), role="viewer", actor=owner)
    move_clock(days=8)
    again = invite(account=account, email=ADDRESS, role="viewer", actor=owner)
    assert (again.pk, again.role, again.mails) == (invited.pk, "viewer", 2)


def test_whether_an_address_signs_in_elsewhere_makes_no_difference(account, owner):
    MembershipFactory(user=UserFactory(email="known@other.example"))
    for email in ("known@other.example", "unknown@other.example"):
        invite(account=account, email=email, role="viewer", actor=owner)
    known, unknown = (message.body.partition("/account/")[0] for message in mail.outbox)
    assert known == unknown


def test_an_account_cannot_be_used_to_mail_the_world(account, owner, monkeypatch, move_clock):
    monkeypatch.setattr(invitations, "MAX_A_DAY", 1)
    first = invite(account=account, email="a@x.example", role="viewer", actor=owner)
    with pytest.raises(Conflict):
        resend_invitation(invitation=first, actor=owner)
    withdraw_invitation(invitation=first, actor=owner)
    with pytest.raises(Conflict):
        invite(account=account, email="b@x.example", role="viewer", actor=owner)
    move_clock(days=1, seconds=1)
    invite(account=account, email="b@x.example", role="viewer", actor=owner)
    assert len(mail.outbox) == 2


def test_a_mail_that_fails_leaves_an_invitation_to_be_sent_again(account, owner, settings, caplog):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert invite(account=account, email=ADDRESS, role="viewer", actor=owner).pk
    assert "could not be sent" in caplog.text


def test_the_trail_tells_each_step(invited, owner, move_clock, account):
    move_clock(minutes=2)
    resend_invitation(invitation=invited, actor=owner)
    accept_with_password(token=mailed_token(), password="a long and odd one", address="198.51.100.7")
    other = invite(account=account, email="b@x.example", role="viewer", actor=owner)
    withdraw_invitation(invitation=other, actor=owner)
    entries = AccountAuditEntry.objects.order_by("created_at", "id")
    assert [(entry.action, entry.actor_label, entry.subject_name) for entry in entries] == [
        ("team.invited", "ana@partner.example", ADDRESS),
        ("team.invitation_resent", "ana@partner.example", ADDRESS),
        ("team.joined", ADDRESS, ADDRESS),
        ("team.invited", "ana@partner.example", "b@x.example"),
        ("team.invitation_withdrawn", "ana@partner.example", "b@x.example"),
    ]
    assert entries[2].address == "198.51.100.7"
