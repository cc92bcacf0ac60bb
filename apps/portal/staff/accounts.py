"""The list of accounts in the back office, with what apps above `accounts` know of each: its money, calls and last booking."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce, Greatest
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.accounts.actors import signed_in
from apps.accounts.admin import AccountAdmin
from apps.accounts.models import Account, User
from apps.bookings.models import Booking, Product
from apps.common import clock
from apps.common.back_office import List, amount, listed
from apps.common.environments import Environment
from apps.ledger.models import Wallet
from apps.portal.staff.glance import DAY
from apps.portal.templatetags.portal import ago
from apps.request_log.models import CallHour

NEWEST = [
    Subquery(
        Booking.objects.filter(account=OuterRef("pk"), environment=environment, product=product)
        .order_by("-created_at", "-id")
        .values("created_at")[:1]
    )
    for environment in Environment.values
    for product in Product.values
]
"""Each is one look into the index `booking_newest_first`."""
DASH = "–"


@dataclass(frozen=True, slots=True)
class Figures:
    """Calls and errors are of 24 hours, in all environments. None: not there, or not for this person to see."""

    wallet: Wallet | None = None
    calls: int | None = None
    errors: int | None = None
    booked_at: datetime | None = None


def figures_of(account_ids: list[str], person: User) -> Mapping[str, Figures]:
    """Of all of these accounts, in three statements at most."""
    wallets: dict[str, Wallet] = {}
    counted: dict[str, tuple[int, int]] = {}
    booked: dict[str, datetime | None] = {}
    if person.has_perm("ledger.view_wallet"):
        live = Wallet.objects.filter(account__in=account_ids, environment=Environment.LIVE)
        wallets = {wallet.account_id: wallet for wallet in live}
    if person.has_perm("request_log.view_loggedcall"):
        counted = dict.fromkeys(account_ids, (0, 0)) | dict(calls_of(account_ids))
    if person.has_perm("bookings.view_booking"):
        newest = Account.objects.filter(pk__in=account_ids).annotate(booked_at=Greatest(*NEWEST))
        booked = dict(newest.values_list("pk", "booked_at"))
    figures = {}
    for pk in account_ids:
        calls, errors = counted.get(pk, (None, None))
        figures[pk] = Figures(wallets.get(pk), calls, errors, booked.get(pk))
    return figures


def calls_of(account_ids: list[str]) -> Iterable[tuple[str, tuple[int, int]]]:
    """With those of the sandboxes; from the counts of hours, as the page of an account has them."""
    first = (clock.now() - DAY).replace(minute=0, second=0, microsecond=0)
    rows = Account.objects.filter(Q(pk__in=account_ids) | Q(sandbox_of__in=account_ids))
    hours = CallHour.objects.filter(
        account_id__in=rows.values("pk"), environment__in=Environment.values, hour__gte=first
    )
    of = hours.values_list(Coalesce("account__sandbox_of_id", "account_id"))
    return [(pk, (calls, errors)) for pk, calls, errors in of.annotate(Sum("calls"), Sum("errors"))]


class Accounts(List):
    def get_results(self, request: HttpRequest) -> None:
        """Django's page of rows, each with its figures."""
        super().get_results(request)
        self.result_list = list(self.result_list)
        found = figures_of([each.pk for each in self.result_list], signed_in(request))
        for each in self.result_list:
            each.figures = found[each.pk]


admin.site.unregister(Account)


@admin.register(Account)
class PartnerAdmin(AccountAdmin):
    list_display = [
        "name",
        "status",
        "balance",
        "calls",
        "errors",
        "last_booking",
        "live_approval",
    ]
    list_per_page = 50

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[List]:
        return Accounts

    @admin.display(description="live balance")
    def balance(self, account: Any) -> SafeString | str:
        wallet = account.figures.wallet
        return amount(wallet.available_cents, wallet.currency) if wallet else DASH

    @admin.display(description="calls, 24 h")
    def calls(self, account: Any) -> SafeString | str:
        count = account.figures.calls
        return DASH if count is None else listed("request_log_loggedcall", f"{count:,}", q=account.pk)

    @admin.display(description="errors, 24 h")
    def errors(self, account: Any) -> SafeString | str:
        count, of = account.figures.errors, account.figures.calls
        if not count:
            return DASH if count is None else "0"
        link = listed("request_log_loggedcall", f"{count:,}", q=account.pk, answered="errors")
        return format_html("{} ({})", link, f"{count / of:.1%}")

    @admin.display(description="last booking")
    def last_booking(self, account: Any) -> SafeString | str:
        booked_at = account.figures.booked_at
        return ago(booked_at) if booked_at else DASH
