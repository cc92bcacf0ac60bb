"""What our web server and the gateway tell each other of a call, in the WSGI environ. Under another server there is no ticket."""

from typing import Protocol

from django.http import HttpRequest

TICKET = "web.ticket"


class WebTicket(Protocol):
    """A call's place in the web server (`config.web.shares.Ticket`)."""

    address: str
    """Where the call comes from: the caller's, and not that of a proxy in front."""
    account: tuple[str, str] | None
    """(account id, environment) of the accepted key, as the gateway writes down."""
    unanswered: bool
    """The connection shall end without an answer."""


def ticket_of(request: HttpRequest) -> WebTicket | None:
    ticket: WebTicket | None = request.META.get(TICKET)
    return ticket
