"""Answers of the account operations, as plain dicts (contract §3, Account)."""

from collections.abc import Iterable
from datetime import datetime

from apps.account_api.overview import Overview
from apps.accounts.models import live_approval_state
from apps.accounts.payment_reference import payment_reference
from apps.common import clock
from apps.gateway import throttling
from apps.gateway.operations import RateClass
from apps.keys.partner import Partner
from apps.ledger.models import LedgerTransaction
from apps.ledger.months import Group, Statement

RATE_CLASSES = tuple((rate_class.value, rate_class) for rate_class in RateClass)


def account_json(partner: Partner, found: Overview) -> dict[str, object]:
    now = clock.now(partner)
    return {
        "id": partner.shown_account_id,
        "name": found.name,
        "status": found.status,
        "environment": partner.environment,
        "settlementModes": ["partner_merchant"],
        "paymentReference": payment_reference(partner.shown_account_id),
        "scopes": sorted(partner.scopes),
        "balance": {
            "currency": partner.currency,
            "availableCents": found.available_cents,
            "heldCents": found.held_cents,
            "warnBelowCents": found.warn_below_cents,
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
                "approvalAboveCents": found.approval_above_cents,
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


def statement_json(statement: Statement, lines: Iterable[LedgerTransaction]) -> dict[str, object]:
    figures = statement.figures
    return {
        "month": statement.month.name,
        "currency": figures.currency,
        "openingCents": figures.opening_cents,
        "topUpsCents": figures.top_ups_cents,
        "capturedCents": figures.captured_cents,
        "refundedCents": figures.refunded_cents,
        "adjustmentsCents": figures.adjustments_cents,
        "closingCents": figures.closing_cents,
        "heldCents": figures.held_cents,
        "closed": statement.closed,
        "byProduct": [_group("bookingType", group) for group in statement.by_product],
        "byKey": [_group("keyId", group) for group in statement.by_key],
        "lineCount": figures.line_count,
        "lines": [entry_json(line) for line in lines],
    }


def _group(name: str, group: Group) -> dict[str, object]:
    return {name: group.name, "capturedCents": group.captured_cents, "refundedCents": group.refunded_cents}


def timestamp(instant: datetime | None) -> str | None:
    return clock.rfc3339(instant) if instant else None
