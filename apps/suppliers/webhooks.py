"""Webhooks that suppliers send us, at `POST /suppliers/<name>/webhooks`: verified, stored once, answered at once.

A webhook is only a hint that an object may have changed; the object is then read from its supplier, which is not asked here. The
polls find what no webhook reported.
"""

import logging
from dataclasses import asdict, astuple, fields, replace
from hashlib import sha256

from django.conf import settings
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt

from apps.common import errors
from apps.gateway.exceptions import error_response, from_exception
from apps.gateway.middleware import refuse_unreadable_length
from apps.suppliers.models import SupplierEvent
from apps.suppliers.vendors import Forged, Hint, Unreadable, Webhooks, vendors_of

logger = logging.getLogger(__name__)

hint_stored = Signal()  # sent once a new hint is committed. It may be lost: the sweep finds the hint.
LONGEST = 255  # characters of a column


def webhooks_of(supplier: str) -> Webhooks | None:
    """The declaration of a supplier's webhooks. None for a supplier that sends none, or does not serve this deployment's live
    keys.
    """
    for product, suppliers in settings.SUPPLIERS.items():
        vendor = vendors_of(product).get(supplier) if suppliers["live"] == supplier else None
        if vendor is not None and vendor.webhooks is not None:
            return vendor.webhooks
    return None


def store(supplier: str, hint: Hint) -> bool:
    """Store the hint. Returns False when it was stored before. Raises Unreadable for what no column can hold."""
    refuse_unstorable(hint)
    if len(hint.event_id) > LONGEST:
        hint = replace(hint, event_id=sha256(hint.event_id.encode()).hexdigest())
    stored = {**asdict(hint), "supplier": supplier}
    _, is_new = SupplierEvent.objects.get_or_create(
        supplier=supplier, event_id=stored.pop("event_id"), defaults=stored
    )
    return is_new


def hint_of(event: SupplierEvent) -> Hint:
    """The stored hint as its vendor gave it."""
    return Hint(**{field.name: getattr(event, field.name) for field in fields(Hint)})


def refuse_unstorable(hint: Hint) -> None:
    """JSON can carry what PostgreSQL's text cannot: half a surrogate pair, the character zero, numbers where text is due."""
    if not hint.event_id:
        raise Unreadable("the event has no id")
    for text in astuple(hint):
        if not isinstance(text, str) or "\0" in text:
            raise Unreadable("an id of the event is no text")
        text.encode()  # UnicodeEncodeError is a ValueError, too
    if max(map(len, astuple(replace(hint, event_id="")))) > LONGEST:
        raise Unreadable("an id of the event is too long")


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
    """The hint that the vendor's `verify` returns. Whatever breaks there is the sender's fault: 400."""
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
