"""A booking: wallet, supplier, row; and the answer kept under the Idempotency-Key."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from rest_framework import exceptions, status
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from tests.bench.peer import supplier
from tests.bench.peer.models import Booking, IdempotencyKey, Offer, Partner, Wallet


class InsufficientFunds(exceptions.APIException):
    status_code = status.HTTP_402_PAYMENT_REQUIRED
    default_detail = "The wallet does not hold enough."


def once(request: Request, partner: Partner, answer: Callable[[], Response]) -> Response:
    """The answer, or the one that the same Idempotency-Key had before. The row is locked until the request's transaction ends."""
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        raise exceptions.ValidationError({"Idempotency-Key": "This header is required."})
    kept, made = IdempotencyKey.objects.select_for_update().get_or_create(partner=partner, key=key)
    if not made:
        return Response(kept.answer, status=kept.status)
    found = answer()
    kept.status, kept.answer = found.status_code, found.data
    kept.save()
    return found


def book(partner: Partner, asked: Mapping[str, Any]) -> Booking:
    """Raises NotFound for an offer that has expired, and InsufficientFunds."""
    offer = get_object_or_404(
        Offer, pk=asked["rateId"], search__partner=partner, expires_at__gt=timezone.now()
    )
    wallet = Wallet.objects.select_for_update().get(partner=partner)
    if wallet.available_cents < offer.total_cents:
        raise InsufficientFunds
    wallet.available_cents -= offer.total_cents
    wallet.save()
    return Booking.objects.create(
        partner=partner,
        offer=offer,
        reference=supplier.book(),
        external_reference=asked["externalReference"],
        status="confirmed",
        total_cents=offer.total_cents,
        currency=offer.currency,
        guests=asked["guests"],
        contact=asked["contact"],
    )
