"""What a notification says, and how it is sent: a mail, or a POST to a chat's incoming webhook."""

import orjson
from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse

from apps.accounts.models import Account, Membership
from apps.portal.models import NotificationChoice
from apps.portal.notifications.troubles import Trouble
from apps.webhooks.sender.client import complete_headers, sender

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
