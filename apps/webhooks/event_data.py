"""What the events carry: the payload of each type (contract §3, Webhooks)."""

from typing import Any

from rest_framework import serializers

from apps.gateway.serializers import AnswerBody
from apps.webhooks import events as catalogue


class BookingEventData(AnswerBody):
    """What every event of a booking tells."""

    bookingType = serializers.CharField(help_text="`hotel`, `flight`, `transfer` or `esim`.")
    bookingReference = serializers.CharField(help_text="The booking's short reference, such as `H-7KQ2M9XD`.")
    bookingId = serializers.CharField(help_text="The booking's id, with which it can be read.")
    externalReference = serializers.CharField(
        allow_null=True, help_text="Your own reference; `null` where the booking has none."
    )


class BookingConfirmedData(BookingEventData):
    """The supplier has confirmed the booking."""

    totalCents = serializers.IntegerField(
        help_text="What the booking costs you in all, in minor units of `currency`."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `totalCents`, such as `EUR`.")


class BookingCancelledData(BookingEventData):
    """The booking is cancelled, by you or by the supplier."""

    refunded = serializers.BooleanField(help_text="Whether any money comes back to you.")
    refundCents = serializers.IntegerField(
        help_text="How much comes back, in minor units of `currency`; 0 for nothing."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `refundCents`, such as `EUR`.")


class BookingChangedData(BookingEventData):
    """You changed the booking, by API or in the portal. Read it to see it as it is now."""

    changes = serializers.ListField(
        child=serializers.CharField(),
        help_text="What was changed, each once: `dates`, `legs`, `services`, `names`, `rooms`. More may follow.",
    )
    totalCents = serializers.IntegerField(
        help_text="What the booking costs you in all from now on, in minor units of `currency`."
    )
    differenceCents = serializers.IntegerField(
        help_text=(
            "What the change adds to the total, in minor units of `currency`. Below zero, it comes back to you, maybe a little "
            "later."
        )
    )
    currency = serializers.CharField(help_text="ISO 4217 code of both amounts, such as `EUR`.")


class ChangedFactAnswer(AnswerBody):
    """One field of the booking, before and after."""

    field = serializers.CharField(
        help_text="The field as the booking has it, with dots where it is inside another: `checkIn`, `pickup.at`."
    )
    before = serializers.CharField(
        allow_null=True,
        help_text="Its value until then, as text; `null` for texts, which the booking shows (`remarks`).",
    )
    after = serializers.CharField(
        allow_null=True, help_text="Its value from now on, as text; `null` as in `before`."
    )


class ListOf(serializers.ListField):
    """A list of objects that the document describes elsewhere, by the name of their component."""

    def __init__(self, component: str, **more: Any) -> None:
        self.component = component
        super().__init__(**more)


class BookingScheduleChangedData(BookingEventData):
    """The airline has moved a flight of the order by itself."""

    changeId = serializers.CharField(
        help_text="The change's id, `schedule_…`, with which it can be accepted. The order's `scheduleChanges` has it."
    )
    detectedAt = serializers.CharField(help_text="When we learned of it. RFC 3339, in UTC.")
    respondBy = serializers.CharField(
        allow_null=True, help_text="Until when the airline takes an answer; `null`: it has named no end."
    )
    before = ListOf(
        "FlightSlice", help_text="The legs that it is of, as they were. Other legs of the order are left out."
    )
    after = ListOf(
        "FlightSlice",
        help_text="The same legs as they are flown now, under the same `sliceId`. Empty: they are flown no more.",
    )
    availableActions = serializers.ListField(
        child=serializers.CharField(),
        help_text="What you can do: `accept` it, `change` the order, `cancel` it, or `contact_us`.",
    )


class BookingSupplierChangedData(BookingEventData):
    """The supplier has altered facts of a hotel booking or a transfer by itself."""

    detectedAt = serializers.CharField(help_text="When we learned of it. RFC 3339, in UTC.")
    changes = ListOf("WebhookChangedFact", help_text="What was altered, each field once.")


class BookingRejectedData(BookingEventData):
    """A booking whose end was open turned out not to exist. It has failed, and its hold is released."""

    reason = serializers.CharField(help_text="Why, in a sentence for people.")
    releasedCents = serializers.IntegerField(
        help_text="What was held for it and is available again, in minor units of `currency`."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `releasedCents`, such as `EUR`.")


class ApprovalData(BookingEventData):
    operation = serializers.CharField(
        help_text="What awaited it: `book`, or `pay` for the payment of an order on hold. More may follow."
    )
    totalCents = serializers.IntegerField(help_text="What is held for it, in minor units of `currency`.")
    currency = serializers.CharField(help_text="ISO 4217 code of `totalCents`, such as `EUR`.")


class BookingApprovalRequestedData(ApprovalData):
    """Funds are held, and no supplier was asked. People of your account decide in the portal."""

    approvalExpiresAt = serializers.DateTimeField(
        help_text="Until when it can be approved, RFC 3339 in UTC. Without that, it fails then."
    )


class BookingApprovalDecidedData(ApprovalData):
    """Approved, it is booked now: another event says how that ended. Otherwise its hold is released."""

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
    """Money of a booking came back to your balance."""

    refundCents = serializers.IntegerField(
        help_text="How much came back to your balance, in minor units of `currency`."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `refundCents`, such as `EUR`.")


class EventCreditAnswer(AnswerBody):
    """One credit. Its code is the traveller's, and so not in events: read the order for it."""

    passenger = serializers.IntegerField(
        allow_null=True,
        help_text="Whose it is: a place in the order's `passengers`, from 0; `null`: not known.",
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
    """Little is left of an eSIM. One of the two numbers says what; the other one is `null`."""

    percentUsed = serializers.IntegerField(
        allow_null=True, help_text="So much of its data is used, in percent: 75 or 90. More may follow."
    )
    daysLeft = serializers.IntegerField(
        allow_null=True, help_text="In so many days its plan ends: 3 or 1. More may follow."
    )


class EsimStatusChangedData(EsimEventData):
    """An eSIM is used otherwise than before."""

    status = serializers.CharField(
        help_text="`not_installed`, `active`, `depleted` or `expired`, as its usage has it."
    )
    previousStatus = serializers.CharField(
        help_text="What it was before, as far as we knew. Steps between the two may be left out."
    )


class EsimRefundDecidedData(EsimEventData):
    """A refund request of an eSIM is decided. `payment.refunded` is sent as well where money comes back."""

    decision = serializers.CharField(help_text="`granted` or `declined`.")
    refundedCents = serializers.IntegerField(
        help_text="What comes back to your balance, in minor units of `currency`; 0 where it is declined."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of `refundedCents`, such as `EUR`.")


class BalanceLowData(AnswerBody):
    """Less is available than the account warns at. Sent once, and again after the balance was at the threshold or above."""

    availableCents = serializers.IntegerField(
        help_text="What could be spent when the event was sent, in minor units of `currency`."
    )
    thresholdCents = serializers.IntegerField(
        help_text="`warnBelowCents` of the account, in minor units of `currency`."
    )
    currency = serializers.CharField(help_text="ISO 4217 code of both amounts, such as `EUR`.")


class TestEventData(AnswerBody):
    """A test that was asked for. Nobody subscribes to it."""

    endpointId = serializers.CharField(help_text="The endpoint that is tested, `we_…`.")
    message = serializers.CharField(help_text="A sentence that says that this is a test.")


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
