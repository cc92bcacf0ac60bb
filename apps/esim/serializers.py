"""eSIM bodies and answers (contract §3, eSIM)."""

from rest_framework import serializers

from apps.bookings.serializers import booking_answer
from apps.esim.regions import REGIONS
from apps.esim.suppliers.base import PLAN_TYPES, USAGE_STATUSES
from apps.gateway import fields, outputs
from apps.gateway.serializers import AnswerBody, Body, page_of


class EsimOrderBody(Body):
    planId = fields.Text(example="plan_…")
    externalReference = fields.ExternalReference()
    maxTotalCents = fields.Cents(required=False, logged=True)


# --- Answers, as `presenters` builds them ---------------------------------------------------------------------------
class CoverageAnswer(AnswerBody):
    country = outputs.Country(help_text="ISO 3166-1 alpha-2", logged=True)
    networks = serializers.ListField(child=serializers.CharField())


class EsimOrderPlan(AnswerBody):
    """A plan as it was sold."""

    id = serializers.CharField()
    name = serializers.CharField()
    planType = outputs.OneOf(PLAN_TYPES, logged=True)
    countries = outputs.Many(child=outputs.Country(), help_text="ISO 3166-1 alpha-2", logged=True)
    region = outputs.OneOf(list(REGIONS), allow_null=True, help_text="null: a plan of one country")
    dataMb = outputs.Whole(allow_null=True, help_text="null: unlimited", logged=True)
    validityDays = outputs.Whole(logged=True)
    voiceMinutes = outputs.Whole(logged=True)
    smsCount = outputs.Whole(logged=True)
    priceCents = outputs.Cents(logged=True)
    currency = outputs.Currency(logged=True)
    priceBasis = outputs.OneOf(["net"])
    suggestedRetailCents = outputs.Cents(logged=True)


class EsimPlanAnswer(EsimOrderPlan):
    """A plan of the catalogue, at the partner's net price."""

    coverage = CoverageAnswer(many=True)


EsimPlanPage = type(
    "EsimPlanPage",
    (AnswerBody,),
    {
        "data": EsimPlanAnswer(many=True),
        "page": outputs.Whole(logged=True),
        "pageSize": outputs.Whole(logged=True),
        "total": outputs.Whole(help_text="Of all pages", logged=True),
    },
)


class ActivationAnswer(AnswerBody):
    lpa = serializers.CharField(help_text="The whole activation code, which the QR code holds")
    smdpAddress = serializers.CharField()
    matchingId = serializers.CharField()
    qrSvgUrl = serializers.CharField(help_text="The QR code as SVG; needs no key, and is not guessable")


class EsimOrderAnswer(booking_answer("pending", "provisioned", "cancelled", "failed")):  # type: ignore[misc]
    purchaseId = outputs.Id(help_text="The same as id", logged=True)
    plan = EsimOrderPlan(logged=True)
    iccid = serializers.CharField(allow_null=True, help_text="null until provisioned")
    activation = ActivationAnswer(allow_null=True, help_text="null until provisioned")


EsimOrderPage = page_of(EsimOrderAnswer)


class EsimUsageAnswer(AnswerBody):
    orderId = outputs.Id(logged=True)
    iccid = serializers.CharField()
    status = outputs.OneOf(
        USAGE_STATUSES,
        allow_null=True,
        help_text="null: the supplier is briefly unreachable, and these are the last known values",
    )
    dataTotalMb = outputs.Whole(allow_null=True, help_text="null: unlimited", logged=True)
    dataUsedMb = outputs.Whole(logged=True)
    dataRemainingMb = outputs.Whole(allow_null=True, help_text="null: unlimited", logged=True)
    validUntil = outputs.Instant(
        allow_null=True, help_text="null until the profile is first used", logged=True
    )
    lastUpdatedAt = outputs.Instant(help_text="When the supplier said so", logged=True)
