"""The lists that have saved views, and the filters of each."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from django.urls import reverse

from apps.portal.audit.forms import AuditFilters
from apps.portal.balance.forms import LedgerFilters
from apps.portal.bookings.forms import BookingFilters
from apps.portal.list_filters import ListFilters
from apps.portal.requests.forms import RequestFilters
from apps.portal.webhooks.deliveries.forms import DeliveryFilters
from apps.portal.webhooks.events.forms import EventFilters


@dataclass(frozen=True, slots=True)
class FilteredList:
    """`page` is the URL name of the list."""

    page: str
    form: type[ListFilters]
    account_wide: bool = False

    def stored_environment(self, environment: str) -> str:
        return "" if self.account_wide else environment

    def address(self, environment: str) -> str:
        named = {} if self.account_wide else {"environment": environment}
        return reverse(f"portal:{self.page}", kwargs=named)

    def filters_in(self, query: str) -> str:
        """The filters of a query string in one order, without what is empty and what is no filter, as the page's cursor."""
        return filters_in(query, self.form.base_fields)


LISTS = {
    "requests": FilteredList("requests", RequestFilters),
    "bookings": FilteredList("bookings", BookingFilters),
    "ledger": FilteredList("balance", LedgerFilters),
    "deliveries": FilteredList("deliveries", DeliveryFilters),
    "events": FilteredList("events", EventFilters),
    "audit": FilteredList("audit", AuditFilters, account_wide=True),
}


def filters_in(query: str, names: Iterable[str]) -> str:
    given = {name: value for name, value in parse_qsl(query) if "\x00" not in value}
    return urlencode(sorted((name, given[name]) for name in names if given.get(name)))
