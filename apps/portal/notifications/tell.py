"""Sends notifications: what was chosen, by mail to members and as text to the account's chat, each once until it was over."""

import logging
import time
from collections.abc import Sequence
from itertools import groupby
from urllib.parse import urlsplit

import orjson
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse

from apps.accounts import audit
from apps.accounts.actors import Actor
from apps.accounts.members import lock_own
from apps.accounts.models import Account, AuditAction, Membership
from apps.common import clock
from apps.common.encryption import encrypt
from apps.common.errors import InvalidRequest
from apps.gateway.periodic import ITSELF, Tally
from apps.portal.models import NotificationChoice, ToldTrouble
from apps.portal.notifications.troubles import Kind, Trouble, troubles_of
from apps.webhooks.sender import complete_headers, sender
from apps.webhooks.services.endpoints import refusal_of_url


@transaction.atomic
def choose(
    *, membership: Membership, environment: str, kinds: Sequence[str], balance_below_cents: int | None
) -> None:
    """What was told already is not told again, unless its kind was chosen anew or the amount changed.

    Raises PermissionDenied for a member who has just been removed.
    """
    lock_own(membership)
    choice, _ = NotificationChoice.objects.select_for_update().get_or_create(
        membership=membership, environment=environment, defaults={"account_id": membership.account_id}
    )
    _apply(choice, kinds, balance_below_cents)


@transaction.atomic
def set_chat(
    *,
    account: Account,
    environment: str,
    url: str,
    kinds: Sequence[str],
    balance_below_cents: int | None,
    actor: Actor,
) -> None:
    """Notify the chat with this incoming webhook; an empty `url` keeps the stored one.

    Raises InvalidRequest where there is no address, and for one that nothing may be sent to.
    """
    # The account's row is the lock under which the first chat is connected, so that two members do not both connect one.
    Account.objects.select_for_update(no_key=True).only("id").get(pk=account.pk)
    choice = chat_of(account, environment, lock=True)
    if choice is None and not url:
        raise InvalidRequest.field("url", "Give the address of the chat's incoming webhook.")
    if url and (refusal := refusal_of_url(url)):
        raise InvalidRequest.field("url", f"The address {refusal}.")
    if choice is None:
        choice = NotificationChoice(account=account, environment=environment)
    if url:
        choice.chat_url_encrypted, choice.chat_error = encrypt(url), ""
        choice.save()
        ToldTrouble.objects.filter(choice=choice).delete()
        _record(choice, AuditAction.CHAT_SET, actor)
    _apply(choice, kinds, balance_below_cents)


@transaction.atomic
def remove_chat(*, account: Account, environment: str, actor: Actor) -> None:
    """Nothing happens where there is none."""
    choice = chat_of(account, environment, lock=True)
    if choice is not None:
        _record(choice, AuditAction.CHAT_REMOVED, actor)
        choice.delete()


def chat_of(account: Account, environment: str, *, lock: bool = False) -> NotificationChoice | None:
    chats = NotificationChoice.objects.filter(account=account, environment=environment, membership=None)
    return (chats.select_for_update() if lock else chats).first()


def _apply(choice: NotificationChoice, kinds: Sequence[str], balance_below_cents: int | None) -> None:
    kept = set(kinds) & set(choice.kinds)
    if choice.balance_below_cents != balance_below_cents:
        kept.discard(Kind.LOW_BALANCE)
    ToldTrouble.objects.filter(choice=choice).exclude(kind__in=kept).delete()
    choice.kinds, choice.balance_below_cents, choice.changed_at = (
        list(kinds),
        balance_below_cents,
        clock.now(),
    )
    choice.save()


def _record(choice: NotificationChoice, action: AuditAction, actor: Actor) -> None:
    subject = audit.Subject("chat", str(choice.pk), urlsplit(choice.chat_url).hostname or "")
    audit.record(
        account=choice.account, environment=choice.environment, action=action, actor=actor, subject=subject
    )


BODY = """{text}

{page}

You get this mail because you chose it in the portal, under Notifications. It is sent once, and again only if it comes back.
To change your choice: {choices}
"""
OF_ACCOUNT = frozenset({"production_access"})
"""Pages of the whole account: their addresses name no environment."""
CHAT_SECONDS = 5.0


class NotTaken(Exception):
    """The chat did not accept a message; the text says why."""


def heading(account: Account, environment: str, trouble: Trouble) -> str:
    """In one line, whatever the names in it are."""
    return " ".join(f"{account.name}, {environment}: {trouble.title}".split())


def mail(membership: Membership, trouble: Trouble, environment: str) -> None:
    """Raises what the mail server's client raises."""
    body = BODY.format(
        text=trouble.text,
        page=address(trouble.page, environment),
        choices=address("notifications", environment),
    )
    subject = heading(membership.account, environment, trouble)
    send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, [membership.user.email])


def write_to_chat(choice: NotificationChoice, trouble: Trouble) -> None:
    """POST `{"text": …}`: some chats reject any other field. Raises NotTaken. The result is kept for the page."""
    text = f"{heading(choice.account, choice.environment, trouble)}\n{trouble.text}\n{address(trouble.page, choice.environment)}"
    body = orjson.dumps({"text": text})
    answer = sender().post(
        choice.chat_url, headers=complete_headers({}, body), body=body, seconds=CHAT_SECONDS
    )
    said = answer.cause.words if answer.cause else ""
    NotificationChoice.objects.filter(pk=choice.pk).update(chat_error=said)
    if said:
        raise NotTaken(said)


def address(page: str, environment: str) -> str:
    named = {} if page in OF_ACCOUNT else {"environment": environment}
    return f"{settings.PUBLIC_BASE_URL}{reverse(f'portal:{page}', kwargs=named)}"


logger = logging.getLogger(__name__)

MAX_TRIES = 5
RUN_SECONDS = 45.0
"""After it nothing more is sent: the next sweep goes on. Chats that hang delay no other sweep for longer."""


def tell_troubles(*, tally: Tally) -> int:
    """Returns how many messages were taken. What fails for one keeps no other from theirs; mails go before chats."""
    choices = (
        NotificationChoice.objects.exclude(kinds=[])
        .filter(Q(membership=None) | Q(membership__user__is_active=True))
        .select_related("account", "membership__user")
        .order_by("account_id", "environment", F("membership_id").asc(nulls_last=True))
    )
    due: list[tuple[NotificationChoice, Trouble, ToldTrouble]] = []
    for (account, environment), group in groupby(choices, key=lambda each: (each.account, each.environment)):
        of_account = list(group)
        try:
            found = troubles_of(account, environment, {kind for each in of_account for kind in each.kinds})
            for choice in of_account:
                due += noted(choice, [each for each in found if each.concerns(choice)])
        except Exception as error:
            logger.exception("What there is to tell of %s could not be read", account.pk)
            tally.failed(ITSELF, error)
    until = time.monotonic() + RUN_SECONDS
    due.sort(key=lambda each: each[0].membership_id is None)
    return sum(tell(*each) for each in due if time.monotonic() < until)


def noted(
    choice: NotificationChoice, troubles: Sequence[Trouble]
) -> list[tuple[NotificationChoice, Trouble, ToldTrouble]]:
    """Forgets what is over, and returns what is to be told."""
    current = {(str(trouble.kind), trouble.subject): trouble for trouble in troubles}
    rows = {(row.kind, row.subject): row for row in choice.told.all()}
    ToldTrouble.objects.filter(pk__in=[row.pk for key, row in rows.items() if key not in current]).delete()
    for kind, subject in current.keys() - rows.keys():
        row, _ = ToldTrouble.objects.get_or_create(choice=choice, kind=kind, subject=subject)
        rows[kind, subject] = row
    return [
        (choice, trouble, rows[key])
        for key, trouble in current.items()
        if rows[key].told_at is None and rows[key].tries < MAX_TRIES
    ]


def tell(choice: NotificationChoice, trouble: Trouble, row: ToldTrouble) -> bool:
    """Whether it was taken. Of two sweeps at once the one that counts the try makes it."""
    rows = ToldTrouble.objects.filter(pk=row.pk)
    if not rows.filter(told_at=None, tries=row.tries).update(tries=row.tries + 1):
        return False
    try:
        if choice.membership is not None:
            mail(choice.membership, trouble, choice.environment)
        else:
            write_to_chat(choice, trouble)
    except Exception as error:  # the mail server's, the chat's: the next sweep tries again
        logger.warning("A notification for choice %s was not taken: %s", choice.pk, error)
        return False
    return bool(rows.update(told_at=clock.now()))
