"""eSIM plans, orders, top-ups, instructions and usage on the wire: plain dicts."""

from django.conf import settings

from apps.bookings.models import Booking
from apps.bookings.presenters import booking_json
from apps.common.clock import rfc3339
from apps.esim.details import AskedRefund, OrderDetails, SoldPlan, conversion, sold_to
from apps.esim.models import Plan
from apps.esim.qr import qr_svg_url
from apps.esim.selectors import top_ups_of
from apps.esim.services.top_up import Offer
from apps.esim.services.usage import KnownUsage
from apps.esim.suppliers.base import Guide, Instructions, Profile
from apps.keys.partner import Partner

DEVICE_NOTE = "Only unlocked devices that can hold an eSIM can use it. To check, dial *#06#: the device can if an EID is shown."


def plan_json(plan: Plan, partner: Partner) -> dict[str, object]:
    """A plan of the catalogue at the partner's net price."""
    convert = conversion(plan.supplier_name, plan.currency, partner.currency)
    sold = sold_to(partner, plan.id, plan, plan, convert)
    return {
        **sold_plan_json(sold),
        "coverage": plan.coverage,
        "deviceNote": DEVICE_NOTE,
        "activation": plan.activation,
        "installWithinDays": plan.install_within_days,
        "fairUsagePolicy": plan.fair_usage_policy,
        "notes": plan.notes,
    }


def withheld_json(identity_check: int, unreadable: int) -> dict[str, int]:
    """What the catalogue leaves out."""
    return {"identityCheck": identity_check, "unreadable": unreadable}


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
        "refundRequest": refund_json(details.refund, booking.currency) if details.refund else None,
    }
    return booking_json(booking, own)


def refund_json(asked: AskedRefund, currency: str) -> dict[str, object]:
    return {
        "status": asked.status,
        "reason": asked.reason,
        "notes": asked.notes,
        "requestedAt": rfc3339(asked.requested_at),
        "decidedAt": rfc3339(asked.decided_at) if asked.decided_at else None,
        "refundedCents": asked.refunded_cents,
        "currency": currency,
    }


def order_with_top_ups_json(booking: Booking) -> dict[str, object]:
    """`topups` only where there are some: an order without reads as it was answered."""
    top_ups = [top_up_json(top_up) for top_up in top_ups_of(booking)]
    return {**order_json(booking), **({"topups": top_ups} if top_ups else {})}


def top_up_json(booking: Booking) -> dict[str, object]:
    details = OrderDetails.of(booking)
    of = details.top_up_of
    assert of is not None
    own = {"orderId": of.order_id, "iccid": of.iccid, "plan": sold_plan_json(details.plan)}
    return booking_json(booking, own)


def offers_json(order: Booking, offers: list[Offer], partner: Partner) -> dict[str, object]:
    """What an eSIM can be topped up with, at the partner's net price, the cheapest first."""
    plans = sorted((offer.sold(order, partner) for offer in offers), key=lambda plan: plan.price_cents)
    return {"orderId": order.id, "plans": [sold_plan_json(plan) for plan in plans]}


def instructions_json(order: Booking, instructions: Instructions) -> dict[str, object]:
    profile = OrderDetails.of(order).profile
    assert profile is not None
    return {
        "orderId": order.id,
        "iccid": profile.iccid,
        "language": instructions.language,
        "deviceNote": DEVICE_NOTE,
        "activation": activation_json(order, profile),
        "guides": [guide_json(guide) for guide in instructions.guides],
    }


def guide_json(guide: Guide) -> dict[str, object]:
    return {
        "platform": guide.platform,
        "version": guide.version,
        "model": guide.model,
        "qrCodeSteps": list(guide.qr_code_steps),
        "manualSteps": list(guide.manual_steps),
        "networkSteps": list(guide.network_steps),
        "apn": guide.apn,
        "dataRoaming": guide.data_roaming,
    }


def activation_json(booking: Booking, profile: Profile) -> dict[str, object]:
    return {
        "lpa": profile.lpa,
        "smdpAddress": profile.smdp_address,
        "matchingId": profile.matching_id,
        "qrSvgUrl": qr_svg_url(booking),
        "confirmationCode": profile.confirmation_code or None,
        "directAppleInstallationUrl": profile.apple_installation_url,
        "androidInstallUrl": profile.android_installation_url if settings.ESIM_ANDROID_LINKS else None,
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
