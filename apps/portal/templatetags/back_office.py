"""Tags for the templates of the back office, which Django's admin renders."""

from typing import Any

from django import template
from django.template.context import Context

from apps.accounts.models import Account, User
from apps.portal.staff.glance import glances_of
from apps.portal.staff_dashboard import staff_dashboard
from apps.portal.theme import chosen_theme

register = template.Library()


@register.inclusion_tag("admin/staff_dashboard.html", name="staff_dashboard", takes_context=True)
def show_staff_dashboard(context: Context) -> dict[str, Any]:
    person = context["request"].user
    rows = staff_dashboard(person) if isinstance(person, User) else []
    return {"rows": rows, "quiet": not any(row.waits for row in rows)}


@register.simple_tag(takes_context=True)
def theme_class(context: Context) -> str:
    """The chosen theme as a class, because the admin's templates let us add no attribute to <html>."""
    chosen = chosen_theme(context.get("request"))
    return "" if chosen == "system" else f"theme-{chosen}"


@register.inclusion_tag("admin/account_glance.html", takes_context=True)
def account_glance(context: Context, account: Account) -> dict[str, Any]:
    person = context["request"].user
    return {"glances": glances_of(account, person) if isinstance(person, User) else []}
