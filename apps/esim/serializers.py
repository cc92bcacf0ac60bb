"""eSIM bodies and answers (contract §3, eSIM)."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import booking_answer, max_total, sold_for
from apps.esim.models import RefundStatus
from apps.esim.suppliers.base import (
    ACTIVATIONS,
    PLAN_TYPES,
    PLATFORMS,
    REFUND_REASONS,
    REGIONS,
    USAGE_STATUSES,
)
from apps.gateway import fields
from apps.gateway.serializers import AnswerBody, Body, checks, page_of


class EsimOrderBody(Body):
    """The plan to buy. Funds are checked and held before the supplier is called."""

    planId = fields.Text(
        example="plan_…", help_text="The plan to buy, `plan_…`, from the catalogue. An unknown one: 404."
    )
    externalReference = fields.ExternalReference(
        help_text=(
            "Your own reference for the order, 1 to 64 printable characters; spaces at its ends "
            "are cut off. Used before for the same plan: 200 and the existing order. Used for "
            "another plan: 409 `conflict`. That of a failed order is free again. `null` is the "
            "same as none."
        )
    )
    tripReference = fields.TripReference()
    soldForCents = sold_for()
    maxTotalCents = max_total("order", quoted="the plan's `priceCents`", nothing="bought")


class EsimTopUpBody(Body):
    """What to add to the eSIM. Funds are checked and held before the supplier is called."""

    planId = fields.Text(
        example="plan_…",
        help_text=(
            "The plan to add, `plan_…`, from the list of this eSIM's top-ups. Another one: 400. One that is no longer sold: 410."
        ),
    )
    externalReference = fields.ExternalReference(
        help_text=(
            "Your own reference for the top-up, 1 to 64 printable characters; spaces at its ends are cut off. Used before for "
            "the same plan and eSIM: 200 and the existing top-up. Used for anything else of yours with eSIMs: 409 `conflict`. "
            "That of a failed top-up is free again. `null` is the same as none."
        )
    )
    soldForCents = sold_for()
    maxTotalCents = max_total("top-up", quoted="the `priceCents` that you last received", nothing="bought")


class EsimRefundBody(Body):
    """Why the eSIM is to be refunded."""

    reason = fields.Choice(
        REFUND_REASONS,
        example="trip_cancelled",
        logged=True,
        since="1.3",
        help_text="Why. `other` needs `notes`.",
    )
    notes = fields.Text(
        required=False,
        allow_null=True,
        example="The conference was called off.",
        since="1.3",
        help_text=(
            "Notes for the supplier's staff, 1 to 255 characters. They are sent to the supplier and stored with the order: do "
            "not name travellers."
        ),
    )

    @checks("reason", "notes")
    def explain_other_reasons(self, given: dict[str, Any]) -> None:
        if given["reason"] == "other" and not given.get("notes"):
            raise serializers.ValidationError({"notes": "is required because the reason is other"})


# --- Answers, as `presenters` builds them ---------------------------------------------------------------------------
class CoverageAnswer(AnswerBody):
    """The networks of one country."""

    country = fields.Country(help_text="The country that the networks are in.", logged=True)
    networks = serializers.ListField(
        child=serializers.CharField(), help_text="The names of the networks that the eSIM may use there."
    )


class EsimOrderPlan(AnswerBody):
    """A plan as it was sold."""

    id = serializers.CharField(help_text="The plan's id, `plan_…`. Send it as `planId` to order.")
    name = serializers.CharField(help_text="The plan's name for travellers to read.")
    planType = fields.Choice(
        PLAN_TYPES,
        logged=True,
        help_text=(
            "`data`: an amount of data. `unlimited`: data without a limit. `voice_sms`: minutes "
            "and messages as well."
        ),
    )
    countries = fields.Many(child=fields.Country(), help_text="Where the plan works.", logged=True)
    region = fields.Choice(
        list(REGIONS),
        allow_null=True,
        help_text="The region that the plan is sold for; `null` for a plan of one country.",
    )
    dataMb = fields.Whole(
        allow_null=True, help_text="How much data it has, in megabytes; `null`: unlimited.", logged=True
    )
    validityDays = fields.Whole(logged=True, help_text="For how many days it can be used.")
    voiceMinutes = fields.Whole(logged=True, help_text="How many minutes of calls it has; 0 for none.")
    smsCount = fields.Whole(logged=True, help_text="How many text messages it has; 0 for none.")
    priceCents = fields.Cents(logged=True, help_text="What you pay for it.")
    currency = fields.Currency(logged=True)
    priceBasis = fields.Choice(["net"], help_text="`net`: what you pay. You sell at a price of your own.")
    suggestedRetailCents = fields.Cents(
        logged=True, help_text="What the traveller might pay: your price with your account's markup."
    )


class EsimPlanAnswer(EsimOrderPlan):
    """A plan of the catalogue, at your net price."""

    coverage = CoverageAnswer(many=True, help_text="The networks of each country.")
    deviceNote = fields.Text(
        since="1.2",
        help_text="Which devices can use it, and how a traveller finds out, in a sentence to show before the sale.",
    )
    activation = fields.Choice(
        ACTIVATIONS,
        logged=True,
        since="1.3",
        allow_null=True,
        help_text=(
            "When its days begin. `first_use`: when the eSIM first connects to a supported network, even if it was installed "
            "before. `installation`: when it is installed, wherever that is. `null`: not provided by the supplier."
        ),
    )
    installWithinDays = fields.Whole(
        logged=True,
        since="1.3",
        allow_null=True,
        help_text=(
            "The number of days after the order within which it has to be installed; later it is lost. `null`: not provided "
            "by the supplier."
        ),
    )
    fairUsagePolicy = fields.Text(
        since="1.3",
        allow_null=True,
        help_text=(
            "When data is slowed down, in the supplier's words, in English; `null` if there is no such rule."
        ),
    )
    notes = fields.Many(
        child=fields.Text(),
        since="1.3",
        help_text="Further information in the supplier's words, in English; may be empty.",
    )


@extend_schema_serializer(component_name="EsimPlansWithheld")
class PlansWithheldAnswer(AnswerBody):
    """How many plans of the supplier are not sold, by reason."""

    identityCheck = fields.Whole(
        logged=True, help_text="The buyer has to prove their identity, which this API does not support."
    )
    unreadable = fields.Whole(
        logged=True,
        help_text="The supplier's data is malformed, or the price is in a currency that is not converted to yours.",
    )


EsimPlanPage = type(
    "EsimPlanPage",
    (AnswerBody,),
    {
        "__doc__": "One page of the catalogue.",
        "data": EsimPlanAnswer(
            many=True, help_text="The plans of this page. Empty: none match, or this page is after the last."
        ),
        "page": fields.Whole(
            logged=True,
            help_text="Which page this is; the first is 1. With a `cursor`: the page of this size that its first plan is on.",
        ),
        "pageSize": fields.Whole(
            logged=True,
            help_text="How many plans a page has: `pageSize` or `limit`. The last may have fewer.",
        ),
        "total": fields.Whole(logged=True, help_text="How many plans match, on all pages together."),
        "hasMore": fields.Flag(since="1.2", help_text="Whether another page follows this one."),
        "nextCursor": fields.Text(
            since="1.2",
            allow_null=True,
            help_text=(
                "Send it as `cursor`, with the same filters and without `page` and `pageSize`, to read the next page; `null` on "
                "the last page."
            ),
        ),
        "withheld": PlansWithheldAnswer(
            logged=True,
            since="1.2",
            help_text=(
                "How many plans the whole catalogue leaves out, whatever the filters; 0 if there are none."
            ),
        ),
    },
)


class ActivationAnswer(AnswerBody):
    """What a phone needs to install the eSIM: the QR code, or the codes behind it."""

    lpa = serializers.CharField(help_text="The whole activation code, `LPA:1$…`, which the QR code holds.")
    smdpAddress = serializers.CharField(
        help_text="The server that the profile is loaded from, for phones that ask for it separately."
    )
    matchingId = serializers.CharField(
        help_text="The code for that server, for phones that ask for it separately."
    )
    qrSvgUrl = serializers.CharField(
        help_text=(
            "The QR code as an SVG picture to show or to send. The address needs no key and "
            "cannot be guessed."
        )
    )

    confirmationCode = fields.Text(
        since="1.2",
        allow_null=True,
        help_text=(
            "The code that the phone asks for while it installs the profile; `null`: it asks for none. `lpa` then ends in "
            "`$$1`."
        ),
    )
    directAppleInstallationUrl = fields.Text(
        since="1.2",
        help_text="Opened on an iPhone with iOS 17.4 or later, this address installs the eSIM without a QR code.",
    )
    androidInstallUrl = fields.Text(
        since="1.3",
        allow_null=True,
        help_text=(
            "Opened on an Android device that can hold an eSIM, in its browser not inside an app, this address installs the "
            "eSIM without a QR code. Not every device supports it: show the QR code as well. `null`: not offered."
        ),
    )


class EsimTopUpAnswer(booking_answer("pending", "provisioned", "cancelled", "failed")):  # type: ignore[misc]
    """A plan that was added to an eSIM. `provisioned`: the eSIM has it."""

    orderId = fields.Id(logged=True, help_text="The order of the eSIM that was topped up, `eord_…`.")
    iccid = serializers.CharField(help_text="The number of the eSIM's profile.")
    plan = EsimOrderPlan(
        logged=True, help_text="The plan that was added, as it was sold. It works where the eSIM does."
    )


class EsimAskedRefundAnswer(AnswerBody):
    """A request to refund an eSIM, which the supplier's staff decide."""

    status = fields.Choice(
        RefundStatus.values,
        logged=True,
        since="1.3",
        help_text=(
            "`requested`: the supplier has it. `granted`: money was refunded, and if that was the whole price the order is "
            "`cancelled`. `declined`: nothing is refunded, and you may request it again."
        ),
    )
    reason = fields.Choice(REFUND_REASONS, logged=True, since="1.3", help_text="The reason for the request.")
    notes = fields.Text(since="1.3", allow_null=True, help_text="The notes that you sent.")
    requestedAt = fields.Instant(logged=True, since="1.3", help_text="When it was requested.")
    decidedAt = fields.Instant(
        logged=True,
        since="1.3",
        allow_null=True,
        help_text="When we learned of the decision; `null` until then.",
    )
    refundedCents = fields.Cents(
        logged=True,
        since="1.3",
        allow_null=True,
        help_text="What was refunded to your balance, 0 if it was declined; `null` until it is decided.",
    )
    currency = fields.Currency(logged=True, since="1.3")


class EsimOrderAnswer(booking_answer("pending", "awaiting_approval", "provisioned", "cancelled", "failed")):  # type: ignore[misc]
    """An eSIM that was bought: its plan, its price, and what a phone needs to install it."""

    purchaseId = fields.Id(
        help_text="The same as `id`. The event `esim.provisioned` carries it.", logged=True
    )
    plan = EsimOrderPlan(
        logged=True, help_text=("The plan as it was sold, even if the catalogue has changed since.")
    )
    iccid = serializers.CharField(
        allow_null=True, help_text="The number of the eSIM's profile; `null` until it is provisioned."
    )
    activation = ActivationAnswer(
        allow_null=True, help_text="What the phone needs to install the eSIM; `null` until it is provisioned."
    )
    refundRequest = EsimAskedRefundAnswer(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text="The newest refund request; `null` before the first.",
    )
    topups = EsimTopUpAnswer(
        many=True,
        required=False,
        logged=True,
        since="1.2",
        help_text=(
            "Top-ups of the eSIM, oldest first, whatever their outcome. Left out if there are none, and when an order is "
            "created or listed."
        ),
    )


EsimOrderPage = page_of(EsimOrderAnswer)


class EsimUsageAnswer(AnswerBody):
    """What an eSIM has used."""

    orderId = fields.Id(logged=True, help_text="The order, `eord_…`.")
    iccid = serializers.CharField(help_text="The number of the eSIM's profile.")
    status = fields.Choice(
        USAGE_STATUSES,
        allow_null=True,
        help_text=(
            "`not_installed`, `active`, `depleted` or `expired`; `null`: currently not available from the supplier; these are "
            "the last known values."
        ),
    )
    dataTotalMb = fields.Whole(
        allow_null=True, help_text="How much data the plan has, in megabytes; `null`: unlimited.", logged=True
    )
    dataUsedMb = fields.Whole(logged=True, help_text="How much of it is used, in megabytes.")
    dataRemainingMb = fields.Whole(
        allow_null=True,
        help_text="How much of it is left, in megabytes, never below 0; `null`: unlimited.",
        logged=True,
    )
    validUntil = fields.Instant(
        allow_null=True, help_text="When the plan ends; `null` until the eSIM is first used.", logged=True
    )
    lastUpdatedAt = fields.Instant(
        help_text=(
            "When the supplier reported these values; before the first report, when the order last changed."
        ),
        logged=True,
    )


class EsimTopUpPlansAnswer(AnswerBody):
    """What an eSIM can be topped up with, according to its supplier at most five minutes ago."""

    orderId = fields.Id(logged=True, help_text="The order of the eSIM, `eord_…`.")
    plans = EsimOrderPlan(
        many=True,
        logged=True,
        help_text=(
            "The plans, the cheapest first; empty: none are currently sold. They work where the eSIM does."
        ),
    )


class GuideAnswer(AnswerBody):
    """How to install the eSIM on one kind of device."""

    platform = fields.Choice(PLATFORMS, logged=True, help_text="`ios` or `android`.")
    version = serializers.CharField(
        allow_null=True,
        help_text="The versions of the system that the guide is for, in the supplier's words; `null`: any.",
    )
    model = serializers.CharField(allow_null=True, help_text="The devices that it is for; `null`: any.")
    qrCodeSteps = serializers.ListField(
        child=serializers.CharField(), help_text="What to do with the QR code, step by step; may be empty."
    )
    manualSteps = serializers.ListField(
        child=serializers.CharField(),
        help_text="What to do without a QR code, by typing in the codes of `activation`; may be empty.",
    )
    networkSteps = serializers.ListField(
        child=serializers.CharField(), help_text="What to do then, to get onto a network; may be empty."
    )
    apn = serializers.CharField(
        allow_null=True,
        help_text="The access point name to type in; `null`: the device finds it automatically.",
    )
    dataRoaming = fields.Flag(
        allow_null=True,
        help_text="Whether data roaming must be on; `null`: not provided by the supplier.",
    )


class EsimInstructionsAnswer(AnswerBody):
    """How a traveller installs an eSIM."""

    orderId = fields.Id(logged=True, help_text="The order of the eSIM, `eord_…`.")
    iccid = serializers.CharField(help_text="The number of the eSIM's profile.")
    language = serializers.CharField(
        help_text="The language of the steps: `en`, `de`, or with its region, `pt-BR`. `deviceNote` is in English."
    )
    deviceNote = serializers.CharField(
        help_text="Which devices can use the eSIM, and how a traveller finds out, in a sentence."
    )
    activation = ActivationAnswer(help_text="The QR code and the codes that the steps refer to.")
    guides = GuideAnswer(many=True, help_text="One guide for each kind of device.")
