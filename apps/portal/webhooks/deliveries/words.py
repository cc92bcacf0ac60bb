"""What became of several deliveries that were to be sent, in words."""

from django.contrib import messages
from django.http import HttpRequest

from apps.webhooks.services.send_now import Sent


def tell_what_was_sent(request: HttpRequest, sent: Sent) -> None:
    tell = messages.success if sent.due else messages.warning
    tell(request, in_words(sent))


def in_words(sent: Sent) -> str:
    said = {
        "{} sent now.": sent.due,
        "{} on the way already.": sent.under_way,
        "{} not sent: the endpoint is disabled.": sent.disabled,
        "{} not sent: it was sent too often.": sent.too_often,
        "{} not found.": sent.unknown,
    }
    return " ".join(sentence.format(count) for sentence, count in said.items() if count)
