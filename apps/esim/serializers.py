"""eSIM bodies and answers (contract §3, eSIM)."""

from typing import Any

from rest_framework import serializers

from apps.bookings.serializers import booking_answer
from apps.esim.regions import REGIONS
from apps.esim.suppliers.base import PLAN_TYPES, USAGE_STATUSES
from apps.gateway import fields
from apps.gateway.serializers import Body, page_of


class EsimOrderBody(Body):
    planId = fields.Text()
    externalReference = fields.ExternalReference()
    maxTotalCents = fields.Cents(required=False)


# --- Answers, for the OpenAPI document; `presenters` builds them ----------------------------------------------------
class CoverageAnswer(serializers.Serializer[Any]):
    country = serializers.CharField(help_text="ISO 3166-1 alpha-2")
    networks = serializers.ListField(child=serializers.CharField())


class EsimOrderPlan(serializers.Serializer[Any]):
    """A plan as it was sold."""

    id = serializers.CharField()
    name = serializers.CharField()
    planType = serializers.ChoiceField(PLAN_TYPES)
    countries = serializers.ListField(child=serializers.CharField(), help_text="ISO 3166-1 alpha-2")
    region = serializers.ChoiceField(list(REGIONS), allow_null=True, help_text="null: a plan of one country")
    dataMb = serializers.IntegerField(allow_null=True, help_text="null: unlimited")
    validityDays = serializers.IntegerField()
    voiceMinutes = serializers.IntegerField()
    smsCount = serializers.IntegerField()
    priceCents = serializers.IntegerField()
    currency = serializers.CharField()
    priceBasis = serializers.ChoiceField(["net"])
    suggestedRetailCents = serializers.IntegerField()


class EsimPlanAnswer(EsimOrderPlan):
    """A plan of the catalogue, at the partner's net price."""

    coverage = CoverageAnswer(many=True)


EsimPlanPage = type(
    "EsimPlanPage",
    (serializers.Serializer,),
    {
        "data": EsimPlanAnswer(many=True),
        "page": serializers.IntegerField(),
        "pageSize": serializers.IntegerField(),
        "total": serializers.IntegerField(help_text="Of all pages"),
    },
)


class ActivationAnswer(serializers.Serializer[Any]):
    lpa = serializers.CharField(help_text="The whole activation code, which the QR code holds")
    smdpAddress = serializers.CharField()
    matchingId = serializers.CharField()
    qrSvgUrl = serializers.CharField(help_text="The QR code as SVG; needs no key, and is not guessable")


class EsimOrderAnswer(booking_answer("pending", "provisioned", "cancelled", "failed")):  # type: ignore[misc]
    purchaseId = serializers.CharField(help_text="The same as id")
    plan = EsimOrderPlan()
    iccid = serializers.CharField(allow_null=True, help_text="null until provisioned")
    activation = ActivationAnswer(allow_null=True, help_text="null until provisioned")


EsimOrderPage = page_of(EsimOrderAnswer)


class EsimUsageAnswer(serializers.Serializer[Any]):
    orderId = serializers.CharField()
    iccid = serializers.CharField()
    status = serializers.ChoiceField(
        USAGE_STATUSES,
        allow_null=True,
        help_text="null: the supplier is briefly unreachable, and these are the last known values",
    )
    dataTotalMb = serializers.IntegerField(allow_null=True, help_text="null: unlimited")
    dataUsedMb = serializers.IntegerField()
    dataRemainingMb = serializers.IntegerField(allow_null=True, help_text="null: unlimited")
    validUntil = serializers.DateTimeField(allow_null=True, help_text="null until the profile is first used")
    lastUpdatedAt = serializers.DateTimeField(help_text="When the supplier said so")
