"""The three operations, over a supplier in the process."""

import uuid
import zlib
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.utils import timezone
from rest_framework import exceptions, status
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tests.bench.peer.models import Booking, IdempotencyKey, Offer, Partner, Search, Wallet
from tests.bench.peer.serializers import AccountAnswer, BookingAnswer, BookingBody, OfferAnswer, SearchBody

BOARDS = ("Room only", "Breakfast", "Half board", "All inclusive")


def ready(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def partner_of(request: Request) -> Partner:
    return Partner.objects.select_related("wallet").get(user=request.user)


class Account(APIView):
    throttle_scope = "read"

    def get(self, request: Request) -> Response:
        return Response(AccountAnswer(partner_of(request)).data)


class HotelSearches(APIView):
    throttle_scope = "search"

    def post(self, request: Request) -> Response:
        body = SearchBody(data=request.data)
        body.is_valid(raise_exception=True)
        search = Search.objects.create(partner=partner_of(request), request=request.data)
        offers = Offer.objects.bulk_create(offers_of(search, body.validated_data))
        return Response({"id": search.pk, "offers": OfferAnswer(offers, many=True).data}, status=201)


class HotelBookings(APIView):
    throttle_scope = "booking"

    def post(self, request: Request) -> Response:
        body = BookingBody(data=request.data)
        body.is_valid(raise_exception=True)
        partner = partner_of(request)
        return once(
            request,
            partner,
            lambda: Response(BookingAnswer(book(partner, body.validated_data)).data, status=201),
        )


class InsufficientFunds(exceptions.APIException):
    status_code = status.HTTP_402_PAYMENT_REQUIRED


def once(request: Request, partner: Partner, answer: Callable[[], Response]) -> Response:
    """The answer, or the one that the same Idempotency-Key had before. The row is locked until the request's transaction ends."""
    key = request.headers["Idempotency-Key"]
    record, made = IdempotencyKey.objects.select_for_update().get_or_create(partner=partner, key=key)
    if not made:
        return Response(record.answer, status=record.status)
    found = answer()
    record.status, record.answer = found.status_code, found.data
    record.save()
    return found


def book(partner: Partner, wanted: Mapping[str, Any]) -> Booking:
    offer = get_object_or_404(
        Offer, pk=wanted["rateId"], search__partner=partner, expires_at__gt=timezone.now()
    )
    wallet = Wallet.objects.select_for_update().get(partner=partner)
    if wallet.available_cents < offer.total_cents:
        raise InsufficientFunds
    wallet.available_cents -= offer.total_cents
    wallet.save()
    return Booking.objects.create(
        partner=partner,
        offer=offer,
        reference=f"H-{uuid.uuid4().hex[:12]}",
        external_reference=wanted["externalReference"],
        status="confirmed",
        total_cents=offer.total_cents,
        currency=offer.currency,
        guests=wanted["guests"],
        contact=wanted["contact"],
    )


def offers_of(search: Search, wanted: Mapping[str, Any], minutes: int = 20) -> list[Offer]:
    """What the supplier has: as many offers as the search asks for."""
    city = wanted.get("destination", {}).get("city", "Lisbon")
    expires_at = timezone.now() + timedelta(minutes=minutes)
    prices = [8_000 + zlib.crc32(f"{city} {n}".encode()) % 20_000 for n in range(wanted["limit"])]
    return [
        Offer(
            search=search,
            hotel_id=f"htl_{number:05d}",
            hotel_name=f"Hotel {city} {number}",
            stars=3 + number % 3,
            city=city,
            country_code="PT",
            room_name="Double room with a view of the sea",
            board=BOARDS[number % len(BOARDS)],
            refundable=number % 2 == 0,
            total_cents=cents,
            currency="EUR",
            cancellation_policy=[{"from": "2026-12-01T00:00:00Z", "penaltyCents": cents // 2}],
            expires_at=expires_at,
        )
        for number, cents in enumerate(prices)
    ]


urlpatterns = [
    path("health/ready", ready),
    path("v1/account", Account.as_view()),
    path("v1/hotels/searches", HotelSearches.as_view()),
    path("v1/hotels/bookings", HotelBookings.as_view()),
]
