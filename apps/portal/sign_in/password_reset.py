"""Ordering a link to a new password. The worker mails it, so that the answer does not reveal which addresses are known."""

import logging

from django.http import HttpRequest

from apps.gateway.client_ip import client_address
from apps.portal.tasks import mail_reset_link

logger = logging.getLogger(__name__)


class BrokerUnavailable(Exception):
    """The broker takes no task now. The answer is the same for known and unknown addresses."""


def request_link(request: HttpRequest, email: str) -> None:
    """Queue the mail with the link. Raises BrokerUnavailable when there is no broker."""
    try:
        mail_reset_link.apply_async(args=[email, client_address(request)], retry=False, ignore_result=True)
    except Exception as failure:  # the broker's client raises many kinds
        logger.exception("No link to a new password could be ordered")
        raise BrokerUnavailable from failure
