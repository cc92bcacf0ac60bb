"""Transfer answers, as `presenters` builds them (contract §3, Transfers)."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import PriceAnswer, booking_answer, cancellation_steps, withheld
from apps.gateway import outputs
from apps.gateway.serializers import AnswerBody, page_of
from apps.transfers.details import FUNDS
from apps.transfers.serializers.bodies import PLACE_TYPES, VEHICLE_CLASSES


class VehicleAnswer(AnswerBody):
    """The vehicle that an offer is for."""

    description = serializers.CharField(help_text="The vehicle in the supplier's words.")
    maxPassengers = outputs.Whole(
        allow_null=True,
        logged=True,
        help_text="How many travellers it takes; `null` where the supplier does not say.",
    )
    maxBags = outputs.Whole(
        allow_null=True,
        logged=True,
        help_text="How many suitcases it takes; `null` where the supplier does not say.",
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            "class": outputs.OneOf(
                VEHICLE_CLASSES,
                logged=True,
                help_text="The class that the vehicle is sold as. `shuttle` is shared with other travellers.",
            ),
            **super().get_fields(),
        }


@extend_schema_serializer(component_name="TransferCancellationPolicyStep")
class PolicyStepAnswer(AnswerBody):
    """What cancelling costs from one instant on, until the next step begins."""

    amountCents = outputs.Cents(
        help_text="What cancelling costs from then on, until the next step begins.", logged=True
    )
    currency = outputs.Currency(logged=True, help_text="ISO 4217 code of `amountCents`: that of the price.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        begins = outputs.Instant(
            allow_null=True, help_text="When the step begins; `null`: with the booking.", logged=True
        )
        return {"from": begins, **super().get_fields()}


class WaitingTimeAnswer(AnswerBody):
    """How long one of the two waits at the pick-up before it counts as missed."""

    who = outputs.OneOf(
        ["driver", "customer"],
        help_text=(
            "`driver`: how long the driver waits for the travellers. `customer`: how long they "
            "wait for the driver before they call."
        ),
    )
    minutes = serializers.IntegerField(help_text="For how many minutes.")


class TransferOfferAnswer(PriceAnswer):
    """A drive at a price for the whole party."""

    quoteId = outputs.Id(
        logged=True, help_text="The offer's id, `quote_…`. Send it to order. It is valid until `expiresAt`."
    )
    vehicle = VehicleAnswer(logged=True, help_text="What drives.")
    durationMinutes = outputs.Whole(
        allow_null=True,
        logged=True,
        help_text="How long the drive takes, in minutes; `null` where the supplier does not say.",
    )
    cancellationPolicy = PolicyStepAnswer(
        many=True,
        logged=True,
        help_text=(
            "What cancelling costs and from when on, earliest step first. Before the first step it is free."
        ),
    )
    cancellationSteps = cancellation_steps("the order", "cancellationPolicy")
    remarks = serializers.ListField(
        child=serializers.CharField(),
        help_text="Terms that travellers have to be told, in the supplier's words. Empty: none.",
    )
    waitingTimes = WaitingTimeAnswer(
        many=True,
        help_text=(
            "How long driver and travellers wait for each other at the pick-up. Empty where the "
            "supplier does not say."
        ),
    )
    expiresAt = outputs.Instant(
        logged=True,
        help_text=(
            "Until when the offer can be ordered: for 20 minutes at most. From then on 410 `offer_expired`."
        ),
    )


@extend_schema_serializer(component_name="TransferSearchResponse")
class TransferSearchAnswer(AnswerBody):
    """The offers that a search found."""

    id = outputs.Id(logged=True, help_text="The search's id, `tsr_…`, for your records and for support.")
    createdAt = outputs.Instant(logged=True, help_text="When the search was answered first.")
    offers = TransferOfferAnswer(
        many=True, help_text="What is sold for this drive, `limit` at most. Empty: nothing was found."
    )
    withheld = withheld("offers")


class PlaceAnswer(AnswerBody):
    """One end of the drive, as it was searched for."""

    type = outputs.OneOf(PLACE_TYPES, logged=True, help_text="The kind of place, as it was searched for.")
    code = serializers.CharField(
        allow_null=True,
        help_text="The code that was searched for; `null` for a place named by its coordinates.",
    )
    name = serializers.CharField(
        allow_null=True, help_text="The name that was sent, or the airport's; `null` where neither is known."
    )
    address = serializers.CharField(
        allow_null=True, help_text="Street and number, as they were sent; `null` where they were not."
    )
    town = serializers.CharField(
        allow_null=True, help_text="The town that was sent, or the airport's; `null` where neither is known."
    )
    country = outputs.Country(
        allow_null=True,
        logged=True,
        help_text="The country that was sent, or the airport's; `null` where neither is known.",
    )
    zip = serializers.CharField(
        allow_null=True, help_text="The postal code that was sent; `null` where there was none."
    )
    latitude = serializers.FloatField(
        allow_null=True, help_text="In degrees, as it was sent, south negative; `null` where it was not."
    )
    longitude = serializers.FloatField(
        allow_null=True, help_text="In degrees, as it was sent, west negative; `null` where it was not."
    )


class TransferPassengersAnswer(AnswerBody):
    """Everybody who is driven, by kind."""

    adults = outputs.Whole(logged=True, help_text="How many grown-up travellers the price covers.")
    children = outputs.Whole(logged=True, help_text="How many children the price covers.")
    infants = outputs.Whole(logged=True, help_text="How many infants the price covers.")


class LeadPassengerAnswer(AnswerBody):
    """The traveller whom the driver meets."""

    firstName = serializers.CharField(help_text="Given name, as it was sent.")
    lastName = serializers.CharField(help_text="Family name, as it was sent.")
    email = serializers.CharField(help_text="Where the supplier writes to.")
    phone = serializers.CharField(help_text="Where the driver calls, in E.164.")


class SettlementAnswer(AnswerBody):
    """The order's money. Read the order again while `funds` is `still_held`: it is resolved within a minute."""

    funds = outputs.OneOf(
        FUNDS,
        help_text=(
            "`still_held`: will be captured. `captured`: paid. `released`: came back from the "
            "hold, because the order was cancelled before its capture or failed. `refunded`: came"
            " back after the capture."
        ),
    )
    amountCents = outputs.Cents(
        help_text="What is held, was paid, or came back, as `funds` says.", logged=True
    )
    currency = outputs.Currency(logged=True, help_text="ISO 4217 code of `amountCents`: that of the order.")
    resolvedAt = outputs.Instant(
        allow_null=True,
        logged=True,
        help_text="When the funds left the hold; `null` while they are `still_held`.",
    )


class PickupAnswer(AnswerBody):
    """Where and when the driver waits."""

    at = serializers.CharField(
        allow_null=True,
        help_text=(
            "When the driver is there, as the clocks at the place show it: `YYYY-MM-DDTHH:MM:SS`,"
            " without offset. `null`: the supplier tells it later."
        ),
    )
    instructions = serializers.CharField(
        help_text="Where the driver waits, in the supplier's words; an empty text: told later."
    )
    emergencyPhone = serializers.CharField(
        allow_null=True,
        help_text="The number to call when the driver cannot be found; `null` where there is none.",
    )


class OperatorAnswer(AnswerBody):
    """Who drives and who invoices. It belongs on the traveller's voucher."""

    name = serializers.CharField(help_text="The company that drives.")
    vatNumber = serializers.CharField(
        allow_null=True, help_text="Its VAT number; `null` where it is not told."
    )
    invoiceCompany = serializers.CharField(
        allow_null=True, help_text="The supplier's company that invoices; `null` where it is not told."
    )


class TransferOrderAnswer(booking_answer("pending", "confirmed", "cancelled", "failed")):  # type: ignore[misc]
    """A drive that was ordered, with its money and its driver."""

    orderId = outputs.Id(help_text="The same as `id`.", logged=True)
    quoteId = outputs.Id(logged=True, help_text="The offer that was ordered, `quote_…`.")
    settlement = SettlementAnswer(logged=True, help_text="What became of the money that was set aside.")
    to = PlaceAnswer(logged=True, help_text="Where they are driven, as it was searched for.")
    outbound = outputs.LocalDateTime(
        help_text="The time that was searched for, as the clocks at the place show it:", logged=True
    )
    passengers = TransferPassengersAnswer(logged=True, help_text="How many people the order is for.")
    vehicle = VehicleAnswer(logged=True, help_text="What was ordered to drive.")
    durationMinutes = outputs.Whole(
        allow_null=True,
        logged=True,
        help_text="How long the drive takes, in minutes; `null` where the supplier does not say.",
    )
    leadPassenger = LeadPassengerAnswer(logged=True, help_text="The traveller whom the driver meets.")
    flightNumber = serializers.CharField(
        allow_null=True, help_text="The flight, train or ship that was sent; `null` where there was none."
    )
    notes = serializers.CharField(allow_null=True, help_text="The note to the driver; `null` for none.")
    cancellationPolicy = PolicyStepAnswer(
        many=True,
        logged=True,
        help_text=(
            "What cancelling costs and from when on, earliest step first. Before the first step it is free."
        ),
    )
    cancellationSteps = cancellation_steps("the order", "cancellationPolicy")
    remarks = serializers.ListField(
        child=serializers.CharField(),
        help_text="Terms that travellers have to be told, in the supplier's words. Empty: none.",
    )
    waitingTimes = WaitingTimeAnswer(
        many=True,
        help_text=(
            "How long driver and travellers wait for each other at the pick-up. Empty where the "
            "supplier does not say."
        ),
    )
    pickup = PickupAnswer(
        allow_null=True, help_text="Where and when the driver waits; `null` until the order is confirmed."
    )
    operator = OperatorAnswer(
        allow_null=True,
        help_text=(
            "Who drives, for the voucher; `null` where the supplier does not name it, and until "
            "the order is confirmed."
        ),
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            **super().get_fields(),
            "from": PlaceAnswer(
                logged=True, help_text="Where the travellers are picked up, as it was searched for."
            ),
        }


TransferOrderPage = page_of(TransferOrderAnswer)
