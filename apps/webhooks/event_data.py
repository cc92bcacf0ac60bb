"""What the events carry: the payload of each type (contract §3, Webhooks)."""

from typing import Any

from rest_framework import serializers

from apps.gateway.serializers import AnswerBody
from apps.webhooks import events as catalogue


class BookingEventData(AnswerBody):
    """What every event of a booking reports."""

    bookingType = serializers.CharField(help_text="`hotel`, `flight`, `transfer` or `esim`.")
    bookingReference = serializers.CharField(help_text="The booking's short reference, such as `H-7KQ2M9XD`.")
    bookingId = serializers.CharField(help_text="The booking's id. Use it to read the booking.")
    externalReference = serializers.CharField(
        allow_null=True, help_text="Your own reference; `null` if the booking has none."
    )


class BookingConfirmedData(BookingEventData):
    """The supplier has confirmed the booking."""

    totalCents = serializers.IntegerField(
        help_text="What the booking costs you in all, in minor units of `currency`."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `totalCents`, such as `EUR`.")


class BookingCancelledData(BookingEventData):
    """The booking is cancelled, by you or by the supplier."""

    refunded = serializers.BooleanField(help_text="Whether any money is refunded to you.")
    refundCents = serializers.IntegerField(
        help_text="How much is refunded, in minor units of `currency`; 0 for nothing."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `refundCents`, such as `EUR`.")


class BookingChangedData(BookingEventData):
    """You changed the booking, by API or in the portal. Read it to see it as it is now."""

    changes = serializers.ListField(
        child=serializers.CharField(),
        help_text=(
            "What was changed, each once: `dates`, `legs`, `services`, `names`, `rooms`. More may be added."
        ),
    )
    totalCents = serializers.IntegerField(
        help_text="What the booking costs you in all from now on, in minor units of `currency`."
    )
    differenceCents = serializers.IntegerField(
        help_text=(
            "What the change adds to the total, in minor units of `currency`. If negative, it is refunded to you, possibly a "
            "little later."
        )
    )
    currency = serializers.CharField(help_text="ISO 4217 code of both amounts, such as `EUR`.")


class ChangedFactAnswer(AnswerBody):
    """One field of the booking, before and after."""

    field = serializers.CharField(
        help_text="The field of the booking, with dots if it is nested: `checkIn`, `pickup.at`."
    )
    before = serializers.CharField(
        allow_null=True,
        help_text="Its previous value, as text; `null` for texts, which the booking shows (`remarks`).",
    )
    after = serializers.CharField(allow_null=True, help_text="Its new value, as text; `null` as in `before`.")


class ListOf(serializers.ListField):
    """A list of objects that the document describes elsewhere, by the name of their component."""

    def __init__(self, component: str, **more: Any) -> None:
        self.component = component
        super().__init__(**more)


class BookingScheduleChangedData(BookingEventData):
    """The airline has rescheduled a flight of the order."""

    changeId = serializers.CharField(
        help_text=(
            "The change's id, `schedule_…`. Use it to accept the change. The order's `scheduleChanges` has it."
        )
    )
    detectedAt = serializers.CharField(help_text="When we learned of it. RFC 3339, in UTC.")
    respondBy = serializers.CharField(
        allow_null=True, help_text="The airline's deadline for a response; `null`: it has named none."
    )
    before = ListOf(
        "FlightSlice", help_text="The affected legs as they were. Other legs of the order are left out."
    )
    after = ListOf(
        "FlightSlice",
        help_text=(
            "The same legs as they are flown now, under the same `sliceId`. Empty: they are no longer flown."
        ),
    )
    availableActions = serializers.ListField(
        child=serializers.CharField(),
        help_text="What you can do: `accept` it, `change` the order, `cancel` it, or `contact_us`.",
    )


class BookingSupplierChangedData(BookingEventData):
    """The supplier has changed details of a hotel booking or a transfer."""

    detectedAt = serializers.CharField(help_text="When we learned of it. RFC 3339, in UTC.")
    changes = ListOf("WebhookChangedFact", help_text="What was changed, each field once.")


class BookingRejectedData(BookingEventData):
    """A booking whose outcome was unknown turned out not to exist. It has failed, and its hold is released."""

    reason = serializers.CharField(help_text="Why, in a sentence for people.")
    releasedCents = serializers.IntegerField(
        help_text="What was held for it and is available again, in minor units of `currency`."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `releasedCents`, such as `EUR`.")


class ApprovalData(BookingEventData):
    operation = serializers.CharField(
        help_text=(
            "What was waiting for approval: `book`, or `pay` for the payment of an order on hold. More may be added."
        )
    )
    totalCents = serializers.IntegerField(help_text="What is held for it, in minor units of `currency`.")
    currency = serializers.CharField(help_text="ISO 4217 code of `totalCents`, such as `EUR`.")


class BookingApprovalRequestedData(ApprovalData):
    """Funds are held, and no supplier has been called. Members of your account decide in the portal."""

    approvalExpiresAt = serializers.DateTimeField(
        help_text="Until when it can be approved, RFC 3339 in UTC. Without approval it then fails."
    )


class BookingApprovalDecidedData(ApprovalData):
    """If approved, it is booked now and another event reports the outcome. Otherwise its hold is released."""

    decision = serializers.CharField(
        help_text="`approved`, `declined`, `cancelled`, or `expired`: no decision was made in time."
    )
    reason = serializers.CharField(
        allow_null=True, help_text="What the person who declined it wrote; `null`: nothing."
    )


class HoldData(BookingEventData):
    payBy = serializers.DateTimeField(help_text="Until when the order on hold can be paid, RFC 3339 in UTC.")
    totalCents = serializers.IntegerField(help_text="What paying it costs, in minor units of `currency`.")
    currency = serializers.CharField(help_text="ISO 4217 code of `totalCents`, such as `EUR`.")


class BookingHoldExpiringData(HoldData):
    """An order on hold has to be paid within six hours."""


class BookingHoldExpiredData(HoldData):
    """An order on hold was not paid in time. The airline has freed its seats."""


class PaymentRefundedData(BookingEventData):
    """Money of a booking was refunded to your balance."""

    refundCents = serializers.IntegerField(
        help_text="How much was refunded to your balance, in minor units of `currency`."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `refundCents`, such as `EUR`.")


class EventCreditAnswer(AnswerBody):
    """One credit. Its code belongs to the traveller and is not in events: read the order for it."""

    passenger = serializers.IntegerField(
        allow_null=True,
        help_text="The passenger: an index into the order's `passengers`, from 0; `null`: not known.",
    )
    amountCents = serializers.IntegerField(help_text="What it is worth, in minor units of `currency`.")
    currency = serializers.CharField(help_text="ISO 4217 code of `amountCents`, such as `EUR`.")
    expiresOn = serializers.CharField(
        allow_null=True,
        help_text="The last day on which it can be spent, `YYYY-MM-DD`; `null`: ask the airline.",
    )


class AirlineCreditIssuedData(BookingEventData):
    """The airline has issued credit for the travellers of a cancelled order, in place of a refund to your balance."""

    airlineCredits = ListOf("WebhookAirlineCredit", help_text="What it issued, for each passenger.")


class EsimProvisionedData(BookingEventData):
    """The eSIM can be installed."""

    purchaseId = serializers.CharField(help_text="The order's id, `eord_…`: the same as `bookingId`.")
    iccid = serializers.CharField(help_text="The number of the eSIM's profile.")
    planName = serializers.CharField(help_text="The name of the plan that was bought.")
    status = serializers.CharField(help_text="Always `provisioned`: the eSIM can be installed.")


class EsimToppedUpData(BookingEventData):
    """A plan was added to an eSIM. `bookingId` and `bookingReference` are the top-up's own."""

    orderId = serializers.CharField(help_text="The order of the eSIM, `eord_…`.")
    iccid = serializers.CharField(help_text="The number of the eSIM's profile.")
    planName = serializers.CharField(help_text="The name of the plan that was added.")
    totalCents = serializers.IntegerField(
        help_text="What the top-up costs you in all, in minor units of `currency`."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `totalCents`, such as `EUR`.")


class EsimEventData(BookingEventData):
    orderId = serializers.CharField(help_text="The order of the eSIM, `eord_…`: the same as `bookingId`.")
    iccid = serializers.CharField(help_text="The number of the eSIM's profile.")


class EsimDataLowData(EsimEventData):
    """An eSIM is running low. One of the two numbers shows how; the other is `null`."""

    percentUsed = serializers.IntegerField(
        allow_null=True, help_text="How much of its data is used, in percent: 75 or 90. More may be added."
    )
    daysLeft = serializers.IntegerField(
        allow_null=True, help_text="In how many days its plan ends: 3 or 1. More may be added."
    )


class EsimStatusChangedData(EsimEventData):
    """An eSIM was installed, activated, used up or has expired."""

    status = serializers.CharField(
        help_text="`not_installed`, `active`, `depleted` or `expired`, as in its usage."
    )
    previousStatus = serializers.CharField(
        help_text="What it was before, as far as we knew. Steps between the two may be left out."
    )


class EsimRefundDecidedData(EsimEventData):
    """A refund request of an eSIM is decided. `payment.refunded` is also sent if money is refunded."""

    decision = serializers.CharField(help_text="`granted` or `declined`.")
    refundedCents = serializers.IntegerField(
        help_text="What is refunded to your balance, in minor units of `currency`; 0 if it is declined."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `refundedCents`, such as `EUR`.")


class BalanceLowData(AnswerBody):
    """The available balance fell below the account's warning threshold. Sent once, and again after the balance has been at the
    threshold or above.
    """

    availableCents = serializers.IntegerField(
        help_text="What could be spent when the event was sent, in minor units of `currency`."
    )
    thresholdCents = serializers.IntegerField(
        help_text="`warnBelowCents` of the account, in minor units of `currency`."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of both amounts, such as `EUR`.")


class TestEventData(AnswerBody):
    """A requested test. No subscription is needed."""

    endpointId = serializers.CharField(help_text="The endpoint that is tested, `we_…`.")
    message = serializers.CharField(help_text="A sentence stating that this is a test.")


EVENT_DATA: dict[str, type[AnswerBody]] = {
    catalogue.BOOKING_CONFIRMED: BookingConfirmedData,
    catalogue.BALANCE_LOW: BalanceLowData,
    catalogue.BOOKING_CANCELLED: BookingCancelledData,
    catalogue.BOOKING_CHANGED: BookingChangedData,
    catalogue.BOOKING_SCHEDULE_CHANGED: BookingScheduleChangedData,
    catalogue.BOOKING_SUPPLIER_CHANGED: BookingSupplierChangedData,
    catalogue.BOOKING_APPROVAL_REQUESTED: BookingApprovalRequestedData,
    catalogue.BOOKING_APPROVAL_DECIDED: BookingApprovalDecidedData,
    catalogue.BOOKING_REJECTED: BookingRejectedData,
    catalogue.BOOKING_HOLD_EXPIRING: BookingHoldExpiringData,
    catalogue.BOOKING_HOLD_EXPIRED: BookingHoldExpiredData,
    catalogue.PAYMENT_REFUNDED: PaymentRefundedData,
    catalogue.AIRLINE_CREDIT_ISSUED: AirlineCreditIssuedData,
    catalogue.ESIM_PROVISIONED: EsimProvisionedData,
    catalogue.ESIM_TOPPED_UP: EsimToppedUpData,
    catalogue.ESIM_DATA_LOW: EsimDataLowData,
    catalogue.ESIM_STATUS_CHANGED: EsimStatusChangedData,
    catalogue.ESIM_REFUND_DECIDED: EsimRefundDecidedData,
    catalogue.TEST: TestEventData,
}
PARTS: dict[str, type[AnswerBody]] = {
    "WebhookChangedFact": ChangedFactAnswer,
    "WebhookAirlineCredit": EventCreditAnswer,
}
"""The objects in lists of an event's data, by the name of their component."""
