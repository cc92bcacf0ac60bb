"""The audit page: the sentences of the trail, and the filters."""

import re
from datetime import timedelta

import pytest

from apps.accounts.actors import AUTOMATIC, SUPPORT, Actor, actor_of
from apps.accounts.audit import Subject, record
from apps.accounts.live_approval import approve_live
from apps.accounts.models import AuditAction
from apps.accounts.terms import set_status
from apps.keys.services import change_allowed_ips, end_old_secrets, rename_key, rotate_key
from apps.portal.audit_sentences import GROUPS, SENTENCES
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db
PATH = "/portal/audit/"
CELL = re.compile(r'<td[^>]* data-label="[^"]*"><span><strong>(.*?)</span></td>', re.DOTALL)


def said(answer) -> list[str]:
    """The sentences on the page, without their markup."""
    cells = CELL.findall(answer.content.decode())
    return [" ".join(re.sub(r"<[^>]+>", "", cell).split()) for cell in cells]


def test_every_action_has_words_and_a_group():
    assert set(SENTENCES) == set(AuditAction)
    assert {action.value.partition(".")[0] for action in AuditAction} == set(GROUPS)


def test_what_was_done_is_said_in_plain_words(portal):
    account, ana = portal.account, actor_of(portal.user)
    key, _ = issued_key(account, name="Shop", actor=ana, scopes=["account:read"])
    rename_key(key=key, name="Web shop", actor=ana)
    change_allowed_ips(key=key, allowed_ips=["203.0.113.7"], actor=ana)
    rotate_key(key=key, overlap=timedelta(minutes=90), actor=ana)
    end_old_secrets(key=key, actor=ana)
    set_status(account=account, status="read-only", actor=AUTOMATIC)
    record(
        account=account,
        action=AuditAction.TERMS_CHANGED,
        actor=SUPPORT,
        details={"changes": {"rate_search": [None, 120]}},
    )
    record(
        account=account,
        action=AuditAction.ROLE_CHANGED,
        actor=Actor("ana@partner.example"),
        subject=Subject("member", "1", "ben@partner.example"),
        details={"before": "viewer", "after": "owner"},
    )
    assert said(portal.get(PATH))[::-1] == [
        f"{ana.label} created the key Shop with 1 scope, for every address",
        f"{ana.label} renamed the key Web shop, which was called “Shop”",
        f"{ana.label} changed the addresses of the key Web shop from every address to 203.0.113.7",
        f"{ana.label} rotated the key Web shop: the old secret got another 1 h",
        f"{ana.label} ended the old secret of the key Web shop, which had another 1 h",
        "Automatic changed the status of the account from active to read-only",
        "Support changed the account: searches a minute the default → 120",
        "ana@partner.example changed the role of ben@partner.example from viewer to owner",
    ]


def test_the_address_narrows_the_trail(portal):
    issued_key(portal.account, name="Shop", actor=actor_of(portal.user))
    approve_live(account=portal.account, approved_by=None)
    until = f"{portal.account.live_approved_until:%-d %b %Y}"
    approved = f"Support approved live keys until {until}"
    assert said(portal.get(PATH, action="access")) == [approved]
    assert said(portal.get(PATH, actor="support")) == [approved]
    assert len(said(portal.get(PATH, environment="test"))) == 1
    assert said(portal.get(PATH, until="2020-01-01")) == []
    assert len(said(portal.get(PATH, action="unheard of", since="soon"))) == 2


def test_pages_follow_each_other(portal):
    for number in range(60):
        record(
            account=portal.account,
            action=AuditAction.MEMBER_REMOVED,
            actor=SUPPORT,
            subject=Subject("member", str(number), f"person{number}"),
        )
    first = portal.get(PATH, actor="support")
    second = portal.get(PATH, actor="support", cursor=first.context["older"])
    assert (len(said(first)), len(said(second)), second.context["older"]) == (50, 10, None)
    assert said(first)[-1:] + said(second)[:1] == ["Support removed person10", "Support removed person9"]


def test_another_account_s_trail_is_not_shown(portal):
    record(account=AccountFactory(), action=AuditAction.ACCESS_REQUESTED, actor=SUPPORT)
    page = portal.get(PATH)
    assert (said(page), "Nothing yet" in page.content.decode()) == ([], True)
