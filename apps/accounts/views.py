"""GET /v1/account, its ledger and its usage. These views compose what several apps know (contract §3, Account)."""

from datetime import date, datetime, timedelta

from apps.accounts import serializers
from apps.accounts.models import live_approval_state
from apps.accounts.overview import Overview, overview_of
from apps.common import clock
from apps.gateway import rate_limits
from apps.gateway.call import Answer, Call
from apps.gateway.errors import InvalidRequest
from apps.gateway.fields import ISO_DATE
from apps.gateway.models import SearchUsage
from apps.gateway.pagination import ANY_TEXT, PAGE_PARAMETERS, page, read_filters
from apps.gateway.routes import QueryParameter, RateClass, route
from apps.gateway.views import GatewayView
from apps.keys.partner import Partner
from apps.ledger.models import LedgerTransaction, TransactionType
from apps.ledger.selectors import balance_of, ledger_of

USAGE_DAYS_DEFAULT = 30
USAGE_DAYS_MOST = 92


class AccountView(GatewayView):
    @route("getAccount", "account:read", RateClass.READ, serializers.AccountAnswer)
    def get(self, call: Call) -> Answer:
        """Read the account, its balance, the calling key and its limits.

        Proves that a key is valid.
        """
        found = overview_of(call.partner, call.secret)
        call.quota = found.quota
        return Answer(account_json(call.partner, found))


def account_json(partner: Partner, found: Overview) -> dict[str, object]:
    now = clock.now(partner)
    return {
        "id": partner.account_id,
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
                rate_class.value: {
                    "limit": rate_limits.limit_of(partner, rate_class),
                    "windowSeconds": rate_limits.WINDOW_SECONDS,
                }
                for rate_class in RateClass
            },
            "searchQuota": {
                "limit": found.quota.limit,
                "remaining": found.quota.remaining,
                "resetsAt": clock.rfc3339(found.quota.resets_at),
            },
        },
        "liveApproval": {
            "status": live_approval_state(found.live_requested_at, found.live_approved_until, now),
            "approvedUntil": timestamp(found.live_approved_until),
        },
    }


class LedgerView(GatewayView):
    @route(
        "listLedgerEntries",
        "ledger:read",
        RateClass.READ,
        serializers.LedgerPage,
        query=(
            *PAGE_PARAMETERS,
            QueryParameter("type", {"type": "string", "enum": TransactionType.values}),
            QueryParameter("bookingReference", {"type": "string", "minLength": 1, "maxLength": 255}),
        ),
    )
    def get(self, call: Call) -> Answer:
        """List the ledger, newest first, beside the balance."""
        partner = call.partner
        filters = read_filters(call, {"type": tuple(TransactionType.values), "bookingReference": ANY_TEXT})
        names = {"type": "type", "bookingReference": "booking_reference"}
        rows = ledger_of(partner.account_id, partner.environment).filter(
            **{names[name]: value for name, value in filters.items()}
        )
        balance = balance_of(partner.account_id, partner.environment)
        return Answer(
            {
                "currency": balance.currency,
                "availableCents": balance.available_cents,
                "heldCents": balance.held_cents,
                **page(call, rows, entry_json, listing="ledger", filters=filters),
            }
        )


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


class UsageView(GatewayView):
    @route(
        "getSearchUsage",
        "ledger:read",
        RateClass.READ,
        serializers.UsageAnswer,
        query=(
            QueryParameter("from", {"type": "string", "format": "date"}, "First UTC day, inclusive"),
            QueryParameter("to", {"type": "string", "format": "date"}, "Last UTC day, inclusive"),
        ),
    )
    def get(self, call: Call) -> Answer:
        """Count billable searches by UTC day, product and key: what an invoice line traces back to."""
        first, last = usage_days(call)
        lines = (
            SearchUsage.objects.filter(
                account_id=call.partner.account_id,
                environment=call.partner.environment,
                day__range=(first, last),
                billable__gt=0,
            )
            .order_by("day", "product", "key_id")
            .values_list("day", "product", "key_id", "billable")
        )
        data = [
            {"date": day.isoformat(), "product": product, "keyId": key_id, "billableSearches": billable}
            for day, product, key_id, billable in lines
        ]
        return Answer({"from": first.isoformat(), "to": last.isoformat(), "data": data})


def usage_days(call: Call) -> tuple[date, date]:
    """`from` and `to`: the last 30 days where absent, 92 at most. Raises InvalidRequest."""
    last = read_day(call, "to") or clock.today(call.partner)
    first = read_day(call, "from") or max(last, date(1900, 1, 1)) - timedelta(days=USAGE_DAYS_DEFAULT - 1)
    if first > last:
        raise InvalidRequest.field("from", "must not be after `to`")
    if (last - first).days >= USAGE_DAYS_MOST:
        raise InvalidRequest.field("from", f"at most {USAGE_DAYS_MOST} days at once")
    return first, last


def read_day(call: Call, name: str) -> date | None:
    text = call.request.GET.get(name)
    if text is None:
        return None
    try:
        if not ISO_DATE.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidRequest.field(name, "must be a date in the form YYYY-MM-DD") from None


def timestamp(instant: datetime | None) -> str | None:
    return clock.rfc3339(instant) if instant else None
