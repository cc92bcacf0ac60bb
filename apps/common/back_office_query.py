"""What the address of a page of the back office may ask: what the page itself offers, with values that it can have.

Everything else is refused with 400 and a sentence: Django would look up whatever column is named, however it is compared, and so
let staff read by questions what no page shows them.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.contrib.admin import (
    BooleanFieldListFilter,
    ChoicesFieldListFilter,
    EmptyFieldListFilter,
    FieldListFilter,
    RelatedFieldListFilter,
    ShowFacets,
)
from django.contrib.admin.options import IS_FACETS_VAR, IS_POPUP_VAR, TO_FIELD_VAR
from django.contrib.admin.utils import get_fields_from_path
from django.contrib.admin.views.main import ALL_VAR, ERROR_FLAG, ORDER_VAR, PAGE_VAR, SEARCH_VAR
from django.core.exceptions import ValidationError
from django.db.models import Field
from django.http import HttpRequest

PRESERVED = "_changelist_filters"
LONGEST_ADDRESS = 2_000
LONGEST_TERM = 200
MOST_WORDS = 10
PAGE_NUMBER = re.compile(r"[1-9][0-9]{0,5}")
COLUMNS = re.compile(
    r"(-?[0-9]{1,2}(\.-?[0-9]{1,2}){0,15})?"
)  # empty once one takes the last column out of the order
YEAR = re.compile(r"(?!0000|9999)[0-9]{4}")
MONTH = re.compile(r"0?[1-9]|1[0-2]")
DAY = re.compile(r"0?[1-9]|[12][0-9]|3[01]")

Judge = Callable[[str], bool]


class UnreadableAddress(Exception):
    """Its text says what is wrong with the address."""


def refuse_unoffered(pages: Any, view: str, request: HttpRequest) -> None:
    """For any page of a model, by the name of its view."""
    for name, values in request.GET.lists():
        if len(values) > 1:
            raise UnreadableAddress(f"{shown(name)} is given more than once.")
        if len(name) + len(str(values[0])) > LONGEST_ADDRESS:
            raise UnreadableAddress(f"{shown(name)} is too long.")
    judges = of_list(pages, request) if view == "changelist_view" else of_row(pages, view, request)
    for name in request.GET:
        value = request.GET[name]
        if name in judges and not judges[name](value):
            raise UnreadableAddress(f"{shown(value)} is nothing that {shown(name)} can be.")
        if name not in judges and (view != "changelist_view" or name == PRESERVED):
            raise UnreadableAddress(f"This page knows no {shown(name)}.")


def of_list(pages: Any, request: HttpRequest) -> dict[str, Judge]:
    """What every list offers beside its filters; those are judged by `filters_of`, in `lookup_allowed`."""
    judges: dict[str, Judge] = {
        PAGE_VAR: matches(PAGE_NUMBER),
        ORDER_VAR: matches(COLUMNS),
        ALL_VAR: lambda value: value == "",
        ERROR_FLAG: lambda _: False,  # how Django would say what is said with 400 here
        IS_FACETS_VAR: lambda value: value == "True" and pages.show_facets is ShowFacets.ALLOW,
        IS_POPUP_VAR: lambda value: value == "1",
        TO_FIELD_VAR: lambda value: bool(pages.to_field_allowed(request, value)),
        SEARCH_VAR: lambda value: not value,
    }
    if pages.get_search_fields(request):
        judges[SEARCH_VAR] = is_term
    return judges


def of_row(pages: Any, view: str, request: HttpRequest) -> dict[str, Judge]:
    """What the pages of one row take: the way back to the list, and what a window that chooses a row is opened with."""
    judges: dict[str, Judge] = {
        PRESERVED: lambda _: True,
        IS_POPUP_VAR: lambda value: value == "1",
        TO_FIELD_VAR: lambda value: bool(pages.to_field_allowed(request, value)),
    }
    if view == "add_view":
        judges |= pages.prefilled
    if view == "history_view":
        judges[PAGE_VAR] = matches(PAGE_NUMBER)
    return judges


def filters_of(pages: Any, request: HttpRequest) -> dict[str, Judge]:
    """The filters beside a list, its calendar, and what it allows beyond them, by the names that they have in an address."""
    judges: dict[str, Judge] = {}
    for offered in pages.get_list_filter(request):
        judges |= judges_of(offered, pages, request)
    calendar = pages.date_hierarchy
    if calendar:
        judges[f"{calendar}__year"] = matches(YEAR)
        if f"{calendar}__year" in request.GET:
            judges[f"{calendar}__month"] = matches(MONTH)
        if f"{calendar}__month" in request.GET:
            judges[f"{calendar}__day"] = matches(DAY)
    return judges


def judges_of(offered: Any, pages: Any, request: HttpRequest) -> dict[str, Judge]:
    """Of one item of `list_filter`."""
    if callable(offered):
        own = offered(request, {}, pages.model, pages)
        return {own.parameter_name: one_of(value for value, _ in own.lookup_choices)}
    path, make = offered if isinstance(offered, list | tuple) else (offered, FieldListFilter.create)
    field = get_fields_from_path(pages.model, path)[-1]
    found = make(field, request, {}, pages.model, pages, field_path=path)
    return {
        name: one_of(["True", "False"]) if name.endswith("__isnull") else judge_of(found, field)
        for name in found.expected_parameters()
    }


def judge_of(found: FieldListFilter, field: Any) -> Judge:
    if isinstance(found, BooleanFieldListFilter | EmptyFieldListFilter):
        return one_of(["0", "1"])
    if isinstance(found, ChoicesFieldListFilter):
        return one_of(value for value, _ in field.flatchoices)
    if isinstance(found, RelatedFieldListFilter):
        return one_of(value for value, _ in found.lookup_choices)
    return lambda value: is_value_of(field, value)


def is_value_of(field: "Field[Any, Any]", value: str) -> bool:
    """A plain value that finds nothing is no fault: the list is empty."""
    with suppress(ValidationError):
        field.to_python(value)
        return len(value) <= LONGEST_TERM
    return False


def is_term(value: str) -> bool:
    return len(value) <= LONGEST_TERM and len(value.split()) <= MOST_WORDS


def matches(pattern: re.Pattern[str]) -> Judge:
    return lambda value: pattern.fullmatch(value) is not None


def one_of(values: Any) -> Judge:
    known = {str(value) for value in values}
    return known.__contains__


def shown(text: str) -> str:
    return f"“{shortened(text)}”"


def shortened(text: str) -> str:
    return text if len(text) <= 64 else f"{text[:63]}…"
