"""GET /v1/esim/orders/{id}/instructions: how to install the eSIM. The supplier is asked once a week for each
language, and its answer is stored."""

import logging
from datetime import timedelta

from apps.bookings.models import Booking
from apps.bookings.refusals import translated
from apps.common.errors import Conflict
from apps.common.languages import ENGLISH, best_of
from apps.esim.details import OrderDetails
from apps.esim.models import KeptInstructions, KeptTranslation
from apps.esim.suppliers.base import Instructions
from apps.esim.suppliers.registry import esim_supplier
from apps.gateway.requests import Caller
from apps.suppliers.errors import SupplierError
from apps.suppliers.values import from_json, to_json

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=7)


def read_instructions(*, caller: Caller, order: Booking, language: str | None = None) -> Instructions:
    """In English, or in the supplier's language that fits `language` best: the answer says in which one.

    Raises Conflict for an order without a profile; 502 and 503 where the supplier has never given them.
    """
    profile = OrderDetails.of(order).profile
    if profile is None:
        raise Conflict(f"The order is {order.status}: there is nothing to install.", ours=True)
    tag = ENGLISH if language is None else spoken(order, language)
    fault = caller.trigger.at_supplier()
    stored = kept(order, tag)
    if stored is not None and not fault and stored.read_at > order.now() - KEPT_FOR:
        return from_json(Instructions, stored.instructions)
    with translated():
        supplier = esim_supplier(order.environment, fault, named=order.supplier_name)
        try:
            instructions = supplier.instructions(order.supplier_reference, profile.iccid, tag)
        except SupplierError as error:
            if stored is None or fault:
                raise
            logger.warning("instructions of %s: older ones, for %r", order.reference, error)
            return from_json(Instructions, stored.instructions)
    keep(order, tag, instructions)
    return instructions


def spoken(order: Booking, language: str) -> str:
    with translated():
        return best_of(esim_supplier(order.environment, named=order.supplier_name).languages, language)


def kept(order: Booking, tag: str) -> KeptInstructions | KeptTranslation | None:
    if tag == ENGLISH:
        return KeptInstructions.objects.filter(pk=order.pk).first()
    return KeptTranslation.objects.filter(booking=order, language=tag).first()


def keep(order: Booking, tag: str, instructions: Instructions) -> None:
    defaults = {"instructions": to_json(instructions), "read_at": order.now()}
    if tag == ENGLISH:
        KeptInstructions.objects.update_or_create(booking=order, defaults=defaults)
    else:
        KeptTranslation.objects.update_or_create(booking=order, language=tag, defaults=defaults)
