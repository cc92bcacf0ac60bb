"""What the pages of the back office share: rows that are read, lists that are not counted, and pages on which one decides."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from operator import attrgetter
from typing import Any, NamedTuple

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db import DataError, OperationalError
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from apps.common.errors import GatewayError
from apps.common.money import in_words

COUNTED = 2_000


class CountedInPart(Paginator):  # type: ignore[type-arg]
    """Counts no further than `COUNTED` rows: who looks for an older one narrows the list instead of leafing through it."""

    @cached_property
    def _counted(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[: COUNTED + 1].count())

    @property
    def count(self) -> int:
        return min(self._counted, COUNTED)

    @property
    def has_more(self) -> bool:
        """Whether there are more rows than were counted."""
        return self._counted > COUNTED


class List(ChangeList):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        if not self.is_popup:
            self.title = capfirst(str(self.opts.verbose_name_plural))

    @property
    def has_more(self) -> bool:
        return bool(self.paginator.has_more)

    @property
    def count_in_words(self) -> str:
        """`836`, or `more than 2,000`."""
        return f"more than {COUNTED:,}" if self.has_more else f"{self.result_count:,}"


MOST_AT_ONCE = 200  # rows that one action of a list takes
YEAR = re.compile("(?!9999)[1-9][0-9]{3}")  # those that Python's calendar has, and a year after them
LOOKUPS = ("exact", "isnull", "isempty", "gte", "lt", "id__exact", "year", "month", "day")
"""Those of Django's own filters."""


class BackOffice(admin.ModelAdmin):  # type: ignore[type-arg]
    """What the pages of every model build upon.

    No list is counted beyond 2,000 rows: the page then says that there are more.
    """

    show_full_result_count = False
    paginator = CountedInPart
    prefilled: Sequence[str] = ()  # the fields of the form for a new row that an address may fill in

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Only the filters of the list and its calendar. Django also allows every lookup on the model's own columns, by which
        staff could find out what no page shows.
        """
        if lookup.endswith("__year") and not YEAR.fullmatch(str(value)):
            return False
        offered = [*self.list_filter, *filter(None, [self.date_hierarchy])]
        return any(lookup in addresses_of(each) for each in offered)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[List]:
        return List

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A form begins empty, whatever the address says, but for what is `prefilled`."""
        return {name: request.GET[name] for name in self.prefilled if name in request.GET}

    def not_there(self, request: HttpRequest, object_id: str) -> HttpResponse:
        messages.warning(request, f"There is no {self.opts.verbose_name} {object_id[:64]}.")
        return redirect("admin:index")

    def get_form(
        self, request: HttpRequest, obj: Any | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Without the help of fields that are only read: it is for typing, and its example looks like the row's own value."""
        typed = obj is None or self.has_change_permission(request, obj)
        read = (
            self.get_readonly_fields(request, obj)
            if typed
            else [each.name for each in self.opts.get_fields()]
        )
        return super().get_form(request, obj, change=change, help_texts=dict.fromkeys(read, ""), **kwargs)


def addresses_of(offered: Any) -> set[str]:
    """The parameters that an item of `list_filter` has in an address."""
    if isinstance(offered, type):
        return {str(getattr(offered, "parameter_name", ""))}
    path = offered if isinstance(offered, str) else offered[0]
    return {path, *(f"{path}__{lookup}" for lookup in LOOKUPS)}


class ReadOnly:
    """Rows that services write: none is added, changed or deleted by hand."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class Huge(BackOffice):
    """For a list whose table grows without end: a search that takes too long says so."""

    show_facets = admin.ShowFacets.NEVER

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        try:
            return super().changelist_view(request, extra_context)
        except OperationalError:
            if not request.GET:
                raise
            text = "This took too long. Narrow it down, for example to one account's id."
            messages.error(request, text)
            return redirect(request.path)


class Acts(Huge):
    """Actions that carry out a service on each row and report what it refuses."""

    def each(
        self, request: HttpRequest, rows: QuerySet[Any], verb: Callable[[Any], object], done: str
    ) -> None:
        chosen = list(rows[: MOST_AT_ONCE + 1])
        if len(chosen) > MOST_AT_ONCE:
            self.message_user(request, f"At most {MOST_AT_ONCE} at once.", messages.ERROR)
            return
        count = 0
        for row in chosen:
            try:
                verb(row)
            except GatewayError as refused:
                self.message_user(request, f"{row.pk}: {refused}", messages.WARNING)
            else:
                self.log_change(request, row, done)
                count += 1
        self.message_user(request, f"{done}: {count}.", messages.SUCCESS if count else messages.WARNING)


class FirstChosen(admin.SimpleListFilter):
    """A filter without "All": its first choice stands until another one is chosen."""

    def chosen(self) -> str:
        return str(self.value() or self.lookup_choices[0][0])

    def choices(self, changelist: Any) -> Any:
        for value, label in self.lookup_choices:
            query = changelist.get_query_string({self.parameter_name: value})
            yield {"selected": self.chosen() == value, "query_string": query, "display": label}


class NoFields(forms.Form):
    """For a verdict that needs nothing but the click."""


class Reason(forms.Form):
    """Why; kept with the decision."""

    reason = forms.CharField(
        min_length=3, max_length=255, widget=forms.Textarea(attrs={"rows": 3, "cols": 60})
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """One way to decide about a row. `act` gets what the form asked for, does it, and returns what to report."""

    name: str
    label: str
    explanation: str
    act: Callable[[dict[str, Any]], str]
    form: type[forms.Form] = NoFields
    grave: bool = False
    initial: dict[str, Any] = field(default_factory=dict)


class Way(NamedTuple):
    verdict: Verdict
    form: forms.Form


class DecisionAdmin(ReadOnly, BackOffice):
    """A row's page shows the facts and the verdicts that are open to the viewer. No transaction is open around them, so that a
    supplier may be asked.
    """

    decision_template = "admin/decision.html"
    refusals: tuple[type[Exception], ...] = ()  # of a verdict: shown as an error, nothing done

    @property
    def _name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"

    def facts(self, request: HttpRequest, obj: Any) -> Sequence[tuple[str, object]]:
        """What one has to know, in the order in which one asks."""
        raise NotImplementedError

    def verdicts(self, request: HttpRequest, obj: Any) -> Sequence[Verdict]:
        """What may be decided now, by this person; nothing once it is over."""
        raise NotImplementedError

    def heading(self, obj: Any) -> str:
        return str(obj)

    def decided(self, object_id: str) -> str:
        """What became of a row that is not open any more, for the one who comes second; empty if nothing is known of it."""
        return ""

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self._row(request, object_id)
        if row is None:
            return self._gone(request, unquote(object_id)) or self.not_there(request, object_id)
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        verdicts = self.verdicts(request, row)
        chosen = request.POST.get("verdict") if request.method == "POST" else None
        ways = [Way(verdict, self._form(request, verdict, chosen)) for verdict in verdicts]
        for way in ways:
            if way.verdict.name == chosen and way.form.is_valid():
                return self._carry_out(request, row, way)
        return self._page(request, row, ways, moot=chosen is not None and chosen not in names(verdicts))

    def _gone(self, request: HttpRequest, object_id: str) -> HttpResponse | None:
        said = self.decided(object_id) if self.has_view_permission(request) else ""
        if not said:
            return None
        messages.warning(request, said)
        return redirect(f"admin:{self._name}_changelist")

    def _row(self, request: HttpRequest, object_id: str) -> Any | None:
        try:
            return self.get_object(request, unquote(object_id))
        except ValidationError:
            return None

    def _form(self, request: HttpRequest, verdict: Verdict, chosen: str | None) -> forms.Form:
        if verdict.name == chosen:
            return verdict.form(request.POST, prefix=verdict.name)
        return verdict.form(prefix=verdict.name, initial=verdict.initial)

    def _carry_out(self, request: HttpRequest, row: Any, way: Way) -> HttpResponse:
        try:
            said = way.verdict.act(way.form.cleaned_data)
        except self.refusals as refused:
            messages.error(request, self.decided(str(row.pk)) or str(refused))
        else:
            given = "; ".join(f"{name}: {value}" for name, value in way.form.cleaned_data.items())
            self.log_change(request, row, f"{way.verdict.label}. {said} {given}".strip())
            messages.success(request, said)
        decided_away = self._row(request, str(row.pk)) is None  # from a list of what is open
        return redirect(f"admin:{self._name}_changelist") if decided_away else redirect(request.path)

    def _page(self, request: HttpRequest, row: Any, ways: Sequence[Way], *, moot: bool) -> HttpResponse:
        if moot:
            messages.error(request, "That cannot be decided any more, or not by you.")
        context = {
            **self.admin_site.each_context(request),
            "title": self.heading(row),
            "opts": self.opts,
            "original": row,
            "object_id": row.pk,
            "facts": self.facts(request, row),
            "ways": ways,
            "history": reverse(f"admin:{self._name}_history", args=[row.pk]),
        }
        return TemplateResponse(request, self.decision_template, context)


def names(verdicts: Sequence[Verdict]) -> set[str]:
    return {verdict.name for verdict in verdicts}


def listed(admin_name: str, text: object, **query: str) -> SafeString:
    """A link to a list of the back office, narrowed: `listed("ledger_ledgertransaction", "Ledger lines", q=reference)`."""
    address = reverse(f"admin:{admin_name}_changelist")
    return format_html('<a href="{}?{}">{}</a>', address, urlencode(query), text)


def money(column: str, description: str, *, currency: str = "currency", sortable: bool = True) -> Any:
    """A column or a read-only field that shows an amount in units: `-1,234.50 EUR`, a dash for none.

    `currency` is the way from the row to its currency: `wallet.currency`. A property cannot be sorted by.
    """
    currency_of = attrgetter(currency)

    def shown(row: Any) -> SafeString:
        cents = getattr(row, column)
        return amount(cents, currency_of(row))

    shown.__name__ = column.removesuffix("_cents")  # the class of the column
    return admin.display(description=description, ordering=column if sortable else None)(shown)


def amount(cents: int | None, currency: str) -> SafeString:
    return format_html('<span class="money">{}</span>', "–" if cents is None else in_words(cents, currency))


def page_of(row: Model | None, text: object = "") -> SafeString | str:
    """A link to the row's own page; nothing where there is no row."""
    if row is None:
        return ""
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_change"
    return format_html('<a href="{}">{}</a>', reverse(name, args=[row.pk]), text or row)


NOT_SERVED = {"autocomplete", "view_on_site"}

View = Callable[..., HttpResponseBase]


class BackOfficeSite(admin.AdminSite):
    def get_urls(self) -> list[Any]:
        return [each for each in super().get_urls() if getattr(each, "name", None) not in NOT_SERVED]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(reject_unreadable(view), cacheable)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """No form: the user has signed in already, with a second factor (see config/urls.py)."""
        return redirect("admin:index")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The page of the sign-in: it limits attempts, notifies by mail, and writes the audit trail."""
        return redirect("account_change_password")

    password_change_done = password_change  # type: ignore[assignment]


def reject_unreadable(view: View) -> View:
    """The view, rendered here already, with 400 for a value that PostgreSQL cannot read, such as a NUL."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            answer = view(request, *args, **kwargs)
            return answer.render() if isinstance(answer, SimpleTemplateResponse) else answer
        except DataError as error:
            raise BadRequest(str(error)) from error

    return guarded
