"""The account operations: the account itself, its ledger, its statements, and its billable searches (contract §3, Account)."""

from contextlib import nullcontext
from datetime import date, timedelta
from typing import cast

from apps.account_api import presenters, serializers
from apps.account_api.overview import overview_of
from apps.account_api.statement_files import MOST_PRINTED, file_name, statement_pdf, whole_csv
from apps.common import clock
from apps.common.errors import InvalidRequest, NotFound
from apps.common.sql import one_snapshot
from apps.gateway.models import SearchUsage
from apps.gateway.operations import QueryParameter, RateClass, action, operation
from apps.gateway.pagination import ANY_TEXT, ANY_TEXT_SCHEMA, PAGE_PARAMETERS, page, read_day, read_filters
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer, CsvAnswer
from apps.gateway.viewsets import GatewayViewSet
from apps.ledger.models import TransactionType
from apps.ledger.months import MOST_LINES, lines_of, month_named, months_of, statement_of
from apps.ledger.selectors import balance_of, ledger_of

CSV, PDF = "text/csv", "application/pdf"
USAGE_DAYS_DEFAULT = 30
USAGE_DAYS_MOST = 92
LISTED = {"json": MOST_LINES, "csv": 0, "pdf": MOST_PRINTED}
"""Each format of a statement, with how many ledger entries are read at once for it."""


class AccountViewSet(GatewayViewSet):
    other_handles = {"month": "The month, `YYYY-MM`, of the account's statements."}

    @operation(
        "getAccount",
        scope="account:read",
        rate_class=RateClass.READ,
        answer=serializers.AccountAnswer,
    )
    def retrieve(self, request: PartnerRequest) -> Answer:
        """Read the account, its balance, the calling key and its limits.

        Proves that a key is valid.
        """
        found = overview_of(request.partner, request.secret)
        request.quota = found.quota
        return Answer(presenters.account_json(request.partner, found))

    @action(detail=True, methods=["get"])
    @operation(
        "listLedgerEntries",
        scope="ledger:read",
        rate_class=RateClass.READ,
        answer=serializers.LedgerPage,
        query=(
            *PAGE_PARAMETERS,
            QueryParameter(
                "type", {"type": "string", "enum": TransactionType.values}, "Only entries of this type."
            ),
            QueryParameter(
                "bookingReference",
                ANY_TEXT_SCHEMA,
                "Only entries of the booking with this reference, such as `H-7KQ2M9XD`, spelled exactly.",
            ),
        ),
    )
    def ledger(self, request: PartnerRequest) -> Answer:
        """List ledger entries, newest first, with the balance."""
        partner = request.partner
        filters = read_filters(request, {"type": tuple(TransactionType.values), "bookingReference": ANY_TEXT})
        names = {"type": "type", "bookingReference": "booking_reference"}
        rows = ledger_of(partner.account_id, partner.environment).filter(
            **{names[name]: value for name, value in filters.items()}
        )
        with one_snapshot():
            balance = balance_of(partner.account_id, partner.environment)
            entries = page(request, rows, presenters.entry_json, listing="ledger", filters=filters)
        return Answer(
            {
                "currency": balance.currency,
                "availableCents": balance.available_cents,
                "heldCents": balance.held_cents,
                **entries,
            }
        )

    @action(detail=True, methods=["get"])
    @operation(
        "listAccountStatements",
        scope="ledger:read",
        rate_class=RateClass.READ,
        answer=serializers.StatementsAnswer,
        since="1.3",
    )
    def statements(self, request: PartnerRequest) -> Answer:
        """List the months that have a statement, newest first."""
        partner = request.partner
        now = clock.now(partner)
        months = months_of(partner.account_id, partner.environment, now)
        return Answer({"data": [{"month": month.name, "closed": month.is_closed(now)} for month in months]})

    @action(detail=True, methods=["get"], url_path="statements/<str:month>")
    @operation(
        "getAccountStatement",
        scope="ledger:read",
        rate_class=RateClass.READ,
        answer=serializers.StatementAnswer,
        files=(CSV, PDF),
        query=(
            QueryParameter(
                "format",
                {"type": "string", "enum": list(LISTED), "default": "json"},
                "`json`: figures and the first 1,000 ledger entries. `csv`: all entries, with a header. `pdf`: figures and "
                "the first 500 entries, A4.",
            ),
        ),
        errors=(NotFound,),
        since="1.3",
    )
    def statement(self, request: PartnerRequest, month: str) -> Answer:
        """Read the statement of a month: opening balance, movements, closing balance.

        A month runs from its first day, 00:00 UTC, to the next month's. It is closed one hour after its end and never changes
        then. A month before the account's first and a future month get 404.
        """
        partner = request.partner
        wanted = read_filters(request, {"format": tuple(LISTED)}).get("format", "json")
        now = clock.now(partner)
        owner = partner.account_id, partner.environment
        found = month_named(*owner, month, now)
        with one_snapshot() if not found.is_closed(now) else nullcontext():
            statement = statement_of(*owner, found, now)
            first = list(lines_of(*owner, found)[: LISTED[wanted]])
        if wanted == "json":
            return Answer(presenters.statement_json(statement, first))
        name = file_name(found, partner.environment)
        if wanted == "pdf":
            answer = Answer(
                statement_pdf(owner, statement, first, now),
                headers={"Content-Disposition": f'attachment; filename="{name}.pdf"'},
            )
            answer.content_type = PDF
            return answer
        return cast("Answer", CsvAnswer(whole_csv(owner, statement), f"{name}.csv"))

    @action(detail=True, methods=["get"])
    @operation(
        "getSearchUsage",
        scope="ledger:read",
        rate_class=RateClass.READ,
        answer=serializers.UsageAnswer,
        query=(
            QueryParameter(
                "from",
                {"type": "string", "format": "date"},
                "The first UTC day to count, itself included, `YYYY-MM-DD`. Left out: 29 days before `to`.",
            ),
            QueryParameter(
                "to",
                {"type": "string", "format": "date"},
                "The last UTC day to count, itself included, `YYYY-MM-DD`: 92 days at most with `from`. Left out: today.",
            ),
        ),
    )
    def usage(self, request: PartnerRequest) -> Answer:
        """Count billable searches by UTC day, product and key, as on an invoice."""
        first, last = usage_days(request)
        lines = (
            SearchUsage.objects.filter(
                account_id=request.partner.account_id,
                environment=request.partner.environment,
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


def usage_days(request: PartnerRequest) -> tuple[date, date]:
    """`from` and `to`: the last 30 days where absent, 92 at most. Raises InvalidRequest."""
    last = read_day(request, "to") or clock.today(request.partner)
    first = read_day(request, "from") or max(last, date(1900, 1, 1)) - timedelta(days=USAGE_DAYS_DEFAULT - 1)
    if first > last:
        raise InvalidRequest.field("from", "must not be after `to`")
    if (last - first).days >= USAGE_DAYS_MOST:
        raise InvalidRequest.field("from", f"must be at most {USAGE_DAYS_MOST - 1} days before `to`")
    return first, last
