"""Bodies in and out, each by a serializer."""

from typing import Any

from rest_framework import serializers

from tests.bench.peer.models import Booking, Offer, Partner


class AccountAnswer(serializers.ModelSerializer[Partner]):
    availableCents = serializers.IntegerField(source="wallet.available_cents")

    class Meta:
        model = Partner
        fields = ["id", "name", "status", "currency", "availableCents"]


class Destination(serializers.Serializer[Any]):
    city = serializers.CharField(max_length=80, required=False)
    countryCode = serializers.CharField(max_length=2, required=False)


class RoomBody(serializers.Serializer[Any]):
    adults = serializers.IntegerField(min_value=1, max_value=6, default=2)
    childrenAges = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=17), default=list
    )


class SearchBody(serializers.Serializer[Any]):
    destination = Destination(required=False)
    checkIn = serializers.DateField(required=False)
    checkOut = serializers.DateField(required=False)
    rooms = RoomBody(many=True, required=False)
    limit = serializers.IntegerField(min_value=1, max_value=100, default=20)


class OfferAnswer(serializers.ModelSerializer[Offer]):
    rateId = serializers.UUIDField(source="id")
    hotelId = serializers.CharField(source="hotel_id")
    hotelName = serializers.CharField(source="hotel_name")
    countryCode = serializers.CharField(source="country_code")
    roomName = serializers.CharField(source="room_name")
    totalCents = serializers.IntegerField(source="total_cents")
    cancellationPolicy = serializers.JSONField(source="cancellation_policy")
    expiresAt = serializers.DateTimeField(source="expires_at")

    class Meta:
        model = Offer
        fields = [
            "rateId",
            "hotelId",
            "hotelName",
            "stars",
            "city",
            "countryCode",
            "roomName",
            "board",
            "refundable",
            "totalCents",
            "currency",
            "cancellationPolicy",
            "expiresAt",
        ]


class GuestBody(serializers.Serializer[Any]):
    firstName = serializers.CharField(max_length=80)
    lastName = serializers.CharField(max_length=80)
    type = serializers.ChoiceField(choices=["adult", "child"])


class ContactBody(serializers.Serializer[Any]):
    email = serializers.EmailField()
    phone = serializers.CharField(max_length=32)


class BookingBody(serializers.Serializer[Any]):
    rateId = serializers.UUIDField()
    guests = GuestBody(many=True, allow_empty=False)
    contact = ContactBody()
    externalReference = serializers.CharField(max_length=64, required=False, default="")


class BookingAnswer(serializers.ModelSerializer[Booking]):
    externalReference = serializers.CharField(source="external_reference")
    totalCents = serializers.IntegerField(source="total_cents")
    createdAt = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Booking
        fields = [
            "id",
            "reference",
            "externalReference",
            "status",
            "totalCents",
            "currency",
            "guests",
            "contact",
            "createdAt",
        ]
