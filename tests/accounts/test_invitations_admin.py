"""Staff invite the first owner of an account, who then sets a password of their own."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from apps.accounts.invitations import invite
from apps.accounts.models import Account, AccountAuditEntry, Invitation, User
from tests.factories.accounts import AccountFactory, MembershipFactory
from tests.support.back_office import Desk, faults_of, told

pytestmark = pytest.mark.django_db
ADDRESS = "ada@partner.example"
LIST = "/admin/accounts/invitation/"


@pytest.fixture
def account() -> Account:
    return AccountFactory(name="Aurora Travel")


def invite_page(account: Account) -> str:
    return f"/admin/accounts/account/{account.pk}/invite-owner/"


def errors_of(answer) -> dict[str, list[str]]:
    return {name: list(said) for name, said in answer.context["ways"][0].form.errors.items()}


def test_the_first_owner_is_invited_from_the_page_of_the_account(account, mailoutbox):
    desk = Desk()
    page = desk.get(f"/admin/accounts/account/{account.pk}/change/").content.decode()
    link = re.search(r'href="([^"]+/invite-owner/)">Invite an owner<', page)[1]
    assert desk.get(link).context["original"] == account

    answer = desk.decide(invite_page(account), "invite", email=f" {ADDRESS} ")

    assert told(answer) == [f"{ADDRESS} is invited as an owner. The link works for 72 hours."]
    [message] = mailoutbox
    assert (
        message.to,
        "Support invited you to Aurora Travel on Travel Partner API. Your role will be owner" in message.body,
    ) == (
        [ADDRESS],
        True,
    )
    assert desk.user.email not in message.body
    entry = AccountAuditEntry.objects.get(account=account)
    assert (entry.action, entry.actor_label, entry.actor) == ("team.invited", "Support", desk.user)
    assert (entry.subject_name, entry.details) == (ADDRESS, {"role": "owner"})
    assert [log.object_id for log in LogEntry.objects.all()] == [account.pk]


def test_the_link_leads_to_a_password_that_staff_do_not_know(account, mailoutbox):
    desk = Desk()
    desk.decide(invite_page(account), "invite", email=ADDRESS)
    link = re.search(r"https?://[^/]+(/account/invitation/\S+/)", mailoutbox[0].body)[1]
    shown = Client().get(link).content.decode()
    assert ("Support invited you" in shown, desk.user.email in shown) == (True, False)
    chosen = {"password1": "eleven violet tugboats", "password2": "eleven violet tugboats"}
    assert Client().post(link, chosen).status_code == 302
    membership = account.memberships.get()
    assert (membership.user.email, membership.role) == (ADDRESS, "owner")
    assert User.objects.get(email=ADDRESS).check_password(chosen["password1"])


@pytest.mark.parametrize(
    ("email", "says"),
    [
        ("", "This field is required."),
        ("grace", "Enter a valid email address."),
        ("a@b.example\r\nBcc: all@b.example", "Enter a valid email address."),
        ("grace\x00@b.example", "Null characters are not allowed."),
        ("x" * 300 + "@b.example", "Ensure this value has at most 254 characters (it has 310)."),
        ("BEN@partner.example", "This person is a member already."),
        ("eve@partner.example", "This person is invited already. The link can be sent again from the list of invitations."),
    ],
)  # fmt: skip
def test_who_cannot_be_invited_is_said_beside_the_field(account, mailoutbox, email, says):
    MembershipFactory(account=account, user__email="ben@partner.example")
    invite(account=account, email="eve@partner.example", role="viewer")
    mailoutbox.clear()
    answer = Desk().decide(invite_page(account), "invite", email=email)
    assert (answer.status_code, says in errors_of(answer)["email"]) == (200, True)
    assert (mailoutbox, Invitation.objects.count()) == ([], 1)


def test_looking_at_accounts_invites_nobody(account):
    desk = Desk("accounts.view_account")
    assert "invite-owner" not in desk.get(f"/admin/accounts/account/{account.pk}/change/").content.decode()
    assert desk.get(invite_page(account)).status_code == 403
    assert desk.post(invite_page(account), {"verdict": "invite", "invite-email": ADDRESS}).status_code == 403
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("account_id", ["acc_unknown", "9" * 400, "日本"])
def test_an_account_that_is_none_leads_back(account_id):
    assert Desk().get(f"/admin/accounts/account/{account_id}/invite-owner/").status_code == 302


def test_the_pages_open_and_obey_the_policy(account):
    invitation = invite(account=account, email=ADDRESS, role="owner")
    pages = [invite_page(account), LIST, f"{LIST}?q={account.pk}", f"{LIST}{invitation.pk}/change/"]
    assert [fault for page in pages for fault in faults_of(Desk(), page)] == []


def test_a_link_is_sent_again_and_taken_back(account, mailoutbox):
    invitation, desk = invite(account=account, email=ADDRESS, role="owner"), Desk()
    page = f"{LIST}{invitation.pk}/change/"
    assert told(desk.decide(page, "resend")) == ["A link was sent less than a minute ago."]

    withdrawn = desk.decide(page, "withdraw")

    assert withdrawn.redirect_chain == [(LIST, 302)]
    invitation.refresh_from_db()
    assert invitation.withdrawn_at is not None
    assert AccountAuditEntry.objects.latest("id").action == "team.invitation_withdrawn"


def test_looking_at_invitations_decides_nothing(account):
    invitation = invite(account=account, email=ADDRESS, role="owner")
    desk = Desk("accounts.view_invitation")
    desk.decide(f"{LIST}{invitation.pk}/change/", "withdraw")
    invitation.refresh_from_db()
    assert invitation.withdrawn_at is None
