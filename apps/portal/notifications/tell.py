"""The sweep that mails members what they chose: one mail for each trouble, and no other until it was over."""

import logging
from collections.abc import Iterable, Sequence
from itertools import groupby
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse

from apps.gateway.periodic import ITSELF, Tally
from apps.portal.models import NotificationChoice, ToldTrouble
from apps.portal.notifications.troubles import Trouble, troubles_of

logger = logging.getLogger(__name__)

BODY = """{text}

{page}

You get this mail because you chose it in the portal, under Notifications. It is sent once, and again only after this was over.
To choose anew: {choices}
"""
OF_ACCOUNT = frozenset({"production_access"})
"""Pages of the whole account: their addresses name no environment."""


def tell_troubles(*, tally: Tally) -> int:
    """Returns how many mails were sent. What fails for one account or member keeps no other from their mails."""
    choices = (
        NotificationChoice.objects.exclude(kinds=[])
        .filter(membership__user__is_active=True)
        .select_related("membership__account", "membership__user")
        .order_by("membership__account_id", "environment", "pk")
    )
    sent = 0
    for (account, environment), group in groupby(
        choices, key=lambda choice: (choice.membership.account, choice.environment)
    ):
        of_account = list(group)
        try:
            found = troubles_of(account, environment, {kind for each in of_account for kind in each.kinds})
        except Exception as error:
            logger.exception("What there is to tell of %s could not be read", account.pk)
            tally.failed(ITSELF, error)
            continue
        sent += sum(tell_member(choice, found, tally) for choice in of_account)
    return sent


def tell_member(choice: NotificationChoice, found: Sequence[Trouble], tally: Tally) -> int:
    try:
        return tell(choice, [each for each in found if each.concerns(choice)])
    except Exception as error:
        logger.exception("The member of choice %s could not be told", choice.pk)
        tally.failed(ITSELF, error)
        return 0


def tell(choice: NotificationChoice, troubles: Iterable[Trouble]) -> int:
    """Mails those that are new, and forgets those that are over."""
    told = {(each.kind, each.subject): each.pk for each in choice.told.all()}
    current = {(str(trouble.kind), trouble.subject): trouble for trouble in troubles}
    over = [pk for key, pk in told.items() if key not in current]
    ToldTrouble.objects.filter(pk__in=over).delete()
    return sum(tell_once(choice, trouble) for key, trouble in current.items() if key not in told)


def tell_once(choice: NotificationChoice, trouble: Trouble) -> bool:
    """Of two sweeps at once the one that writes the row sends the mail. If the mail server is away, the next one tries again."""
    row, is_new = ToldTrouble.objects.get_or_create(choice=choice, kind=trouble.kind, subject=trouble.subject)
    if not is_new:
        return False
    try:
        mail(choice, trouble)
    except SMTPRecipientsRefused:
        logger.warning("Nobody takes mail for the member of choice %s", choice.pk)  # nor will in a minute
    except Exception:
        row.delete()
        raise
    return True


def mail(choice: NotificationChoice, trouble: Trouble) -> None:
    account = " ".join(choice.membership.account.name.split())
    title = " ".join(trouble.title.split())
    body = BODY.format(
        text=trouble.text,
        page=address(trouble.page, choice.environment),
        choices=address("notifications", choice.environment),
    )
    subject = f"{account}, {choice.environment}: {title}"
    send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, [choice.membership.user.email])


def address(page: str, environment: str) -> str:
    named = {} if page in OF_ACCOUNT else {"environment": environment}
    return f"{settings.PUBLIC_BASE_URL}{reverse(f'portal:{page}', kwargs=named)}"
