"""Changes what a member is mailed, and what the account's chat is told."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import Account, AuditAction, Membership
from apps.accounts.services import audit
from apps.accounts.services.members import lock_own
from apps.common import clock
from apps.common.encryption import encrypt
from apps.common.errors import InvalidRequest
from apps.portal.models import NotificationChoice, ToldTrouble
from apps.portal.notifications.kinds import Kind
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
