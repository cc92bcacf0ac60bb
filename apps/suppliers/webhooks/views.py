"""POST /suppliers/<name>/webhooks: verify, store the hint, answer. No supplier is asked here."""

import logging

from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt

from apps.common import errors
from apps.gateway.envelope import error_response
from apps.gateway.middleware import from_exception, refuse_unreadable_length
from apps.suppliers.vendors import Webhooks
from apps.suppliers.webhooks.hints import Forged, Hint
from apps.suppliers.webhooks.registry import webhooks_of
from apps.suppliers.webhooks.signals import hint_stored
from apps.suppliers.webhooks.store import store

logger = logging.getLogger(__name__)


@csrf_exempt
def incoming(request: HttpRequest, supplier: str) -> HttpResponse:
    """200 for what is stored, now or before. HEAD answers 200 too, for suppliers that check whether the address exists."""
    try:
        webhooks = webhooks_of(supplier)
        if webhooks is None:
            raise errors.NotFound
        if request.method == "POST":
            take_in(supplier, webhooks, request)
        elif request.method != "HEAD":
            raise errors.MethodNotAllowed(headers={"Allow": "HEAD, POST"})
    except Exception as error:
        request_id: str = request.request_id  # type: ignore[attr-defined]
        return error_response(from_exception(error), request_id)
    return HttpResponse()


def take_in(supplier: str, webhooks: Webhooks, request: HttpRequest) -> None:
    """Raises the refusals: 413, 401 for a wrong signature, 400 for what cannot be read."""
    refuse_unreadable_length(request)
    try:
        hint = read(supplier, webhooks, request)
        is_new = hint is not None and store(supplier, hint)
    except Forged as error:
        logger.warning("a webhook that claims to be from %s is not signed by it", supplier)
        raise errors.InvalidApiKey("The signature is not valid.") from error
    except ValueError as error:
        raise errors.InvalidRequest("The event could not be read.") from error
    if is_new:
        logger.info("a hint from %s", supplier)
        hint_stored.send_robust(sender=None)


def read(supplier: str, webhooks: Webhooks, request: HttpRequest) -> Hint | None:
    """The hint that the vendor's `verify` returns. Whatever breaks there is answered as a fault of the sender: 400."""
    try:
        return webhooks.verify(request.headers, request.body)
    except (Forged, ValueError):
        raise
    except UnreadablePostError as error:
        raise errors.InvalidRequest("The body did not arrive whole.") from error
    except Exception as error:
        # Only its name: the message, and a traceback's last line, may quote the payload.
        logger.error("a webhook from %s broke its reader: %s", supplier, type(error).__name__)
        raise errors.InvalidRequest("The event could not be read.") from error
