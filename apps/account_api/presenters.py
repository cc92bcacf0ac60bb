"""Answers of the account operations, as plain dicts (contract §3, Account)."""

from datetime import datetime

from apps.account_api.overview import Overview
from apps.accounts.models import live_approval_state
from apps.common import clock
from apps.gateway import throttling
from apps.gateway.operations import RateClass
from apps.keys.partner import Partner
from apps.ledger.models import LedgerTransaction

RATE_CLASSES = tuple((rate_class.value, rate_class) for rate_class in RateClass)


def account_json(partner: Partner, found: Overview) -> dict[str, object]:
    now = clock.now(partner)
    return {
        "id": partner.shown_account_id,
        "name": found.name,
        "status": found.status,
        "environment": partner.environment,
        "settlementModes": ["partner_merchant"],
        "scopes": sorted(partner.scopes),
        "balance": {
            "currency": partner.currency,
            "availableCents": found.available_cents,
            "heldCents": found.held_cents,
        },
        "key": {
            "id": partner.key_id,
            "name": found.key_name,
            "prefix": found.secret_prefix,
            "environment": partner.environment,
            "settlementMode": found.settlement_mode,
            "allowedIps": list(partner.allowed_ips),
            "expiresAt": timestamp(found.secret_expires_at),
            "lastUsedAt": timestamp(found.last_used_at),
            "createdAt": clock.rfc3339(found.key_created_at),
        },
        "limits": {
            "rate": {
                name: {
                    "limit": throttling.limit_of(partner, rate_class),
                    "windowSeconds": throttling.WINDOW_SECONDS,
                }
                for name, rate_class in RATE_CLASSES
            },
            "searchQuota": {
                "limit": found.quota.limit,
                "remaining": found.quota.remaining,
                "resetsAt": clock.rfc3339(found.quota.resets_at),
            },
            "spend": {
                "perBookingCents": found.per_booking_cents,
                "perDayCents": found.per_day_cents,
                "perMonthCents": found.per_month_cents,
            },
        },
        "liveApproval": {
            "status": live_approval_state(found.live_requested_at, found.live_approved_until, now),
            "approvedUntil": timestamp(found.live_approved_until),
        },
    }


def entry_json(entry: LedgerTransaction) -> dict[str, object]:
    return {
        "id": entry.id,
        "type": entry.type,
        "amountCents": entry.amount_cents,
        "heldDeltaCents": entry.held_delta_cents,
        "availableAfterCents": entry.available_after_cents,
        "heldAfterCents": entry.held_after_cents,
        "bookingType": entry.booking_type,
        "bookingReference": entry.booking_reference,
        "keyId": entry.key_id,
        "description": entry.description,
        "createdAt": clock.rfc3339(entry.created_at),
    }


def timestamp(instant: datetime | None) -> str | None:
    return clock.rfc3339(instant) if instant else None
