"""An order that its supplier says was never created is failed at once, not after the last look-up has found nothing."""

import json
import logging

from django.db.models import TextField
from django.db.models.functions import Cast

from apps.bookings.flow.lease import take_lease
from apps.bookings.flow.recover import find, wait
from apps.bookings.flow.settle import confirm, fail
from apps.bookings.handlers import Accepted
from apps.bookings.models import Operation, OperationKind, OperationState, Product
from apps.bookings.refusals import CREATION_FAILED
from apps.suppliers.errors import Unavailable

logger = logging.getLogger(__name__)


def believe_failed_creation(supplier: str, offer_id: str) -> None:
    """Fail the operation where a signed event says that the order of an offer failed, and a look-up finds none. Raises
    Unavailable to be called again.

    Where several of our operations wait for the same offer, the event may be about any of them: they are looked up as usual. An
    operation whose call is still under way waits, too; this is called again once the call has ended.
    """
    waiting = _waiting_for(supplier, offer_id)
    if len(waiting) == 1:
        _resolve(waiting[0])


def _waiting_for(supplier: str, offer_id: str) -> list[Operation]:
    return list(
        Operation.objects.select_related("booking")
        .filter(
            state__in=(OperationState.CALLING, OperationState.UNCERTAIN),
            kind=OperationKind.BOOK,
            booking__product=Product.FLIGHT,
            booking__supplier_name=supplier,
        )
        .annotate(asked=Cast("request", TextField()))
        .filter(asked__contains=json.dumps(offer_id))
    )


def _resolve(operation: Operation) -> None:
    if not take_lease(operation):
        raise Unavailable(f"{operation} is under way, or being looked up")
    try:
        order = find(operation, patiently=True)
    except Accepted:
        wait(operation)  # it is there, and has no tickets yet
        return
    if order is not None:
        confirm(operation, order)
        return
    logger.warning("%s: the supplier says that it failed", operation)
    fail(operation, failure=CREATION_FAILED)
