"""The sweep that tells members by mail, and the account's chat, what was chosen: each trouble once, until it was over."""

import logging
import time
from collections.abc import Sequence
from itertools import groupby

from django.db.models import F, Q

from apps.common import clock
from apps.gateway.periodic import ITSELF, Tally
from apps.portal.models import NotificationChoice, ToldTrouble
from apps.portal.notifications import letters
from apps.portal.notifications.troubles import Trouble, troubles_of

logger = logging.getLogger(__name__)

MAX_TRIES = 5
"""One by each sweep."""
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
            letters.mail(choice.membership, trouble, choice.environment)
        else:
            letters.write_to_chat(choice, trouble)
    except Exception as error:  # the mail server's, the chat's: the next sweep tries again
        logger.warning("A notification for choice %s was not taken: %s", choice.pk, error)
        return False
    return bool(rows.update(told_at=clock.now()))
