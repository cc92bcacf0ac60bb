"""Bodies in and out, each by a serializer."""

from typing import Any

from rest_framework import serializers

from tests.bench.peer.models import Booking, Offer, Partner


class AccountAnswer(serializers.ModelSerializer[Partner]):
    available_cents = serializers.IntegerField(source="wallet.available_cents")

    class Meta:
        model = Partner
        exclude = ["user"]


class Destination(serializers.Serializer[Any]):
    city = serializers.CharField(max_length=80, required=False)
    countryCode = serializers.CharField(max_length=2, required=False)


class SearchBody(serializers.Serializer[Any]):
    destination = Destination(required=False)
    checkIn = serializers.DateField(required=False)
    checkOut = serializers.DateField(required=False)
    limit = serializers.IntegerField(min_value=1, max_value=100, default=20)


class OfferAnswer(serializers.ModelSerializer[Offer]):
    class Meta:
        model = Offer
        exclude = ["search"]


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
    class Meta:
        model = Booking
        exclude = ["partner", "offer"]
