"""Sends notifications: what was chosen, by mail to members and as text to the account's chat, each once until it was over."""

import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from urllib.parse import urlsplit

import orjson
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce
from django.urls import reverse

from apps.accounts import audit
from apps.accounts.actors import Actor
from apps.accounts.members import lock_own
from apps.accounts.models import Account, AuditAction, Membership
from apps.bookings.models import Operation, OperationState
from apps.common import clock
from apps.common.encryption import encrypt
from apps.common.errors import InvalidRequest, cut
from apps.gateway.periodic import ITSELF, Tally
from apps.ledger.models import Wallet
from apps.ledger.months import last_closed
from apps.portal.bookings.awaiting import accounts_awaiting
from apps.portal.models import ON_BY_DEFAULT, NotificationChoice, ToldTrouble
from apps.portal.notifications.low_balance import REPORTED
from apps.portal.notifications.troubles import Kind, Trouble, troubles_of
from apps.webhooks.sender import complete_headers, sender
from apps.webhooks.services.endpoints import refusal_of_url


@transaction.atomic
def choose(
    *, membership: Membership, environment: str, kinds: Sequence[str], balance_below_cents: int | None
) -> None:
    """What was reported already is not reported again, unless its kind was chosen again or the amount changed.

    Raises PermissionDenied for a member who has just been removed.
    """
    choice = _locked_choice(membership, environment)
    _apply(choice, kinds, balance_below_cents)
    choice.switched_off = []
    choice.switched_off = sorted(choice.wanted - set(kinds))
    choice.save(update_fields=["switched_off"])


@transaction.atomic
def choose_also(*, membership: Membership, environment: str, kinds: Sequence[str]) -> None:
    """Add these to what the member chose. Raises PermissionDenied as `choose` does."""
    choice = _locked_choice(membership, environment)
    _apply(choice, list(dict.fromkeys([*choice.kinds, *kinds])), choice.balance_below_cents)


def choice_of(membership: Membership, environment: str) -> NotificationChoice:
    """One that is not saved where the member has never chosen."""
    named = {"membership": membership, "environment": environment}
    return NotificationChoice.objects.filter(**named).first() or NotificationChoice(**named)


def _locked_choice(membership: Membership, environment: str) -> NotificationChoice:
    lock_own(membership)
    choice, _ = NotificationChoice.objects.select_for_update().get_or_create(
        membership=membership, environment=environment, defaults={"account_id": membership.account_id}
    )
    return choice


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
    """Does nothing without one."""
    choice = chat_of(account, environment, lock=True)
    if choice is not None:
        _record(choice, AuditAction.CHAT_REMOVED, actor)
        choice.delete()


def chat_of(account: Account, environment: str, *, lock: bool = False) -> NotificationChoice | None:
    chats = NotificationChoice.objects.filter(account=account, environment=environment, membership=None)
    return (chats.select_for_update() if lock else chats).first()


def _apply(choice: NotificationChoice, kinds: Sequence[str], balance_below_cents: int | None) -> None:
    kept = set(kinds) & choice.wanted
    added = set(kinds) - kept
    if choice.balance_below_cents != balance_below_cents:
        kept.discard(Kind.LOW_BALANCE)
    ToldTrouble.objects.filter(choice=choice).exclude(kind__in=kept).delete()
    choice.kinds, choice.balance_below_cents = list(kinds), balance_below_cents
    if added:
        choice.changed_at = clock.now()
    choice.save()
    if Kind.STATEMENT in added:
        # Who chooses it now gets the next month's.
        month = last_closed(choice.changed_at).name
        ToldTrouble.objects.update_or_create(
            choice=choice, kind=Kind.STATEMENT, subject=month, defaults={"told_at": choice.changed_at}
        )


def _record(choice: NotificationChoice, action: AuditAction, actor: Actor) -> None:
    subject = audit.Subject("chat", str(choice.pk), urlsplit(choice.chat_url).hostname or "")
    audit.record(
        account=choice.account, environment=choice.environment, action=action, actor=actor, subject=subject
    )


BODY = """{text}

{page}

{again} Which mails you get is your choice in the portal, under Notifications:
{choices}
"""
LONGEST_SUBJECT, LEAST_NAME = 70, 12
OF_ACCOUNT = frozenset({"production_access"})
"""Pages of the whole account: their addresses name no environment."""
CHAT_SECONDS = 5.0


class NotTaken(Exception):
    """The chat did not accept a message; the text says why."""


def heading(name: str, environment: str, trouble: Trouble) -> str:
    """In one line, whatever the names in it are."""
    return " ".join(f"{name}, {environment}: {trouble.title}".split())


def subject_of(name: str, environment: str, trouble: Trouble) -> str:
    """The heading, short enough for a list of mails: the account's name gives way first."""
    excess = len(heading(name, environment, trouble)) - LONGEST_SUBJECT
    shown = cut(name, max(LEAST_NAME, len(name) - excess)) if excess > 0 else name
    return cut(heading(shown, environment, trouble), LONGEST_SUBJECT)


def mail(membership: Membership, choice: NotificationChoice, trouble: Trouble, row: ToldTrouble) -> None:
    """Raises what the mail server's client raises.

    Each attempt has the same Message-ID: many mailboxes show a mail once that a dying process sent and could not record.
    """
    environment = choice.environment
    body = BODY.format(
        text=trouble.words(choice),
        page=address(trouble.page, environment, **trouble.named),
        again=trouble.again,
        choices=address("notifications", environment),
    )
    host = urlsplit(settings.PUBLIC_BASE_URL).hostname or "localhost"
    EmailMessage(
        subject_of(choice.account.name, environment, trouble),
        body,
        settings.DEFAULT_FROM_EMAIL,
        [membership.user.email],
        headers={"Message-ID": f"<notification-{row.pk}@{host}>"},
    ).send()


def write_to_chat(choice: NotificationChoice, trouble: Trouble) -> None:
    """POST `{"text": …}`: some chats reject any other field. Raises NotTaken. The result is kept for the page."""
    page = address(trouble.page, choice.environment, **trouble.named)
    text = f"{heading(choice.account.name, choice.environment, trouble)}\n{trouble.words(choice)}\n{page}"
    body = orjson.dumps({"text": text})
    answer = sender().post(
        choice.chat_url, headers=complete_headers({}, body), body=body, seconds=CHAT_SECONDS
    )
    said = answer.cause.words if answer.cause else ""
    NotificationChoice.objects.filter(pk=choice.pk).update(chat_error=said)
    if said:
        raise NotTaken(said)


def address(page: str, environment: str, **named: str) -> str:
    if page not in OF_ACCOUNT:
        named["environment"] = environment
    return f"{settings.PUBLIC_BASE_URL}{reverse(f'portal:{page}', kwargs=named)}"


logger = logging.getLogger(__name__)

MAX_TRIES = 5
RUN_SECONDS = 45.0
"""After it nothing more is sent: the next sweep continues. Chats that hang delay no other sweep for longer."""
PATIENCE = timedelta(minutes=5)
"""An attempt that has not ended for so long has died. Until then no other sweep repeats it."""


def tell_troubles(*, tally: Tally) -> int:
    """Returns how many messages were taken. What fails for one keeps no other from theirs; mails go before chats."""
    try:
        add_choices()
    except Exception as error:
        logger.exception("Members could not be given their choices")
        tally.failed(ITSELF, error)
    is_low = Wallet.objects.filter(REPORTED, environment=OuterRef("environment")).filter(
        Q(account=OuterRef("account")) | Q(account__sandbox_of=OuterRef("account"))
    )
    awaits = Operation.objects.filter(
        state=OperationState.AWAITING, booking__environment=OuterRef("environment")
    ).filter(Q(booking__account=OuterRef("account")) | Q(booking__account__sandbox_of=OuterRef("account")))
    has_told = ToldTrouble.objects.filter(choice=OuterRef("pk"))
    choices = (
        NotificationChoice.objects.filter(~Q(kinds=[]) | Exists(has_told) | Exists(is_low) | Exists(awaits))
        .filter(Q(membership=None) | Q(membership__user__is_active=True))
        .select_related("account", "membership__user")
        .order_by("account_id", "environment", F("membership_id").asc(nulls_last=True))
    )
    due: list[tuple[NotificationChoice, Trouble, ToldTrouble]] = []
    for (account, environment), group in groupby(choices, key=lambda each: (each.account, each.environment)):
        of_account = list(group)
        try:
            found = troubles_of(account, environment, {kind for each in of_account for kind in each.wanted})
            for choice in of_account:
                due += noted(choice, [each for each in found if each.concerns(choice)])
        except Exception as error:
            logger.exception("The notifications of %s could not be read", account.pk)
            tally.failed(ITSELF, error)
    until = time.monotonic() + RUN_SECONDS
    due.sort(key=lambda each: each[0].membership_id is None)
    return sum(tell(*each) for each in due if time.monotonic() < until)


@transaction.atomic
def add_choices() -> None:
    """Some kinds are on by default. What was reported is stored with a choice: members get one with the first such problem."""
    low = Wallet.objects.filter(REPORTED).values_list(
        Coalesce("account__sandbox_of", "account"), "environment"
    )
    for kind, places in ((Kind.LOW_BALANCE, low), (Kind.APPROVAL, accounts_awaiting())):
        add_choices_of(kind, set(places))


def add_choices_of(kind: Kind, found: set[tuple[str, str]]) -> None:
    roles = [role for role, kinds in ON_BY_DEFAULT.items() if kind in kinds]
    for environment, places in groupby(sorted(found, key=_environment_of), key=_environment_of):
        members = Membership.objects.filter(
            account__in=[account for account, _ in places], role__in=roles, user__is_active=True
        )
        chosen = NotificationChoice.objects.filter(environment=environment, membership=OuterRef("pk"))
        NotificationChoice.objects.bulk_create(
            [
                NotificationChoice(membership=member, environment=environment, account_id=member.account_id)
                for member in members.filter(~Exists(chosen)).select_for_update(no_key=True, of=("self",))
            ],
            ignore_conflicts=True,
        )


def _environment_of(place: tuple[str, str]) -> str:
    return place[1]


def noted(
    choice: NotificationChoice, troubles: Sequence[Trouble]
) -> list[tuple[NotificationChoice, Trouble, ToldTrouble]]:
    """Forgets what is over, and returns what is to be reported."""
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
    """Whether it was taken. Of two sweeps at once the one that counts the attempt makes it; another follows once that has
    ended.
    """
    rows, now = ToldTrouble.objects.filter(pk=row.pk), clock.now()
    resting = Q(tried_at=None) | Q(tried_at__lt=now - PATIENCE)
    if not rows.filter(resting, told_at=None, tries=row.tries).update(tries=row.tries + 1, tried_at=now):
        return False
    try:
        if choice.membership is not None:
            mail(choice.membership, choice, trouble, row)
        else:
            write_to_chat(choice, trouble)
    except Exception as error:  # the mail server's, the chat's: the next sweep tries again
        logger.warning("A notification for choice %s was not taken: %s", choice.pk, error)
        rows.update(tried_at=None)
        return False
    return bool(rows.update(told_at=clock.now(), tried_at=None))
