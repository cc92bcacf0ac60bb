"""eSIM plans, orders and usage on the wire: plain dicts."""

from apps.bookings.models import Booking
from apps.bookings.presenters import booking_json
from apps.common.clock import rfc3339
from apps.esim.details import OrderDetails, SoldPlan, conversion_of, sold_to
from apps.esim.models import Plan
from apps.esim.qr import qr_svg_url
from apps.esim.services.usage import KnownUsage
from apps.esim.suppliers.base import Profile
from apps.keys.partner import Partner


def plan_json(plan: Plan, partner: Partner) -> dict[str, object]:
    """A plan of the catalogue at the partner's net price."""
    sold = sold_to(partner, plan, conversion_of(plan, partner))
    return {**sold_plan_json(sold), "coverage": plan.coverage}


def sold_plan_json(plan: SoldPlan) -> dict[str, object]:
    return {
        "id": plan.id,
        "name": plan.name,
        "planType": plan.plan_type,
        "countries": list(plan.countries),
        "region": plan.region,
        "dataMb": plan.data_mb,
        "validityDays": plan.validity_days,
        "voiceMinutes": plan.voice_minutes,
        "smsCount": plan.sms_count,
        "priceCents": plan.price_cents,
        "currency": plan.currency,
        "priceBasis": "net",
        "suggestedRetailCents": plan.suggested_retail_cents,
    }


def order_json(booking: Booking) -> dict[str, object]:
    details = OrderDetails.of(booking)
    profile = details.profile
    own = {
        "purchaseId": booking.id,
        "plan": sold_plan_json(details.plan),
        "iccid": profile.iccid if profile else None,
        "activation": activation_json(booking, profile) if profile else None,
    }
    return booking_json(booking, own)


def activation_json(booking: Booking, profile: Profile) -> dict[str, object]:
    return {
        "lpa": profile.lpa,
        "smdpAddress": profile.smdp_address,
        "matchingId": profile.matching_id,
        "qrSvgUrl": qr_svg_url(booking),
    }


def usage_json(booking: Booking, known: KnownUsage) -> dict[str, object]:
    usage = known.usage
    remaining = None if usage.total_mb is None else max(0, usage.total_mb - usage.used_mb)
    return {
        "orderId": booking.id,
        "iccid": known.iccid,
        "status": usage.status,
        "dataTotalMb": usage.total_mb,
        "dataUsedMb": usage.used_mb,
        "dataRemainingMb": remaining,
        "validUntil": rfc3339(usage.valid_until) if usage.valid_until else None,
        "lastUpdatedAt": rfc3339(known.updated_at),
    }
