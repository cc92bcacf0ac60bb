"""The three operations, and a plain Django view."""

from django.http import HttpRequest, JsonResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tests.bench.peer import supplier
from tests.bench.peer.booking import book, once
from tests.bench.peer.models import Offer, Partner, Search
from tests.bench.peer.serializers import AccountAnswer, BookingAnswer, BookingBody, OfferAnswer, SearchBody


def plain(request: HttpRequest) -> JsonResponse:
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
        offers = Offer.objects.bulk_create(
            Offer(search=search, **found) for found in supplier.offers(body.validated_data)
        )
        return Response({"id": search.pk, "offers": OfferAnswer(offers, many=True).data}, status=201)


class HotelBookings(APIView):
    throttle_scope = "booking"

    def post(self, request: Request) -> Response:
        body = BookingBody(data=request.data)
        body.is_valid(raise_exception=True)
        partner = partner_of(request)

        def answer() -> Response:
            return Response(BookingAnswer(book(partner, body.validated_data)).data, status=201)

        return once(request, partner, answer)
